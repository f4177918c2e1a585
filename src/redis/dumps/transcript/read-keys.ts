/** Answers about keys as such: EXISTS, TYPE, and the names that SCAN and KEYS list. */
import { parseQueueKey } from '../../keyspace.js';
import { keyByName } from '../key-by-name.js';
import type { Desk, Interpret } from './interpret.js';
import { type Question, wordText } from './question.js';
import { itemsOf, numberOf, textOf } from './reply.js';

const readExists: Interpret = (question, reply, desk) => {
  // The answer counts: of several keys it does not tell which.
  if (question.args.length !== 1) return undefined;
  const value = numberOf(reply);
  if (value === undefined) return 'it is no number';
  tellExistence(question, value > 0, desk);
  return undefined;
};

const readType: Interpret = (question, reply, desk) => {
  const type = textOf(reply)?.trim();
  if (type === undefined || type === '') return 'it names no type';
  tellExistence(question, type !== 'none', desk);
  return undefined;
};

function tellExistence(question: Question, exists: boolean, { book, moments }: Desk): void {
  const [key = ''] = question.args;
  const named = keyByName(wordText(key));
  if (named === undefined) return;
  moments.state();
  if (!exists) book.absent(question, key, named.kind);
  else if (named.kind === 'string') book.expiry(question, key, 'exists');
}

/** Keys by which a queue shows itself; a single one of them may be anybody's. */
const SIGNS: readonly (readonly [string, Parameters<typeof parseQueueKey>[1]])[] = [
  [':id', 'string'],
  [':meta', 'hash'],
  [':events', 'stream'],
  [':stalled-check', 'string'],
];

const readNames: Interpret = (question, reply, desk) => {
  const signs = new Map<string, number>();
  const items = itemsOf(reply) ?? [];
  for (const item of items.flatMap((one) => (one.is === 'list' ? one.items : [one]))) {
    const key = textOf(item) ?? '';
    const sign = SIGNS.find(([suffix]) => key.endsWith(suffix));
    const found = sign && parseQueueKey(key, sign[1]);
    if (found && 'base' in found) signs.set(found.base, (signs.get(found.base) ?? 0) + 1);
  }
  for (const [base, count] of signs) if (count > 1) desk.queue(question, base);
  return undefined;
};

export const keyReaders: Readonly<Record<string, Interpret>> = {
  EXISTS: readExists,
  TYPE: readType,
  SCAN: readNames,
  KEYS: readNames,
};
