/**
 * Was the work done twice: the question the postmortem is written for.
 *
 * `overlapping`: two runs at once. `sequential`: a later run began although an earlier one, which was no recorded failure,
 * had died or ended. Retries by policy and steps are `none`. Where the order of two hosts rests on clocks that are only
 * assumed to agree, the verdict is `possible`.
 */
import type { Duplicate } from '../model/analysis.js';
import type { StoredEvent } from '../model/stored.js';
import { afterMove } from './after-move.js';
import { type Interval, midpoint, surelyBefore } from './interval.js';
import { lifeOf } from './lives.js';
import { waitedAfterReturn } from './lost-lock.js';
import { isOneClock, redisInterval } from './moments.js';
import { processEnd } from './process-end.js';
import type { Scene } from './scene.js';
import { beginOf, endOf, failedForTheRecord, lastSignOf, type Run, reachedEnd, type Story } from './story.js';

export interface DuplicateVerdict {
  readonly duplicate: Duplicate;
  readonly overlapMs?: number;
  readonly ended: { readonly atLeast: number; readonly atMost: number };
  readonly progressRegressed?: true;
}

/** Judges all pairs of an earlier and a later run. */
export function judgeDuplicate(story: Story, scene: Scene): DuplicateVerdict {
  // A refused finish alone may follow a move that no record shows; with a stall it follows work that was done.
  const sure = (run: Run): boolean =>
    Boolean(run.returned ?? run.acknowledged ?? run.completed) ||
    run.stall !== undefined ||
    afterMove(run, story, scene) !== undefined;
  const done = (run: Run): boolean =>
    reachedEnd(run) && sure(run) && !['returned', 'unclear'].includes(afterMove(run, story, scene)?.how ?? '');
  const atLeast = story.runs.filter(done).length;
  const open = story.runs.filter(
    (run) => !done(run) && run.moved === undefined && (endOf(run) === undefined || (reachedEnd(run) && !sure(run))),
  );
  const ended = { atLeast, atMost: atLeast + open.length };
  let verdict: DuplicateVerdict = { duplicate: 'none', ended };
  for (const earlier of story.runs) {
    if (failedForTheRecord(earlier) || leftAsStep(earlier, story, scene)) continue;
    const life = lifeOf(earlier, story, scene);
    for (const later of story.runs.slice(earlier.n)) {
      // The next life of an id is another job.
      if (lifeOf(later, story, scene) !== life) break;
      // Whether the run did its work after the move or left at once is not told: neither is whether the work was done twice.
      const unclear = afterMove(earlier, story, scene)?.how === 'unclear';
      const pair = unclear ? { duplicate: 'possible' as const } : comparePair(earlier, later, scene);
      if (RANK[pair.duplicate] > RANK[verdict.duplicate]) verdict = { ...verdict, ...pair };
      if (regressed(earlier, later)) verdict = { ...verdict, progressRegressed: true };
    }
  }
  return verdict;
}

const RANK: Readonly<Record<Duplicate, number>> = { none: 0, unknown: 1, possible: 2, sequential: 3, overlapping: 4 };

/** The run moved its job and did nothing more, or ended without a sign that it was refused. */
function leftAsStep(run: Run, story: Story, scene: Scene): boolean {
  if (run.stall !== undefined) return false;
  const after = afterMove(run, story, scene);
  if (after) return after.how === 'returned' || !reachedEnd(run);
  if (run.moved ?? run.movedLine) return true;
  // A second start with neither stall notice, error nor process end between is a step until proven otherwise.
  return (
    run.lockErrors.length === 0 &&
    run.completed === undefined &&
    !reachedEnd(run) &&
    processEnd(run, scene) === undefined
  );
}

