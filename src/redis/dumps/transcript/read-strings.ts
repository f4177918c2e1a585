/** Answers about strings and the life of keys: GET, PTTL, TTL, PEXPIRETIME, EXPIRETIME, EXISTS. */

import { keyByName } from '../key-by-name.js';
import type { Expiry } from './answer-book.js';
import type { Interpret } from './interpret.js';
import { wordText } from './question.js';
import { bytesOf, numberOf, type Reply } from './reply.js';

const isString = (key: string): boolean => keyByName(wordText(key))?.kind === 'string';

const isNil = (reply: Reply): boolean =>
  reply.is === 'nil' || (reply.is === 'flat' && (reply.items.length === 0 || reply.items[0]?.is === 'nil'));

const readValue: Interpret = (question, reply, { book, moments }) => {
  const [key = ''] = question.args;
  if (!isString(key)) return undefined;
  const value = isNil(reply) ? null : bytesOf(reply);
  if (value === undefined) return 'it is not one value';
  moments.state();
  book.value(question, key, value);
  return undefined;
};

/** @param toExpiry what a number that is not negative means. */
const readExpiry =
  (toExpiry: (value: number) => Expiry): Interpret =>
  (question, reply, { book, moments }) => {
    const [key = ''] = question.args;
    if (!isString(key)) return undefined;
    const value = numberOf(reply);
    if (value === undefined || !Number.isInteger(value)) return 'it is no number';
    moments.state();
    book.expiry(question, key, value === -2 ? 'gone' : value === -1 ? 'never' : toExpiry(value));
    return undefined;
  };

const readExists: Interpret = (question, reply, { book, moments }) => {
  const [key = '', another] = question.args;
  if (another !== undefined || !isString(key)) return undefined;
  const value = numberOf(reply);
  if (value === undefined) return 'it is no number';
  moments.state();
  if (value === 0) book.expiry(question, key, 'gone');
  return undefined;
};

export const stringReaders: Readonly<Record<string, Interpret>> = {
  GET: readValue,
  PTTL: readExpiry((leftMs) => ({ leftMs })),
  TTL: readExpiry((seconds) => ({ leftMs: seconds * 1000 })),
  PEXPIRETIME: readExpiry((atMs) => ({ atMs })),
  EXPIRETIME: readExpiry((seconds) => ({ atMs: seconds * 1000 })),
  EXISTS: readExists,
};
