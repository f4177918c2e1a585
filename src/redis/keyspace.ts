/**
 * Which Redis keys are BullMQ's (1 to 6) or Bull's (3, 4), and what they hold.
 *
 * A key is `<prefix>:<queue>:<suffix>`. The prefix is any text and may hold ':'; a queue name holds none, an id may (old
 * versions, and `repeat:<scheduler>:<ms>`). So a key says by its end what it is, and the type of its value decides where
 * the name alone would not: `<queue>:failed` is a sorted set, `<job>:failed` a hash. Where a job's key can be cut at more
 * than one place, the reader asks `splitJobKey` again once it knows which queues there are.
 */
import type { QueueSet } from '../model/fact.js';

/** Type of a key's value, as TYPE answers it. */
export type RedisType = 'string' | 'list' | 'set' | 'zset' | 'hash' | 'stream' | 'module';

export interface QueueName {
  readonly prefix: string;
  readonly queue: string;
  /** Number of the database; absent: 0, or not known. */
  readonly db?: number;
}

/** What one key of a queue holds. `base` is the key up to the queue's name, without the ':' behind it. */
export type QueueKey =
  | { readonly what: 'set'; readonly base: string; readonly set: QueueSet }
  | { readonly what: 'events' | 'meta'; readonly base: string }
  /** A string of the queue itself, such as `stalled-check`. */
  | { readonly what: 'value'; readonly base: string; readonly name: string }
  /** What a job scheduler makes its jobs of (BullMQ 5.10 and later). */
  | { readonly what: 'scheduler'; readonly base: string; readonly id: string }
  /** A hash that is a job if its fields say so. `jobKey` is the whole key. */
  | { readonly what: 'job'; readonly jobKey: string }
  /** `jobKey` is the key of the job the lock belongs to. */
  | { readonly what: 'lock'; readonly jobKey: string };

export const DEFAULT_PREFIX = 'bull';

const SETS: Readonly<Record<QueueSet, RedisType>> = {
  wait: 'list',
  paused: 'list',
  active: 'list',
  delayed: 'zset',
  prioritized: 'zset',
  completed: 'zset',
  failed: 'zset',
  'waiting-children': 'zset',
  stalled: 'set',
};

/** Strings of a queue that say something at the moment of a snapshot. `id` is the counter of automatic ids. */
const VALUES: ReadonlySet<string> = new Set(['stalled-check', 'meta-paused', 'id', 'limiter']);

/** What stands between the queue and an id of the queue's own, where no job hash can be meant. */
const NOT_A_JOB: ReadonlySet<string> = new Set(['dn', 'de', 'metrics', 'limiter', 'repeat']);

/** Hashes that belong to a job. */
const JOB_HASHES: ReadonlySet<string> = new Set(['processed', 'failed']);

const DIGITS = /^\d+$/;

function isQueueSet(name: string): name is QueueSet {
  return Object.hasOwn(SETS, name);
}

/**
 * What a key of a given type is to a queue; undefined for keys of other programs and those that say nothing about jobs
 * (logs, dependencies, metrics, markers, Relay).
 */
export function parseQueueKey(key: string, type: RedisType): QueueKey | undefined {
  const lastColon = key.lastIndexOf(':');
  if (lastColon <= 0) return undefined;
  const base = key.slice(0, lastColon);
  const suffix = key.slice(lastColon + 1);
  if (!base.includes(':') || base.endsWith(':') || isRelayKey(key)) return undefined;
  if (isQueueSet(suffix) && SETS[suffix] === type) return { what: 'set', base, set: suffix };
  switch (type) {
    case 'stream':
      return suffix === 'events' ? { what: 'events', base } : undefined;
    case 'string':
      if (suffix === 'lock')
        return base.indexOf(':') === base.lastIndexOf(':') ? undefined : { what: 'lock', jobKey: base };
      return VALUES.has(suffix) ? { what: 'value', base, name: suffix } : undefined;
    case 'hash':
      if (suffix === 'meta') return { what: 'meta', base };
      if (isScheduler(base, suffix)) return { what: 'scheduler', base: base.slice(0, -SCHEDULERS.length), id: suffix };
      return JOB_HASHES.has(suffix) || isQueueOwned(base, suffix) ? undefined : { what: 'job', jobKey: key };
    default:
      return undefined;
  }
}

