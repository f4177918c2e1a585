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

/** One id in a list or set of the queue. */
export interface MemberFact extends AboutQueue {
  readonly type: 'member';
  readonly set: QueueSet;
  readonly job: string;
  /** Raw score of a sorted set. `delayed`: due ms × 4096 + counter. */
  readonly score?: number;
}

/** A lock key that exists in the snapshot. */
export interface LockFact extends AboutQueue {
  readonly type: 'lock';
  readonly job: string;
  readonly token: string;
  /** Redis' clock. Absent: the key has no expiry. */
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
  /** [earliest, latest] ms on Redis' clock. */
  readonly momentMs?: readonly [number, number];
  readonly redisVersion?: string;
}

export type Fact = JobFact | MemberFact | LockFact | StreamFact | MetaFact | SnapshotFact;
