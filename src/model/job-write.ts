/**
 * One write to a key of the job that was asked for with `--at`, as an append-only file, a MONITOR capture or a snapshot
 * shows it. Played back in order they give the job's keys as Redis held them at a moment.
 *
 * Only these are exact enough for that: an event says that a job became active, a write says which field got which value.
 * There are as many as the job's history is long, so they are read for one job only, and only when somebody asks.
 */
import type { QueueSet } from './fact.js';

/** The job's hash, its lock, or a list or set of its queue, of which only the job's own membership counts. */
export type JobKey = 'hash' | 'lock' | QueueSet;

export type Write =
  /**
   * The source was read for this job. `all`: it holds everything from an empty database or a whole snapshot on; `rest`: what
   * stood there before it begins is not in it.
   */
  | { readonly op: 'asked'; readonly from: 'all' | 'rest' }
  /** Fields of the hash. `null`: the value is left out of reports (data, return values, payloads of progress). */
  | { readonly op: 'set'; readonly fields: Readonly<Record<string, string | null>>; readonly created?: true }
  | { readonly op: 'add'; readonly field: string; readonly by: number }
  | { readonly op: 'unset'; readonly fields: readonly string[] }
  /** `aboutMs`: the expiry may lie so much earlier or later. Without an expiry the lock stays. */
  | { readonly op: 'lock'; readonly token: string; readonly expiresAtMs?: number; readonly aboutMs?: number }
  | { readonly op: 'lock-expiry'; readonly expiresAtMs?: number; readonly aboutMs?: number }
  | { readonly op: 'gone'; readonly key: JobKey }
  | { readonly op: 'into'; readonly set: QueueSet; readonly score?: number }
  | { readonly op: 'out'; readonly set: QueueSet }
  /** Something was taken out of the set, perhaps into another, and nothing says whether it was this job. */
  | { readonly op: 'maybe-out'; readonly set: QueueSet; readonly to?: QueueSet; readonly command: string }
  /** All of one list became another, or something else. */
  | { readonly op: 'renamed'; readonly set: QueueSet; readonly to?: QueueSet }
  /** A command whose effect on the key the source does not show. */
  | { readonly op: 'unclear'; readonly key: JobKey; readonly command: string }
  /** All keys of a database, or of every database. */
  | { readonly op: 'flush'; readonly ofDb?: number }
  /**
   * A log that was rewritten without a snapshot begins with commands that make the state of that moment. Everything before
   * this place is such a state, not a history.
   */
  | { readonly op: 'rewritten' }
  /** Commands are missing here. */
  | { readonly op: 'gap'; readonly what: string };

export type JobWrite = Write & {
  /** Number of the database; absent: 0, or not known. */
  readonly db?: number;
  /** Place of the first command of its script or transaction, all of which took effect at once. */
  readonly group: number;
};
