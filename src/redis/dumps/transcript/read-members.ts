/** Answers about lists, sets and sorted sets of a queue. */
import type { RdbKind } from '../../rdb/index.js';
import { keyByName } from '../key-by-name.js';
import type { Interpret } from './interpret.js';
import { wordText } from './question.js';
import { bytesOf, itemsOf, numberOf, pairsOf, type Reply } from './reply.js';

type Member = readonly [Buffer, number | undefined];

/** The members in a list of values; undefined where one of them is none. */
function plainMembers(reply: Reply): readonly Member[] | undefined {
  const members: Member[] = [];
  for (const item of itemsOf(reply) ?? [reply]) {
    const member = bytesOf(item);
    // No id is empty: a blank line belongs to somebody else.
    if (member === undefined || member.length === 0) return undefined;
    members.push([member, undefined]);
  }
  return members;
}

function scoredMembers(reply: Reply): readonly Member[] | undefined {
  const members: Member[] = [];
  for (const [first, second] of pairsOf(reply) ?? [[reply, reply]]) {
    const member = bytesOf(first);
    const score = numberOf(second);
    if (member === undefined || member.length === 0 || score === undefined) return undefined;
    members.push([member, score]);
  }
  return members;
}

const isSet = (key: string, kind: RdbKind): boolean => {
  const named = keyByName(wordText(key));
  return named?.kind === kind && named.key.what === 'set';
};

/** By rank or by score, from either end. */
const isAll = ([, from = '', to = '']: readonly string[]): boolean =>
  (from === '0' && to === '-1') ||
  (/^-inf$/i.test(from) && /^\+?inf$/i.test(to)) ||
  (/^\+?inf$/i.test(from) && /^-inf$/i.test(to));

/** Reads all or some members of a key of one kind. */
const members =
  (kind: RdbKind): Interpret =>
  (question, reply, { book, moments }) => {
    const { args } = question;
    const [key = ''] = args;
    if (!isSet(key, kind)) return undefined;
    const hasScores = kind === 'zset' && args.some((arg) => arg.toUpperCase() === 'WITHSCORES');
    const found = hasScores ? scoredMembers(reply) : plainMembers(reply);
    if (found === undefined) return hasScores ? 'a member has no score' : 'its values cannot be told apart';
    const whole = kind === 'set' || (isAll(args) && !args.some((arg) => arg.toUpperCase() === 'LIMIT'));
    moments.state();
    book.members(question, key, kind, found, whole);
    return undefined;
  };

/** Reads whether one member is there. `present` gives its score, or null if it is not. */
const member =
  (kind: RdbKind, present: (reply: Reply) => { readonly score?: number } | null | undefined): Interpret =>
  (question, reply, { book, moments }) => {
    const [key = '', id = ''] = question.args;
    if (!isSet(key, kind)) return undefined;
    const found = present(reply);
    if (found === undefined) return 'it is no single number';
    moments.state();
    if (found === null) book.absentMember(question, key, kind, id);
    else book.members(question, key, kind, [[Buffer.from(id, 'latin1'), found.score]], false);
    return undefined;
  };

const isNil = (reply: Reply): boolean =>
  reply.is === 'nil' || ((reply.is === 'list' || reply.is === 'flat') && reply.items.every(isNil));

function position(reply: Reply): { readonly score?: number } | null | undefined {
  if (isNil(reply)) return null;
  const items = itemsOf(reply) ?? [reply];
  return items.every((item) => numberOf(item) !== undefined) ? {} : undefined;
}

function scoreOf(reply: Reply): { readonly score?: number } | null | undefined {
  if (isNil(reply)) return null;
  const score = numberOf(reply);
  return score === undefined ? undefined : { score };
}

function isMember(reply: Reply): { readonly score?: number } | null | undefined {
  const answer = numberOf(reply);
  return answer === undefined ? undefined : answer === 1 ? {} : null;
}

/** Reads how many members a key of one kind has. */
const count =
  (kind: RdbKind): Interpret =>
  (question, reply, { book, moments }) => {
    const [key = ''] = question.args;
    const named = keyByName(wordText(key));
    if (named?.kind !== kind || (named.key.what !== 'set' && named.key.what !== 'events')) return undefined;
    const n = numberOf(reply);
    if (n === undefined || !Number.isSafeInteger(n) || n < 0) return 'it is no number';
    moments.state();
    book.count(question, key, kind, n);
    return undefined;
  };

export const memberReaders: Readonly<Record<string, Interpret>> = {
  LRANGE: members('list'),
  SMEMBERS: members('set'),
  ZRANGE: members('zset'),
  ZREVRANGE: members('zset'),
  ZRANGEBYSCORE: members('zset'),
  ZREVRANGEBYSCORE: members('zset'),
  LPOS: member('list', position),
  ZSCORE: member('zset', scoreOf),
  ZRANK: member('zset', position),
  ZREVRANK: member('zset', position),
  SISMEMBER: member('set', isMember),
  LLEN: count('list'),
  SCARD: count('set'),
  ZCARD: count('zset'),
  XLEN: count('stream'),
};
