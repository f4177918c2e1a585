/**
 * Logs without times have no order between two workers. What a job's life allows is left: the run that was acknowledged comes after
 * those that were not, since a completed job runs no more unless somebody puts it back; a run that another's lock refused began
 * before that other one.
 */
import type { Run } from './story.js';

type Numbered = Pick<Run, 'worker' | 'started' | 'activation' | 'acknowledged' | 'lockErrors'> & { n: number };

/** Brings runs that no time orders into the order of their numbers; those of one worker keep theirs. */
export function orderBlindRuns(runs: Numbered[]): void {
  if (runs.some((run) => run.activation !== undefined || run.started?.t !== undefined)) return;
  if (new Set(runs.map((run) => run.worker)).size < 2) return;
  const lastOfWorkers = runs.filter((run) => runs.findLast((other) => other.worker === run.worker) === run);
  const acknowledged = lastOfWorkers.filter((run) => run.acknowledged !== undefined);
  const isRefused = (run: Numbered): boolean => run.lockErrors.some(({ kind }) => kind === 'lock-mismatch');
  const neverRefused = runs.some(isRefused) ? lastOfWorkers.filter((run) => !isRefused(run)) : [];
  const [final, ...others] = acknowledged.length > 0 ? acknowledged : neverRefused;
  if (final === undefined || others.length > 0) return;
  runs.splice(runs.indexOf(final), 1);
  runs.push(final);
  for (const [index, run] of runs.entries()) run.n = index + 1;
}
