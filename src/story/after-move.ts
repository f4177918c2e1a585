/**
 * What a handler did after it moved its job itself (moveToDelayed, moveToWaitingChildren, moveToWait).
 *
 * Leaving at once with the special error is right and silent. A plain return is refused by Redis within moments; a handler
 * that goes on leaves progress, lines or a late end behind the move.
 */
import type { StoredEvent } from '../model/stored.js';
import { type Interval, longestBetween, midpoint, shortestBetween, surelyBefore } from './interval.js';
import { isOneClock, redisInterval } from './moments.js';
import type { Scene } from './scene.js';
import type { Run, Story } from './story.js';

export interface AfterMove {
  readonly move: StoredEvent;
  /** `unclear`: the times are too coarse to tell. */
  readonly how: 'returned' | 'continued' | 'unclear';
  /** The record that shows it. */
  readonly shownBy: StoredEvent;
}

/**
 * "Within moments": a return reaches Redis in milliseconds; a twentieth of the lock's life leaves room for a slow network
 * and stays far below the first renewal (a quarter of it).
 */
const MOMENTS_OF_LOCK = 1 / 20;

/** Undefined when the run did not move its job, or left with the special error. */
export function afterMove(run: Run, story: Story, scene: Scene): AfterMove | undefined {
  const move = run.moved ?? (saysFinished(run) ? undefined : run.movedLine);
  if (move === undefined || run.attemptFailed !== undefined) return undefined;
  const movedAt = redisInterval(move, scene);
  const nextBegin = story.runs.find((other) => other.n > run.n && other.activation)?.activation;
  const told = run.lockErrors.find((error) => !surelyBefore(redisInterval(error, scene), movedAt));
  const seen = run.refusals.find((refusal) => !surelyBefore(redisInterval(refusal, scene), movedAt));
  const refused = told && (told.precision === 's' || told.precision === 'none') ? (seen ?? told) : told;

  const zombieProgress = story.lateProgress.find(
    (event) =>
      run.moved !== undefined && isAfter(event, run.moved) && (nextBegin === undefined || isAfter(nextBegin, event)),
  );
  if (zombieProgress && refused) return { move, how: 'continued', shownBy: zombieProgress };
  if (refused === undefined) return undefined;

  const moments = run.lockLife.value * MOMENTS_OF_LOCK;
  const late = [run.returned, ...run.progress, ...run.lines].find(
    (event) => event !== undefined && redisInterval(event, scene)[0] - movedAt[1] > moments,
  );
  if (late) return { move, how: 'continued', shownBy: late };
  const refusedAt = redisInterval(refused, scene);
  const [least, most] = isOneClock(move, refused, scene)
    ? ownTimeBetween(move, refused)
    : [shortestBetween(movedAt, refusedAt), longestBetween(movedAt, refusedAt)];
  const how =
    least > moments
      ? 'continued'
      : most <= moments || (refused.precision !== 's' && midpoint(refusedAt) - midpoint(movedAt) <= moments)
        ? 'returned'
        : 'unclear';
  return { move, how, shownBy: refused };
}

/** The time between two lines of one clock, at least and at most, ms. */
function ownTimeBetween(a: StoredEvent, b: StoredEvent): Interval {
  if (a.t === undefined || b.t === undefined || a.precision === 'none' || b.precision === 'none')
    return [0, Number.POSITIVE_INFINITY];
  const coarse = (event: StoredEvent): number => (event.precision === 's' ? 999 : 0);
  return [b.t - a.t - coarse(a), b.t - a.t + coarse(b)];
}

/** The handler's line says that it finished the job by hand: an end, not a move. */
export const saysFinished = (run: Run): boolean => run.movedLine?.data.command === 'moveToFinished';

const isAfter = (a: StoredEvent, b: StoredEvent): boolean =>
  (a.t ?? 0) > (b.t ?? 0) || (a.t === b.t && a.clock === b.clock && a.line > b.line);
