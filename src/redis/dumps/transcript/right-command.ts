/**
 * Which command answers a question about a queue. Guides on the net name wrong ones, and their answers look like findings:
 * `ZRANGE …:active` is refused because active is a list, `HGET … locktoken` is nil because BullMQ writes no such field
 * (key layout and job fields: BullMQ 1 to 6, Lua scripts).
 */
import type { QueueKey } from '../../keyspace.js';
import type { RdbKind } from '../../rdb/index.js';
import { keyByName, type NamedKey } from '../key-by-name.js';

/** The type that a command reads. */
const READS: Readonly<Record<string, RdbKind>> = {
  HGETALL: 'hash',
  HGET: 'hash',
  HMGET: 'hash',
  LRANGE: 'list',
  LLEN: 'list',
  LPOS: 'list',
  SMEMBERS: 'set',
  SCARD: 'set',
  SISMEMBER: 'set',
  ZRANGE: 'zset',
  ZREVRANGE: 'zset',
  ZRANGEBYSCORE: 'zset',
  ZREVRANGEBYSCORE: 'zset',
  ZSCORE: 'zset',
  ZCARD: 'zset',
  GET: 'string',
  XRANGE: 'stream',
  XREVRANGE: 'stream',
  XLEN: 'stream',
};

/** Fields of a job's hash, all versions. */
const FIELDS: ReadonlySet<string> = new Set(
  (
    'name data opts timestamp delay priority parentKey parent rjk deid processedOn pb ats attemptsMade atm stalledCounter stc ' +
    'defa progress returnvalue failedReason stacktrace finishedOn nrjid flowAttachmentFailed repeatJobKey id'
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

/** The commands that show what a key holds. */
export function rightCommand(name: string, { kind, key }: NamedKey): string {
  switch (kind) {
    case 'list':
      return `LRANGE ${name} 0 -1`;
    case 'set':
      return `SMEMBERS ${name}`;
    case 'zset':
      return `ZRANGE ${name} 0 -1 WITHSCORES`;
    case 'stream':
      return `XRANGE ${name} - +`;
    case 'string':
      return key.what === 'lock' ? `GET ${name} and PTTL ${name}` : `GET ${name}`;
    default:
      return `HGETALL ${name}`;
  }
}

/**
 * What is wrong with asking so; undefined where the command fits the key. Any name may be a job's: what looks like one is
 * only judged where Redis itself refused the type.
 */
export function wrongCommand(command: string, name: string, isRefused: boolean): string | undefined {
  const asked = Object.hasOwn(READS, command) ? READS[command] : undefined;
  const named = keyByName(name);
  if (asked === undefined || named === undefined) return undefined;
  if (named.key.what === 'job' || named.kind === asked) {
    return isRefused ? `TYPE ${name} tells what it is; a job is a hash, which HGETALL shows` : undefined;
  }
  // `<job>:failed` is a hash of the job's own.
  if (asked === 'hash' && named.kind === 'zset' && !isRefused) return undefined;
  return `${name} is ${NAMES[named.kind]}, so this says nothing about it; ${rightCommand(name, named)} would have answered`;
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
