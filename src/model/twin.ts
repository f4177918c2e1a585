/** Two jobs that seem to be one piece of work. */
import type { StoredEvent, StoredJobFacts } from './stored.js';

/**
 * - `same-key`: logs name one idempotency key for both;
 * - `same-schedule`: two schedulers of one name, schedule and payload made both for one slot;
 * - `same-scheduler`: one scheduler had both at once, and it makes the next only when the last begins.
 *
 * The order is the code in the case file: append only.
 */
export const TWIN_KINDS = ['same-key', 'same-schedule', 'same-scheduler'] as const;
export type TwinKind = (typeof TWIN_KINDS)[number];

/** The other job, with its first records of each kind. */
export interface Twin {
  readonly kind: TwinKind;
  readonly job: string;
  readonly added?: StoredEvent;
  readonly began?: StoredEvent;
  /** The first that names the idempotency key. */
  readonly keyed?: StoredEvent;
  /** `completed`, `acknowledged`, `failed` or, where there is none of them, `attempt-failed`. */
  readonly ended?: StoredEvent;
  /** A snapshot that holds it in a set of the queue. */
  readonly seen?: StoredJobFacts;
}

/** Under which the twins of a job stand in the scene. */
export const twinKey = (queue: string | undefined, job: string): string => JSON.stringify([queue, job]);
