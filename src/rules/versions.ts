/**
 * Advice that depends on the version of BullMQ: what exists, what was mended, what a worker does by itself. Where the evidence
 * shows the version it says the one thing, else both.
 *
 * Versions: the changes in BullMQ's own history that made them (first tag with the commit).
 */
import { isSince } from '../story/version-of.js';

interface VersionedAdvice {
  readonly since: string;
  /** For that version and later; absent: nothing needs to be said there. */
  readonly from?: string;
  readonly before: string;
}

/** One or two pieces of advice; none where the version seen needs none. */
export function forVersion(version: string | undefined, { since, from, before }: VersionedAdvice): string[] {
  const known = isSince(version, since);
  const seen = ` (the evidence shows BullMQ ${version})`;
  if (known === true) return from === undefined ? [] : [`${from.replace(/\.$/, '')}${seen}.`];
  if (known === false) return [`${before.replace(/\.$/, '')}${seen}.`];
  return [`BullMQ before ${since}: ${before}`, ...(from === undefined ? [] : [`From BullMQ ${since} on: ${from}`])];
}

export const DEDUPLICATE: VersionedAdvice = {
  since: '5.11.0',
  from: 'Add the job with an id made of the idempotency key (jobId), or with the deduplication option (debounce in the first versions), so that the second add finds the first.',
  before:
    'Add the job with an id made of the idempotency key (jobId), and keep completed jobs for longer than a producer repeats itself; these versions have no deduplication option.',
};

export const ONE_SCHEDULER: VersionedAdvice = {
  since: '5.34.6',
  from: 'Register the scheduler in one place, and remove it before its id or kind changes.',
  before:
    'Upgrade: these versions leave several jobs of one scheduler behind where upsertJobScheduler is called again and again, as in a crash loop.',
};

export const STOP_THE_LOSER: VersionedAdvice = {
  since: '5.64.0',
  from: 'On the worker event lockRenewalFailed call worker.cancelJob(id), and let the processor heed its AbortSignal (third argument): by itself a run that lost its lock goes on.',
  before:
    'A run that lost its lock goes on and nothing can stop it: before an effect that must not be done twice ask job.extendLock(token, lockDuration), which gives 0 once the lock is lost.',
};

export const RENEWAL_IS_TOLD: VersionedAdvice = {
  since: '5.33.0',
  before:
    'A renewal that finds no lock leaves no line in these versions: log the elapsed time of long handlers yourself.',
};

export const WAIT_FOR_CHILDREN_FIRST: VersionedAdvice = {
  since: '5.45.2',
  before: 'Upgrade: from 5.45.2 on the children are looked at before the lock is deleted.',
};

export const CLOSE_RENEWS: VersionedAdvice = {
  since: '4.12.8',
  before:
    'Upgrade: these versions stop renewing locks when close() begins, so a job that outlives lockDuration is lost although the worker waits for it.',
};

export const CLOSE_IS_MUTE: VersionedAdvice = {
  since: '5.61.2',
  from: 'A closing or paused worker logs no lock error: log the return of each handler, or a loss during a shutdown leaves no line.',
  before: 'Keep the worker’s `error` events in the log: they tell of a finish that was refused during a shutdown.',
};

export const FETCH_AT_CLOSE: VersionedAdvice = {
  since: '5.56.7',
  before: 'Upgrade: from 5.56.7 on close() waits for jobs that are being fetched.',
};

export const CHILD_LOST: VersionedAdvice = {
  since: '5.34.4',
  before: 'Upgrade: these versions leave such a job in active for ever.',
};

export const SWEEPER: VersionedAdvice = {
  since: '2.0.0',
  from: 'Keep at least one worker of the queue alive that runs the stalled check (skipStalledCheck must be off).',
  before: 'Keep a QueueScheduler of the queue alive: in these versions it runs the stalled check, not the worker.',
};

export const PROMOTER: VersionedAdvice = {
  since: '2.0.0',
  from: 'Start a worker of the queue: the workers promote delayed jobs.',
  before: 'Start a QueueScheduler of the queue: in these versions it promotes delayed jobs, not the worker.',
};

export const POISON_JOB: VersionedAdvice = {
  since: '5.59.0',
  from: 'The job ends its workers: bound its runs with the worker option maxStartedAttempts, and look at its data.',
  before:
    'The job ends its workers: keep maxStalledCount low, which is all that bounds its runs here, and look at its data.',
};

const DELAYED_ERROR: VersionedAdvice = {
  since: '3.10.2',
  from: 'After moveToDelayed(timestamp, token) throw new DelayedError(). A plain return makes the worker finish the job again.',
  before:
    'Upgrade to 3.10.2 or later and throw new DelayedError() after moveToDelayed(timestamp, token); here a plain return is refused, and the job runs again at its time all the same.',
};

const WAITING_ERROR: VersionedAdvice = {
  since: '5.55.0',
  from: 'After moveToWait(token) throw new WaitingError(). A plain return makes the worker finish the job again.',
  before:
    'These versions have no WaitingError: use moveToDelayed(Date.now(), token) and throw new DelayedError() instead of moveToWait and a return.',
};

const CHILDREN_ERROR =
  'When moveToWaitingChildren(token) gave true throw new WaitingChildrenError(). A plain return makes the worker finish the job again.';

/** The special error to leave with after a move; `to`: where the job was moved, absent where that is not told. */
export function leaveWith(to: string | undefined, version: string | undefined): string[] {
  if (to === 'delayed') return forVersion(version, DELAYED_ERROR);
  if (to === 'waiting') return forVersion(version, WAITING_ERROR);
  if (to === 'waiting-children') return [CHILDREN_ERROR];
  return [
    ...(isSince(version, DELAYED_ERROR.since) === false ? [DELAYED_ERROR.before] : [DELAYED_ERROR.from ?? '']),
    CHILDREN_ERROR,
    ...forVersion(version, WAITING_ERROR),
  ];
}
