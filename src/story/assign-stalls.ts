/** Which run a sweep ended: by Redis' record, and by the line of the worker that ran the sweep. */
import type { StoredEvent } from '../model/stored.js';
import { type Draft, isAtOrAfter } from './draft-run.js';
import { redisInterval } from './moments.js';
import type { Scene } from './scene.js';
import type { Stall } from './story.js';

/** `waiting` from active is a sweep's work, even where the `stalled` entry is missing, when a worker reported the stall just then. */
export function takeNoticedMovesAsStalls(runs: readonly Draft[], logs: readonly StoredEvent[], scene: Scene): void {
  const notices = logs.filter((event) => event.kind === 'stalled-notice');
  for (const run of runs) {
    const { moved } = run;
    if (moved?.kind !== 'waiting') continue;
    const near = run.lockLife.value / 4;
    const at = moved.t ?? 0;
    const notice = notices.find((event) => {
      const [low, high] = redisInterval(event, scene);
      return low - near <= at && at <= high + near;
    });
    if (notice === undefined) continue;
    delete run.moved;
    run.stall = { recorded: moved };
  }
}

/** Workers' `stalled` lines: told by the sweeper, they end the hold of the run before them. */
export function assignStalls(runs: readonly Draft[], logs: readonly StoredEvent[], scene: Scene): void {
  const notices = logs.filter((event) => event.kind === 'stalled-notice');
  const recorded = runs.filter((run) => run.stall?.recorded !== undefined);
  const inStream = runs.some((run) => run.activation !== undefined);
  notices.forEach((notice, n) => {
    const run = inStream ? recorded[n] : latestBegunBefore(runs, notice, scene);
    if (run === undefined) return;
    const stall: Stall = { ...run.stall, noticed: run.stall?.noticed ?? notice };
    run.stall = stall;
  });
}

/** A lock must run out before the sweep can take a job: the run whose lock had the time is meant, not one that began just then. */
function latestBegunBefore(runs: readonly Draft[], event: StoredEvent, scene: Scene): Draft | undefined {
  const begun = runs.filter(({ started, worker }) => {
    if (started === undefined) return false;
    if (worker !== undefined && worker === scene.workerOf(event)) return isAtOrAfter(event, started);
    return (event.t ?? 0) >= (started.t ?? 0);
  });
  return (
    begun.findLast(({ started, lockLife }) => (event.t ?? 0) - (started?.t ?? 0) >= lockLife.value) ?? begun.at(-1)
  );
}
