/**
 * Logs without times have no order between two workers. What a job's life allows is left: the run that was acknowledged comes after
 * those that were not, since a completed job runs no more unless somebody puts it back.
 */
import type { Run } from './story.js';

type Numbered = Pick<Run, 'worker' | 'started' | 'activation' | 'acknowledged'> & { n: number };

/** Brings runs that no time orders into the order of their numbers; those of one worker keep theirs. */
export function orderBlindRuns(runs: Numbered[]): void {
  if (runs.some((run) => run.activation !== undefined || run.started?.t !== undefined)) return;
  if (new Set(runs.map((run) => run.worker)).size < 2) return;
  const [final, ...others] = runs.filter(
    (run) => run.acknowledged !== undefined && runs.findLast((other) => other.worker === run.worker) === run,
  );
  if (final === undefined || others.length > 0) return;
  runs.splice(runs.indexOf(final), 1);
  runs.push(final);
  for (const [index, run] of runs.entries()) run.n = index + 1;
}
