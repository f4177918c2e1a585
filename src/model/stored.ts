/** What the case file gives back: evidence with its place, ready for the story. */
import type { ClockKind, EventData, EventKind, Precision } from './event.js';
import type { QueueSet } from './fact.js';
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
  /** Line of a text source, sequence part of a stream id. */
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
  readonly maxAttempts?: number;
  readonly processedBy?: string;
  readonly failedReason?: string;
  readonly deferredFailure?: string;
  readonly hasHash: boolean;
  readonly states: readonly QueueSet[];
  readonly lock?: { readonly token: string; readonly expiresAtMs?: number };
  /** Moment of the snapshot on Redis' clock, ms. */
  readonly momentMs?: readonly [number, number];
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
