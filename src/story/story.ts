/** The story of one job: its runs, and what happened between them. */
import type { JobRecord, StoredEvent } from '../model/stored.js';
import type { Known, WorkerProcess } from './scene.js';

/** A sweep took the job from whoever held it. */
export interface Stall {
  /** The stream entry. */
  readonly recorded?: StoredEvent;
  /** The sweeping worker's own line. Its worker is the sweeper, not the owner. */
  readonly noticed?: StoredEvent;
}

/** One run of the handler. At least one of `activation` and `started` is known. */
export interface Run {
  /** 1 for the first run of the job. */
  readonly n: number;
  readonly worker?: WorkerProcess;
  readonly token?: string;
  /** The life that its worker gives a lock, ms. */
  readonly lockLife: Known;
  readonly activation?: StoredEvent;
  readonly started?: StoredEvent;
  readonly returned?: StoredEvent;
  readonly threw?: StoredEvent;
  /** The worker's own `completed` event. */
  readonly acknowledged?: StoredEvent;
  /** The worker's own `failed` event: a recorded failure of this attempt. */
  readonly attemptFailed?: StoredEvent;
  /** Redis' record of the end. */
  readonly completed?: StoredEvent;
  readonly failed?: StoredEvent;
  /** `delayed`, `waiting-children` or `waiting` by the own run, as Redis recorded it. */
  readonly moved?: StoredEvent;
  /** The handler's line that it moved or finished the job. */
  readonly movedLine?: StoredEvent;
  readonly lockErrors: readonly StoredEvent[];
  readonly renewalErrors: readonly StoredEvent[];
  /** Finishes of this run that Redis refused, as MONITOR saw it: the same refusals, to the microsecond. */
  readonly refusals: readonly StoredEvent[];
  /** Records of this run's lock in AOF or MONITOR, in order. */
  readonly ledger: readonly StoredEvent[];
  readonly progress: readonly StoredEvent[];
  /** Other lines of this run. */
  readonly lines: readonly StoredEvent[];
  /** The sweep that ended this run's hold on the job. */
  readonly stall?: Stall;
}

/** An activation that never ran the handler. */
export interface BareActivation {
  readonly activation: StoredEvent;
  readonly why: 'stall-limit' | 'dropped-at-close';
  readonly failed?: StoredEvent;
  /** `dropped-at-close`: the sweep that took it back, the worker that fetched it and its closing line. */
  readonly stalled?: StoredEvent;
  readonly worker?: WorkerProcess;
  readonly closing?: StoredEvent;
}

export interface Story {
  readonly queue?: string;
  readonly job: string;
  readonly name?: string;
  /** Its events stand once each, however many sources tell of them. */
  readonly record: JobRecord;
  /** Of events that several sources tell, the other records. */
  readonly alsoTold: ReadonlyMap<StoredEvent, readonly StoredEvent[]>;
  readonly runs: readonly Run[];
  readonly bareActivations: readonly BareActivation[];
  /** `waiting` with prev completed or failed: somebody put a finished job back. */
  readonly requeues: readonly StoredEvent[];
  /** `added` behind an end of the job: its id was free again, and another job took it (see lives.ts). */
  readonly rebirths: readonly StoredEvent[];
  readonly removed?: StoredEvent;
  /** The job was failed for stalling or starting too often, by Redis' record or else by a worker's line. */
  readonly stallVerdict?: StoredEvent;
  /** `progress` recorded after a later run began or the job ended. */
  readonly lateProgress: readonly StoredEvent[];
  readonly outcome: 'completed' | 'failed' | 'active' | 'waiting' | 'delayed' | 'removed' | 'unknown';
}

/** The first record of a run. */
export const beginOf = (run: Run): StoredEvent => {
  const first = run.started ?? run.activation;
  if (first === undefined) throw new Error('a run has neither a start nor an activation');
  return first;
};

/** The handler's own end, as far as its records show: its return, its throw, or the refused finish that follows one. */
export const endOf = (run: Run): StoredEvent | undefined =>
  run.returned ??
  run.threw ??
  run.lockErrors[0] ??
  run.acknowledged ??
  run.attemptFailed ??
  run.completed ??
  run.failed;

/** The last sign of life of a run: what Redis and others recorded about its end is none. */
export const lastSignOf = (run: Run): StoredEvent => {
  const signs = [
    run.activation,
    run.started,
    ...run.progress,
    ...run.lines,
    ...run.renewalErrors,
    ...run.ledger.filter((event) => event.kind === 'lock-renewed'),
    run.movedLine,
    run.returned,
    run.threw,
    run.acknowledged,
    run.attemptFailed,
    ...run.lockErrors,
  ].filter((event) => event !== undefined);
  return signs.reduce((latest, event) => ((event.t ?? 0) >= (latest.t ?? 0) ? event : latest), beginOf(run));
};

/**
 * A record that the handler reached its end: the question of refunds. A refused finish follows an end, too: with
 * handleCompleted in the stack, or twice in a row (5.61 and later tell it once for the completion and once for the failure
 * that it became; a handler that threw is told once).
 */
export const reachedEnd = (run: Run): boolean =>
  run.returned !== undefined ||
  run.acknowledged !== undefined ||
  run.completed !== undefined ||
  (run.threw === undefined && refusedReturn(run.lockErrors));

function refusedReturn(errors: readonly StoredEvent[]): boolean {
  const own = errors.filter((error) => error.data.frame !== 'user');
  return own.some((error) => error.data.frame === 'handle-completed') || own.length > 1;
}

/** The attempt ended in a failure that was recorded: a later run is a retry by policy, not a duplicate. */
export const failedForTheRecord = (run: Run): boolean =>
  run.lockErrors.length === 0 &&
  run.stall === undefined &&
  (run.attemptFailed !== undefined || run.failed !== undefined || (run.threw !== undefined && !reachedEnd(run)));