function comparePair(earlier: Run, later: Run, scene: Scene): { duplicate: Duplicate; overlapMs?: number } {
  const begin = redisInterval(later.started ?? beginOf(later), scene);
  const end = endOf(earlier);
  const sameWorker = earlier.worker !== undefined && earlier.worker === later.worker;
  // A mismatch says that another token held the lock when the earlier run tried to finish: no clock is needed.
  const mismatch = earlier.lockErrors.some((error) => error.kind === 'lock-mismatch');
  if (end === undefined) {
    if (processEnd(earlier, scene) !== undefined) return { duplicate: 'sequential' };
    return { duplicate: earlier.stall || lastSignOf(earlier) !== beginOf(earlier) ? 'possible' : 'unknown' };
  }
  const ended = redisInterval(end, scene);
  const overlap = (): { overlapMs?: number } => {
    const laterEnd = endOf(later);
    const until = Math.min(midpoint(ended), laterEnd ? midpoint(redisInterval(laterEnd, scene)) : midpoint(ended));
    const lasted = Math.round(until - midpoint(begin));
    const blur = Math.max(
      ended[1] - ended[0],
      begin[1] - begin[0],
      laterEnd ? widthOf(redisInterval(laterEnd, scene)) : 0,
    );
    // Times to the second, or clocks known only roughly, give no length worth printing.
    return lasted > 0 && blur <= lasted * BLUR_OF_OVERLAP ? { overlapMs: lasted } : {};
  };
  if (sameWorker && later.started && end.source === later.started.source)
    return end.line > later.started.line ? { duplicate: 'overlapping', ...overlap() } : { duplicate: 'sequential' };
  // A handler that had returned, or a finish that a lost connection held up, was not at work when it was refused.
  const heldUp = earlier.worker?.signs.some((event) => event.kind === 'redis-lost' && isWithin(event, earlier, end));
  if (mismatch && waitedAfterReturn(earlier, scene) === undefined)
    return heldUp && !earlier.returned && !earlier.threw
      ? { duplicate: 'possible' }
      : { duplicate: 'overlapping', ...overlap() };
  // Redis recorded the one's own end before it made the job active again: no clock of a worker is asked.
  if (earlier.completed && earlier.lockErrors.length === 0 && later.activation) {
    const recorded = redisInterval(earlier.completed, scene);
    if (isAtMost(recorded, redisInterval(later.activation, scene))) return { duplicate: 'sequential' };
  }
  if (stillRunning(earlier, end, later, scene)) return { duplicate: 'overlapping', ...overlap() };
  const clocksKnown = ordered(earlier, later, scene);
  if (surelyBefore(begin, ended)) return { duplicate: clocksKnown ? 'overlapping' : 'possible', ...overlap() };
  if (surelyBefore(ended, begin) || isAtMost(ended, begin))
    return { duplicate: clocksKnown ? 'sequential' : 'possible' };
  return { duplicate: 'possible' };
}

/** An overlap is given in milliseconds only where its bounds are known to a tenth of it. */
const BLUR_OF_OVERLAP = 1 / 10;
const widthOf = ([low, high]: Interval): number => high - low;

/**
 * The earlier run was still going when Redis made the job active again, by its own measure: it began no sooner than its
 * activation, and lasted so long on its own clock. No clock is compared with another.
 */
function stillRunning(earlier: Run, end: StoredEvent, later: Run, scene: Scene): boolean {
  const { activation, started } = earlier;
  const timed =
    started?.t !== undefined && end.t !== undefined && started.precision !== 'none' && end.precision !== 'none';
  if (!timed || activation?.t === undefined || later.activation?.t === undefined) return false;
  if (end.clock === 'redis' || !isOneClock(started, end, scene)) return false;
  const coarse = started.precision === 's' ? 999 : 0;
  return activation.t + (end.t - started.t - coarse) > later.activation.t;
}

/** A line of the run's own log after its begin and before its end. */
const isWithin = (event: StoredEvent, run: Run, end: StoredEvent): boolean =>
  event.source === end.source && event.line < end.line && (event.t ?? 0) >= (beginOf(run).t ?? 0);

const isAtMost = (a: Interval, b: Interval): boolean => a[1] <= b[0];

/** The order of the two runs does not rest on clocks that are only assumed to agree. */
function ordered(earlier: Run, later: Run, scene: Scene): boolean {
  const end = endOf(earlier);
  const clocks = [end, later.started ?? later.activation]
    .filter((event) => event !== undefined && event.clock !== 'redis')
    .map((event) => (event ? scene.workerOf(event) : undefined));
  const hosts = new Set(clocks.map((worker) => worker?.host ?? worker?.id));
  if (clocks.length === 2 && hosts.size === 1) return true;
  return clocks.every((worker) => worker?.offsetBasis === 'pairs');
}

/** A run that began from an earlier checkpoint than the last one recorded before it. */
function regressed(earlier: Run, later: Run): boolean {
  const numbers = (run: Run): number[] =>
    run.progress.map((event) => event.data.progress).filter((value): value is number => typeof value === 'number');
  const first = numbers(later)[0];
  return first !== undefined && numbers(earlier).some((value) => value > first);
}