/** `<prefix>::relay:…` is BullMQ 6's message bus: a queue's name is never empty. */
export const isRelayKey = (key: string): boolean => key.includes('::relay:');

const SCHEDULERS = ':repeat';

/** `<queue>:repeat:<id>`; a queue may be called repeat itself. */
const isScheduler = (base: string, id: string): boolean =>
  base.endsWith(SCHEDULERS) && base.indexOf(':') !== base.lastIndexOf(':') && !JOB_HASHES.has(id);

/** Hashes such as `<queue>:repeat:<scheduler>` and `<queue>:dn:<id>` look like jobs but are none. */
function isQueueOwned(base: string, id: string): boolean {
  const colon = base.lastIndexOf(':');
  if (base.indexOf(':') === colon) return false;
  if (NOT_A_JOB.has(base.slice(colon + 1))) return true;
  // A scheduler's own name may hold ':'; the jobs it makes end in a time.
  return base.includes(':repeat:') && !DIGITS.test(id);
}

/** Cuts `<prefix>:<queue>` at its last ':'. With a known prefix the rest is the queue, as Bull allowed ':' in names. */
export function splitBase(base: string, knownPrefix?: string, db?: number): QueueName {
  const isUnder = knownPrefix !== undefined && base.startsWith(`${knownPrefix}:`);
  const colon = isUnder ? knownPrefix.length : base.lastIndexOf(':');
  const name = { prefix: base.slice(0, colon), queue: base.slice(colon + 1) };
  return db ? { ...name, db } : name;
}

export interface JobName {
  readonly base: string;
  readonly job: string;
}

/** Ids of a scheduler's jobs are known by their form, whatever the scheduler is called. */
const SCHEDULED_JOB = /^(.+?:[^:]+):(repeat:.+:\d+)$/;

/**
 * Cuts the key of a job into queue and id.
 *
 * @param isQueue whether a `<prefix>:<queue>` is known to be a queue. The longest known queue wins.
 * @returns undefined if no known queue fits and more than one cut is possible.
 */
export function splitJobKey(jobKey: string, isQueue: (base: string) => boolean): JobName | undefined {
  const first = jobKey.indexOf(':');
  const last = jobKey.lastIndexOf(':');
  for (let colon = last; colon > first; colon = jobKey.lastIndexOf(':', colon - 1)) {
    const base = jobKey.slice(0, colon);
    if (isQueue(base)) return { base, job: jobKey.slice(colon + 1) };
  }
  if (jobKey.indexOf(':', first + 1) === last) return { base: jobKey.slice(0, last), job: jobKey.slice(last + 1) };
  const scheduled = SCHEDULED_JOB.exec(jobKey);
  return scheduled?.[1] !== undefined && scheduled[2] !== undefined
    ? { base: scheduled[1], job: scheduled[2] }
    : undefined;
}

/**
 * The likeliest cut where `splitJobKey` leaves it open: under a known prefix the queue is one segment, as the names of
 * queues hold no ':'; else the last segment is the id.
 */
export function guessJobKey(jobKey: string, knownPrefix: string = DEFAULT_PREFIX): JobName {
  let colon = jobKey.lastIndexOf(':');
  if (jobKey.startsWith(`${knownPrefix}:`)) {
    const end = jobKey.indexOf(':', knownPrefix.length + 1);
    if (end > 0) colon = end;
  }
  return { base: jobKey.slice(0, colon), job: jobKey.slice(colon + 1) };
}
