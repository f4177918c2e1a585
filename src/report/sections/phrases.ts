/** How runs, duplicates and ends are said in a sentence. A new member of the model that is missing here does not compile. */
import type { AffectedJob, Execution } from '../../model/analysis.js';
import { countText } from '../durations.js';

export const DUPLICATE_WORDS: Readonly<Record<AffectedJob['duplicate'], string>> = {
  overlapping: 'yes, at once',
  sequential: 'yes, in a row',
  possible: 'possibly',
  none: 'no',
  unknown: 'cannot tell',
};

export const HOW_WORDS: Readonly<Record<Execution['how'], string>> = {
  completed: 'completed',
  failed: 'failed',
  retried: 'put back for a retry',
  moved: 'moved by its handler',
  lost: 'lost its lock',
  running: 'was running at the end of the evidence',
  unknown: 'end not seen',
};

/** `ran twice at once`, for one job. */
export function duplicateText(job: AffectedJob, runs: number | undefined): string {
  switch (job.duplicate) {
    case 'overlapping':
      return runs === undefined || runs <= 2
        ? 'ran twice at once'
        : `ran ${countText(runs)} times, some of them at once`;
    case 'sequential':
      return runs === undefined || runs <= 2
        ? 'ran twice, one run after the other'
        : `ran ${countText(runs)} times, one run after the other`;
    case 'possible':
      return 'possibly ran twice';
    case 'unknown':
      return 'was affected (whether it ran twice cannot be told)';
    case 'none':
      if (runs === 0) return 'did not run';
      return (runs ?? 0) > 1 ? 'was affected and ran again only as planned' : 'was affected without a second run seen';
  }
}

/** Which runs reached their end: the refund question. */
export function endsText({ ended, executions }: Pick<AffectedJob, 'ended' | 'executions'>): string {
  const { atLeast, atMost } = ended;
  if (atLeast !== atMost) {
    const of = executions === undefined ? '' : ` of ${countText(executions)}`;
    return `at least ${countText(atLeast)} and at most ${countText(atMost)}${of} runs reached their end`;
  }
  if (executions === 2)
    return ['neither reached its end', 'one of the two reached its end', 'both reached their end'][atLeast] ?? '';
  if (executions === 1) return atLeast === 0 ? 'the run did not reach its end' : 'the run reached its end';
  const of = executions === undefined ? '' : ` of ${countText(executions)}`;
  return atLeast === 0 ? 'no run reached its end' : `${countText(atLeast)}${of} runs reached their end`;
}

/** `Job 5 of queue reports`. */
export function jobPhrase(job: { readonly queue?: string | undefined; readonly id: string }): string {
  return job.queue === undefined ? `Job ${job.id}` : `Job ${job.id} of queue ${job.queue}`;
}
