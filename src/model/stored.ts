/** What the case file gives back: evidence with its place, ready for the story. */
import type { ClockKind, EventData, EventKind, Precision } from './event.js';
import type { QueueSet } from './fact.js';
import type { JobWrite } from './job-write.js';
import type { JobSummary } from './summary.js';

/** A source in the order that decides ties: sorted by path, then hash. */
export interface StoredSource {
  readonly id: number;
  readonly path: string;
  readonly kind: string;
  /** As its reader names it: `rdb`, `aof`, `monitor`, `pino+console`. */
  readonly format: string;
}

export interface StoredEvent {
  readonly source: StoredSource;
  readonly kind: EventKind;
  readonly clock: ClockKind;
  readonly precision: Precision;
  /** ms UTC on `clock`. Precision `none`: the time of the record before it in its source. */
  readonly t?: number;
  readonly queue?: string;
  readonly job?: string;
  /** Id of the process row; 0 for Redis. */
  readonly process: number;
  readonly token?: string;
  readonly data: EventData;
  /** Place in a text source (`place.ts`: mostly the line), sequence part of a stream id. */
  readonly line: number;
  readonly offset: number;
}

/** A process identity as one source told it. */
export interface StoredProcess {
  readonly id: number;
  readonly source: StoredSource;
  readonly host?: string;
  readonly pid?: number;
  readonly name?: string;
  readonly container?: string;
}

/** One snapshot's view of a job. */
export interface StoredJobFacts {
  readonly source: StoredSource;
  readonly offset: number;
  readonly name?: string;
  readonly timestamp?: number;
  readonly processedOn?: number;
  readonly finishedOn?: number;
  readonly attemptsStarted?: number;
  readonly attemptsMade?: number;
  readonly stalledCounter?: number;
  readonly failedReason?: string;
  readonly hasHash: boolean;
  readonly states: readonly QueueSet[];
  /** Redis' clock, ms: when a delayed job is due. */
  readonly dueMs?: number;
  /** `token` is absent where a transcript asked only for the life of the lock. */
  readonly lock?: { readonly token?: string; readonly expiresAtMs?: number };
  /** There was no lock key: a whole snapshot holds none, or an answer of a transcript says so while the job was active. */
  readonly hasNoLock: boolean;
  /** Somebody asked for the lock and there was none; whether the job was active at that moment is not known. */
  readonly noLockSaid?: true;
  /** Somebody asked for the hash and there was none. */
  readonly noHashSaid?: true;
  /** Moment of the snapshot on Redis' clock, ms. */
  readonly momentMs?: readonly [number, number];
}

/** What the newest snapshot of a queue says of it as a whole, at its own moment. */
export interface QueueState {
  readonly source: StoredSource;
  /** Place of the queue's `meta`, or of its first set; -1 where there is none. */
  readonly offset: number;
  /** ms on Redis' clock, [earliest, latest]. */
  readonly momentMs: readonly [number, number];
  readonly held: Readonly<Partial<Record<QueueSet, number>>>;
  /** Jobs in active that have a lock, or may have one: only an RDB tells that there is none. */
  readonly locked: number;
  /** `meta.paused`; Bull's `meta-paused`. */
  readonly paused: boolean;
  /** A rate limit or a global concurrency holds jobs back by design. */
  readonly limited: boolean;
  /** When a worker last swept, on that worker's clock, ms (the value of `stalled-check`, which lives for one stalledInterval). */
  readonly lastSweepMs?: number;
  /** Redis' clock, ms: when a job of the queue last became active. */
  readonly lastActivationMs?: number;
  /** Answers of a transcript, which show what was asked and no more: that nothing is in active, and what else is here. */
  readonly isAsked?: true;
  /** A worker that CLIENT LIST shows to wait for jobs of the queue. */
  readonly connected?: { readonly address: string; readonly idleSeconds?: number; readonly offset: number };
}

/** A write to a key of the job that was asked for, with its place in an AOF, a MONITOR capture or a snapshot. */
export interface StoredWrite {
  readonly source: StoredSource;
  readonly write: JobWrite;
  readonly precision: Precision;
  /** ms on Redis' clock. Precision `none`: the last time that its source told before; absent: none was told yet. */
  readonly t?: number;
  /** The next time that its source tells, ms; only where the write has none of its own. */
  readonly beforeMs?: number;
  readonly line: number;
  readonly offset: number;
}

/** Everything the case holds about one job. */
export interface JobRecord {
  readonly queue?: string;
  readonly job: string;
  readonly summary: JobSummary;
  /** In order of time, then source, then place. */
  readonly events: readonly StoredEvent[];
  readonly facts: readonly StoredJobFacts[];
}
