/**
 * Which command answers a question about a queue. Guides on the net name wrong ones, and their answers look like findings:
 * `ZRANGE …:active` is refused because active is a list, `HGET … locktoken` is nil because BullMQ writes no such field
 * (key layout and job fields: BullMQ 1 to 6, Lua scripts).
 */
import type { QueueKey } from '../../keyspace.js';
import type { RdbKind } from '../../rdb/index.js';
import { keyByName, type NamedKey } from '../key-by-name.js';
import { wordText } from './question.js';

type Purpose = 'values' | 'count' | 'member';

/** The type that a command reads, and what it asks for. */
const COMMANDS: Readonly<Record<string, readonly [kind: RdbKind, purpose: Purpose]>> = {
  HGETALL: ['hash', 'values'],
  HGET: ['hash', 'values'],
  HMGET: ['hash', 'values'],
  HEXISTS: ['hash', 'values'],
  LRANGE: ['list', 'values'],
  LLEN: ['list', 'count'],
  LPOS: ['list', 'member'],
  LINDEX: ['list', 'values'],
  SMEMBERS: ['set', 'values'],
  SCARD: ['set', 'count'],
  SISMEMBER: ['set', 'member'],
  ZRANGE: ['zset', 'values'],
  ZREVRANGE: ['zset', 'values'],
  ZRANGEBYSCORE: ['zset', 'values'],
  ZREVRANGEBYSCORE: ['zset', 'values'],
  ZSCORE: ['zset', 'member'],
  ZRANK: ['zset', 'member'],
  ZREVRANK: ['zset', 'member'],
  ZCARD: ['zset', 'count'],
  ZCOUNT: ['zset', 'count'],
  GET: ['string', 'values'],
  STRLEN: ['string', 'values'],
  XRANGE: ['stream', 'values'],
  XREVRANGE: ['stream', 'values'],
  XLEN: ['stream', 'count'],
};

/** The command for each purpose; `%` is the key. Where a type lacks one, its values tell. */
const RIGHT: Readonly<Record<RdbKind, Partial<Record<Purpose, string>>>> = {
  list: { values: 'LRANGE % 0 -1', count: 'LLEN %', member: 'LPOS %' },
  set: { values: 'SMEMBERS %', count: 'SCARD %', member: 'SISMEMBER %' },
  zset: { values: 'ZRANGE % 0 -1 WITHSCORES', count: 'ZCARD %', member: 'ZSCORE %' },
  stream: { values: 'XRANGE % - +', count: 'XLEN %' },
  string: { values: 'GET %' },
  hash: { values: 'HGETALL %' },
  module: {},
};

/** Keys beside that of a job. */
const BESIDE_JOB: readonly (readonly [end: string, kind: RdbKind])[] = [
  [':logs', 'list'],
  [':dependencies', 'set'],
  [':processed', 'hash'],
  [':unsuccessful', 'zset'],
];

/** Fields of a job's hash, all versions. */
const FIELDS: ReadonlySet<string> = new Set(
  (
    'name data opts timestamp delay priority parentKey parent rjk deid processedOn pb ats attemptsMade atm stalledCounter stc ' +
    'defa progress returnvalue failedReason stacktrace finishedOn nrjid flowAttachmentFailed repeatJobKey id retriedOn'
  ).split(' '),
);
const META_FIELDS = /^(?:opts\.\w+|paused|concurrency|max|duration|version|library)$/;

/** What people ask for under the name it has in the code. */
const REAL_NAMES: Readonly<Record<string, string>> = {
  attemptsstarted: 'ats (attemptsMade up to BullMQ 4)',
  attempts: 'opts holds it',
  stalledcount: 'stc (stalledCounter up to 5.48)',
  processedby: 'pb',
  deferredfailure: 'defa',
  returnvalue: 'returnvalue',
  failedreason: 'failedReason',
  processedon: 'processedOn',
  finishedon: 'finishedOn',
};

const NAMES: Readonly<Record<RdbKind, string>> = {
  ...{ string: 'a string', list: 'a list', set: 'a set', zset: 'a sorted set', hash: 'a hash', stream: 'a stream' },
  module: 'a module type',
};

/** The command that answers what was asked; `id` where one member was. */
function rightCommand(name: string, { kind, key }: NamedKey, purpose: Purpose, id: string): string {
  if (key.what === 'lock') return `GET ${name} and PTTL ${name}`;
  const right = RIGHT[kind][purpose];
  if (right === undefined) return `${(RIGHT[kind].values ?? 'TYPE %').replace('%', () => name)}`;
  const command = right.replace('%', () => name);
  return purpose === 'member' ? `${command} ${id}` : command;
}

/**
 * What is wrong with asking so; undefined where the command fits the key. Any name may be a job's: what looks like one is
 * only judged where Redis itself refused the type.
 *
 * @param args words behind the command's name; the key is the first.
 */
export function wrongCommand(command: string, args: readonly string[], isRefused: boolean): string | undefined {
  const [name = '', id = ''] = args.map(wordText);
  const [asked, purpose] = Object.hasOwn(COMMANDS, command) ? (COMMANDS[command] ?? []) : [];
  const named = keyByName(name);
  if (asked === undefined || purpose === undefined || named === undefined) return undefined;
  if (named.key.what === 'job' || named.kind === asked) {
    if (!isRefused) return undefined;
    const beside = BESIDE_JOB.find(([end]) => name.endsWith(end));
    if (beside === undefined) return `TYPE ${name} tells what it is; a job is a hash, which HGETALL shows`;
    return `it is ${NAMES[beside[1]]}; ${(RIGHT[beside[1]].values ?? '').replace('%', () => name)} would have answered`;
  }
  // `<job>:failed` is a hash of the job's own.
  if (asked === 'hash' && named.kind === 'zset' && !isRefused) return undefined;
  const right = rightCommand(name, named, purpose, id);
  return `${name} is ${NAMES[named.kind]}, so this says nothing about it; ${right} would have answered`;
}

/** What is said of a command that answers, but at a price. */
export function costlyCommand(command: string, args: readonly string[]): string | undefined {
  const [first = ''] = args.map(wordText);
  if (command !== 'KEYS') return undefined;
  return `KEYS ${first} holds Redis up while it walks through all keys, which may cost workers their locks; SCAN 0 MATCH ${first} COUNT 1000 would have answered`;
}

/** Whether BullMQ writes a field of that name into the hash. */
export const isKnownField = (key: QueueKey, field: string): boolean =>
  key.what === 'meta' ? META_FIELDS.test(field) : FIELDS.has(field);

/** What nil means for a field that BullMQ never writes, or writes under another name. */
export function unknownField(jobKey: string, field: string): string {
  const lower = field.toLowerCase();
  if (lower.includes('lock') || lower === 'token') {
    return `BullMQ writes no field ${field}, so its absence does not mean that there is no lock; GET ${jobKey}:lock and PTTL ${jobKey}:lock would have answered`;
  }
  const real = Object.hasOwn(REAL_NAMES, lower) ? REAL_NAMES[lower] : undefined;
  if (real !== undefined) return `BullMQ writes no field ${field} (${real}); HGETALL ${jobKey} would have shown it`;
  if (lower === 'state' || lower === 'status') {
    const base = jobKey.slice(0, jobKey.lastIndexOf(':'));
    const id = jobKey.slice(base.length + 1);
    return `BullMQ writes no field ${field}: a job's state is the list or set that holds it; LPOS ${base}:active ${id} and ZSCORE ${base}:completed ${id} would have answered`;
  }
  return `BullMQ writes no field ${field}; HGETALL ${jobKey} would have shown all that there are`;
}
