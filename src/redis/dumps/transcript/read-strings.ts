/** Answers about strings and the life of keys: GET, PTTL, TTL, PEXPIRETIME, EXPIRETIME. */

import { keyByName } from '../key-by-name.js';
import type { Expiry } from './answer-book.js';
import type { Interpret } from './interpret.js';
import type { Mark } from './moments.js';
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
  (toExpiry: (value: number, asked: Mark) => Expiry): Interpret =>
  (question, reply, { book, moments }) => {
    const [key = ''] = question.args;
    const value = numberOf(reply);
    const kind = keyByName(wordText(key))?.kind;
    if (kind === undefined) return undefined;
    if (value === undefined || !Number.isInteger(value)) return 'it is no number';
    if (kind !== 'string') {
      if (value === -2) book.absent(question, key, kind);
      return undefined;
    }
    moments.state();
    book.expiry(question, key, value === -2 ? 'gone' : value === -1 ? 'never' : toExpiry(value, moments.mark()));
    return undefined;
  };

export const stringReaders: Readonly<Record<string, Interpret>> = {
  GET: readValue,
  PTTL: readExpiry((leftMs, asked) => ({ leftMs, aboutMs: 0, asked })),
  // Redis rounds to whole seconds.
  TTL: readExpiry((seconds, asked) => ({ leftMs: seconds * 1000, aboutMs: 500, asked })),
  PEXPIRETIME: readExpiry((atMs) => ({ atMs })),
  EXPIRETIME: readExpiry((seconds) => ({ atMs: seconds * 1000 })),
};
