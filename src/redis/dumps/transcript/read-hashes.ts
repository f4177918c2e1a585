/** Answers about hashes: HGETALL, HGET, HMGET. */

import { keyByName } from '../key-by-name.js';
import type { Interpret } from './interpret.js';
import { wordText } from './question.js';
import { bytesOf, numberOf, pairsOf, type Reply, textOf } from './reply.js';
import { isKnownField, unknownField } from './right-command.js';

/** Fields whose value is a number, so that lines of a raw answer that slid out of step are noticed. */
const NUMERIC = /^(?:timestamp|delay|priority|processedOn|finishedOn|ats|atm|stc|attemptsMade|stalledCounter)$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

const OUT_OF_STEP =
  'fields cannot be told from values, as a value holds line breaks or the end is missing; --no-raw or --json would have shown them apart';

const readAll: Interpret = (question, reply, { book, moments }) => {
  const [key = ''] = question.args;
  const name = wordText(key);
  const named = keyByName(name);
  if (named?.kind !== 'hash') return undefined;
  const { key: queueKey } = named;
  const pairs = pairsOf(reply);
  const isExact = reply.is !== 'flat' || reply.exact;
  if (pairs === undefined) return isExact ? 'it is cut off: a field has no value' : OUT_OF_STEP;
  const fields: [string, Buffer][] = [];
  for (const [field, value] of pairs) {
    const text = textOf(field);
    const bytes = bytesOf(value);
    if (text === undefined || bytes === undefined) return 'it is no hash';
    if (!isExact && !isInStep(text, bytes, isKnownField(queueKey, text))) return OUT_OF_STEP;
    fields.push([text, bytes]);
  }
  moments.state();
  book.hash(question, key, fields, true);
  return undefined;
};

const isInStep = (field: string, value: Buffer, isKnown: boolean): boolean =>
  isKnown && (!NUMERIC.test(field) || NUMBER.test(value.toString('latin1')));

const readSome: Interpret = (question, reply, { book, moments, notes }) => {
  const [key = '', ...asked] = question.args;
  const name = wordText(key);
  const named = keyByName(name);
  if (named?.kind !== 'hash') return undefined;
  const values = question.name === 'HGET' ? single(reply) : several(reply, asked.length);
  if (values === undefined) return 'it is not one value for each field that was asked';
  const fields = asked.map((field, at): [string, Buffer | undefined] => [wordText(field), bytesOf(values[at])]);
  for (const [field, value] of fields) {
    if (value === undefined && named.key.what === 'job' && !isKnownField(named.key, field)) {
      notes.limit(
        'field that BullMQ never writes',
        `${question.name} ${name} ${field}: ${unknownField(name, field)}`,
        question,
      );
    }
    if (value !== undefined && NUMERIC.test(field) && !NUMBER.test(value.toString('latin1'))) {
      return `the value of ${field} is no number`;
    }
  }
  moments.state();
  book.hash(question, key, fields, false);
  return undefined;
};

const readExistence: Interpret = (question, reply, { notes }) => {
  const [key = '', field = ''] = question.args.map(wordText);
  const named = keyByName(key);
  const exists = numberOf(reply);
  if (exists === undefined) return 'it is no number';
  if (exists === 0 && named?.key.what === 'job' && !isKnownField(named.key, field)) {
    notes.limit('field that BullMQ never writes', `HEXISTS ${key} ${field}: ${unknownField(key, field)}`, question);
  }
  return undefined;
};

/** A line too many would be the rest of a value with line breaks. */
function single(reply: Reply): readonly Reply[] | undefined {
  if (reply.is === 'list' || reply.is === 'map') return undefined;
  if (reply.is === 'flat') return reply.items.length > 1 ? undefined : reply.items;
  return [reply];
}

/** Nil at the end of a raw answer is a blank line, which is not seen. */
function several(reply: Reply, count: number): readonly Reply[] | undefined {
  if (reply.is === 'nil') return [];
  if (reply.is === 'flat' && !reply.exact && reply.items.length < count)
    return reply.items.length > 0 ? reply.items : [];
  if (reply.is !== 'list' && reply.is !== 'flat') return undefined;
  return reply.items.length === count ? reply.items : undefined;
}

export const hashReaders: Readonly<Record<string, Interpret>> = {
  HGETALL: readAll,
  HGET: readSome,
  HMGET: readSome,
  HEXISTS: readExistence,
};
