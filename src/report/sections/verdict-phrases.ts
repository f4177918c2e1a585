/**
 * Was it a fight over the job, a lock that ran out, or something else: how each boundary answers that, in a headline and in
 * the middle of a sentence. A boundary that is missing here does not compile; a cause may say it more exactly.
 */
import type { Finding } from '../../model/analysis.js';
import type { Boundary, Cause } from '../../model/boundaries.js';

export interface VerdictPhrase {
  /** Headline: what kind of incident this was. */
  readonly verdict: string;
  /** After "because", for one job and for several. */
  readonly because: string;
  /** What it was not, where the boundary itself says so; '' else. */
  readonly not: string;
}

const NO_FIGHT = 'not because two workers fought over the job';

const BOUNDARY_PHRASES: Readonly<Record<Boundary, VerdictPhrase>> = {
  enqueue: {
    verdict: 'work that was added twice, not a fight over a job',
    because: 'one piece of work was added more than once or under a reused id',
    not: 'not because two workers took one job',
  },
  pickup: {
    verdict: 'a job that was not picked up',
    because: 'no worker picked the job up',
    not: '',
  },
  'lock-renewal': {
    verdict: 'a lock that ran out, not a fight over the job',
    because: 'the lock ran out while the handler ran',
    not: NO_FIGHT,
  },
  'worker-exit': {
    verdict: 'a worker process that ended, not a fight over the job',
    because: 'the worker process ended in the middle of the handler',
    not: NO_FIGHT,
  },
  'return-to-ack': {
    verdict: 'an end that was not recorded, not a fight over the job',
    because: 'the handler had returned but Redis did not record the end',
    not: NO_FIGHT,
  },
  'progress-to-ack': {
    verdict: 'a handler that never ended, not a fight over the job',
    because: 'the handler never ended while its worker kept the lock',
    not: NO_FIGHT,
  },
  'step-transition': {
    verdict: 'a move made by the job itself, not a fight over the job',
    because: 'the handler itself had moved or finished the job before the worker did',
    not: NO_FIGHT,
  },
  'stalled-sweep': {
    verdict: 'a recovery that failed, not a fight over the job',
    because: 'the recovery of stalled jobs failed',
    not: NO_FIGHT,
  },
  'post-ack': {
    verdict: 'work after the acknowledgement, not a fight over the job',
    because: 'work done after the acknowledgement was cut short or fanned out',
    not: NO_FIGHT,
  },
  'manual-requeue': {
    verdict: 'a finished job that was put back, not a fight over the job',
    because: 'the job was put back into the queue after it had finished',
    not: NO_FIGHT,
  },
  'redis-loss': {
    verdict: 'a loss in Redis, not a lock that ran out',
    because: 'Redis lost, refused or rolled back what it had been told',
    not: 'not because a lock ran out',
  },
  none: {
    verdict: 'noise without a failure',
    because: 'a line looked alarming while nothing was lost or repeated',
    not: '',
  },
  undetermined: {
    verdict: 'not decided by this evidence',
    because: 'a boundary failed that this evidence does not tell',
    not: '',
  },
};

const CAUSE_PHRASES: Readonly<Partial<Record<Cause, Partial<VerdictPhrase>>>> = {
  'foreign-token': {
    verdict: 'a move with a token that was not the lock',
    because: 'code outside of the worker acted on the job with a token that was not its lock',
    not: 'not because a lock ran out',
  },
  'acknowledged-late': {
    verdict: 'an end that was recorded late, not a fight over the job',
    because: 'Redis recorded the end long after the handler had returned',
  },
  'reply-lost': {
    verdict: 'a reply that was lost, not a fight over the job',
    because: 'Redis recorded the end and its reply did not reach the worker',
  },
  'no-sweep-ran': {
    verdict: 'a job that no sweep took back, not a fight over the job',
    because: 'the job stood in active without a lock and no sweep took it back',
  },
  'stall-limit': {
    verdict: 'a stall limit that was reached, not a fight over the job',
    because: 'the job stalled more often than maxStalledCount allows',
  },
  'false-stall-verdict': {
    verdict: 'a job failed for stalling although it ended well',
    because: 'the job was failed for stalling although its handler ended well',
  },
  'lock-key-removed': {
    verdict: 'a lock that was removed, not a lock that ran out',
    because: 'the lock was removed from Redis before it could run out',
  },
  'job-key-removed': {
    verdict: 'a job that was removed while it ran',
    because: 'the job was removed from Redis while a run held it',
  },
  'writes-refused': {
    verdict: 'writes that Redis refused, not a lock that ran out by itself',
    because: 'Redis refused writes',
    not: '',
  },
  'redis-rollback': {
    verdict: 'a Redis that went back to an older state',
    because: 'Redis went back to an older state',
  },
};

/** What a finding says about the first question. */
export function verdictPhrase({ boundary, cause }: Pick<Finding, 'boundary' | 'cause'>): VerdictPhrase {
  return { ...BOUNDARY_PHRASES[boundary], ...CAUSE_PHRASES[cause] };
}

/** Headline of a finding, as sure as its status. */
export function verdictText(finding: Pick<Finding, 'boundary' | 'cause' | 'status'>): string {
  const { verdict } = verdictPhrase(finding);
  const hedges = { shown: '', likely: 'likely ', possible: 'possibly ', 'cannot-tell': 'cannot tell: perhaps ' };
  const sentence = finding.boundary === 'undetermined' ? verdict : hedges[finding.status] + verdict;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
