/**
 * What a snapshot of Redis says at its own moment, as opposed to an event, which says what happened.
 *
 * Field and key names: knowledge of BullMQ 1 to 6 (`attemptsMade` and `stalledCounter` are the older spellings of `atm`
 * and `stc`). Times in ms UTC; the clock is named per field.
 */

/** Lists and sets of a queue a job id can stand in. The order is the code stored in the case file: append only. */
export const QUEUE_SETS = [
  'wait',
  'paused',
  'active',
  'delayed',
  'prioritized',
  'completed',
  'failed',
  'waiting-children',
  'stalled',
] as const;
export type QueueSet = (typeof QUEUE_SETS)[number];

interface AboutQueue {
  readonly prefix: string;
  readonly queue: string;
  /** Number of the database; absent: 0, or not known. */
  readonly db?: number;
  /** Byte offset of the key in the snapshot; -1 where there is none. */
  readonly offset: number;
}

/** The hash of one job. Absent fields were absent in the hash. */
export interface JobFact extends AboutQueue {
  readonly type: 'job';
  readonly job: string;
  readonly name?: string;
  /** Producer's clock. */
  readonly timestamp?: number;
  /** Worker's clock, of the last activation. */
  readonly processedOn?: number;
  /** Worker's clock. */
  readonly finishedOn?: number;
  /** Activations (`ats`, BullMQ 5 and later; `attemptsMade` up to 4). */
  readonly attemptsStarted?: number;
  /** Persisted ends of attempts (`atm`). */
  readonly attemptsMade?: number;
  /** Recoveries by the stalled sweep (`stc`, `stalledCounter`). */
  readonly stalledCounter?: number;
  /** `opts.attempts`. */
  readonly maxAttempts?: number;
  /** Worker name of the last activation (`pb`). */
  readonly processedBy?: string;
  readonly failedReason?: string;
  /** Deferred failure (`defa`). */
  readonly deferredFailure?: string;
  /** Percent or short text of the progress. */
  readonly progress?: number | string;
  readonly hasReturnValue: boolean;
  readonly delayMs?: number;
  readonly parentKey?: string;
}

/** The score of a job in `delayed` is its due time, ms, times this, plus a counter of 12 bits (BullMQ and Bull, all versions). */
export const SCORE_PER_MS = 4096;

/** One id in a list or set of the queue. */
export interface MemberFact extends AboutQueue {
  readonly type: 'member';
  readonly set: QueueSet;
  readonly job: string;
  /** Raw score of a sorted set. */
  readonly score?: number;
}

/** A lock key that exists in the snapshot. */
export interface LockFact extends AboutQueue {
  readonly type: 'lock';
  readonly job: string;
  /** Absent: only the life of the lock was asked for. */
  readonly token?: string;
  /** Redis' clock; the latest possible, where it was reckoned. Absent: the key has no expiry, or it is not known. */
  readonly expiresAtMs?: number;
}

/** State of an events stream: what it once held and no longer shows. */
export interface StreamFact extends AboutQueue {
  readonly type: 'stream';
  readonly length: number;
  readonly firstId?: string;
  readonly lastId?: string;
  readonly entriesAdded?: number;
  readonly maxDeletedId?: string;
}

/** One field of `<queue>:meta`, or a queue-wide key such as `stalled-check`. */
export interface MetaFact extends AboutQueue {
  readonly type: 'meta';
  readonly field: string;
  readonly value: string;
}

/** The moment and origin of the snapshot. */
export interface SnapshotFact {
  readonly type: 'snapshot';
  /** It shows only what somebody asked for: what is not in it may have been there all the same. */
  readonly isPartial?: true;
  /** [earliest, latest] ms on Redis' clock. */
  readonly momentMs?: readonly [number, number];
  readonly redisVersion?: string;
}

/** Somebody asked for it and it was not there. Only a transcript says so: a snapshot shows what is absent by being whole. */
export interface AbsentFact extends AboutQueue {
  readonly type: 'absent';
  readonly job: string;
  /** The job's lock, its hash, or its id in a set of the queue. */
  readonly what: 'lock' | 'hash' | QueueSet;
  /** Of a lock: the job was seen in `active` in the same transaction or after it, so that it had not ended in between. */
  readonly whileActive?: true;
}

/** How many ids a set of the queue held, or how many entries its events stream, where they were only counted. */
export interface CountFact extends AboutQueue {
  readonly type: 'count';
  readonly of: QueueSet | 'events';
  readonly count: number;
}

/** What Redis says about itself: a field of INFO, CONFIG GET or SLOWLOG, under the name Redis gives it. */
export interface ServerFact {
  readonly type: 'server';
  readonly field: string;
  readonly value: string;
  readonly offset: number;
}

/** A connection of BullMQ that was open (CLIENT LIST); BullMQ names it after the queue. */
export interface ConnectionFact extends AboutQueue {
  readonly type: 'connection';
  /** `worker`: waits for jobs; `events`: a listener to the events stream. */
  readonly role: 'worker' | 'events';
  /** Name option of the worker. */
  readonly name?: string;
  /** As Redis prints it: `ip:port`. */
  readonly address: string;
  readonly ageSeconds?: number;
  readonly idleSeconds?: number;
  readonly command?: string;
}

/** How far a worker's clock can be from Redis' clock (its clock − Redis' clock, ms), by what it stamped into jobs. */
export interface ClockFact {
  readonly type: 'clock';
  /** Lock tokens of the worker begin so. */
  readonly tokenPrefix: string;
  /** At least, and at most; `offset`: byte offset of the stamp. */
  readonly low?: { readonly ms: number; readonly offset: number };
  readonly high?: { readonly ms: number; readonly offset: number };
  readonly pairs: number;
}

export type Fact =
  | JobFact
  | MemberFact
  | LockFact
  | StreamFact
  | MetaFact
  | SnapshotFact
  | AbsentFact
  | CountFact
  | ServerFact
  | ConnectionFact
  | ClockFact;
