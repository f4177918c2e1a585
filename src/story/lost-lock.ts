/** How a run came to be refused: the distinctions that several rules share. */
import type { StoredEvent } from '../model/stored.js';
import { saysFinished } from './after-move.js';
import { midpoint, shortestBetween } from './interval.js';
import { isOneClock, redisInterval } from './moments.js';
import type { Scene } from './scene.js';
import { beginOf, type Run } from './story.js';

/**
 * The ledger shows the lock removed before it could expire: evicted, or deleted by a client or script. A deletion that an AOF
 * holds was one of a living key, whenever it was: Redis writes its own deletion of an expired key first.
 */
export function deletedEarly(run: Run): StoredEvent | undefined {
  return run.ledger.find(({ kind, data, t, precision }) => {
    if (kind !== 'lock-gone' || data.expiresAtMs === undefined || t === undefined) return false;
    if (data.ending === undefined || data.ending === 'expired') return false;
    // Times are cut to whole milliseconds.
    return precision === 'none' || precision === 's' || t < data.expiresAtMs - 1;
  });
}

/** The first failed renewal came while the lock, as far as it is known to have been renewed, could not have run out yet. */
export function lostBeforeExpiry(run: Run, scene: Scene): boolean {
  if (refusedWrites(run, scene)) return false;
  return run.ledger.some(({ kind }) => HELD.has(kind))
    ? failedWithinLife(run, scene)
    : cameBeforeExpiry(run.renewalErrors[0], run, scene) || lostWhileRenewing(run, scene);
}

const HELD: ReadonlySet<StoredEvent['kind']> = new Set(['lock-set', 'lock-renewed']);

/** By the last renewal that AOF or MONITOR show. */
function failedWithinLife({ renewalErrors: [first], ledger, lockLife }: Run, scene: Scene): boolean {
  if (first === undefined || ledger.some(({ kind, data }) => kind === 'lock-gone' && data.ending === 'expired'))
    return false;
  const held = ledger.filter(({ kind }) => HELD.has(kind)).map((event) => redisInterval(event, scene)[0]);
  return lockLife.basis !== 'assumed' && redisInterval(first, scene)[1] < Math.max(...held) + lockLife.value;
}

/**
 * Redis refused writes around the first failed renewal, or the link had been down within a lock's life: the lock may be there
 * all the same, or nobody could renew it.
 */
function refusedWrites(run: Run, scene: Scene): boolean {
  const [first] = run.renewalErrors;
  if (first === undefined) return false;
  const tick = run.lockLife.value / 4;
  const [low, high] = redisInterval(first, scene);
  return scene.workers.some(({ signs }) =>
    signs.some((event) => {
      if (event.kind !== 'redis-refused' && event.kind !== 'redis-lost') return false;
      const at = redisInterval(event, scene);
      return at[0] <= high + tick && at[1] >= low - (event.kind === 'redis-lost' ? run.lockLife.value : tick);
    }),
  );
}

/**
 * The renewal timer was ticking (errors come at every tick, less than half a life apart), and the process showed itself between
 * half a tick and half a life before the first error, with no long silence just before that: the tick in between had renewed
 * the lock, which cannot have run out since. A process that has only just woken up has renewed nothing.
 */
function lostWhileRenewing(run: Run, scene: Scene): boolean {
  const [first] = run.renewalErrors;
  const { worker, returned } = run;
  if (first?.t === undefined || worker === undefined) return false;
  if (first.precision === 's' || first.precision === 'none' || run.lockLife.basis === 'assumed') return false;
  const [half, halfTick] = [run.lockLife.value / 2, run.lockLife.value / 8];
  const firstMs = first.t;
  // A job whose handler has returned is renewed no more. One tick may be told of by two lines.
  if (returned?.source === first.source && returned.line < first.line) return false;
  if (!failsAtEveryTick(run)) return false;
  const wokeJustNow = worker.gaps.some(({ fromMs, toMs }) => fromMs < firstMs && toMs > firstMs - half);
  const ownSign = !wokeJustNow && beginOf(run).line < first.line && firstMs - (worker.firstMs ?? firstMs) > half;
  const at = redisInterval(first, scene);
  return (
    ownSign ||
    run.progress.some((event) => {
      const [low, high] = redisInterval(event, scene);
      return at[1] - low <= half && at[0] - high >= halfTick;
    })
  );
}

/**
 * Refusals that single versions gave after they had freed the lock: pending children (1.69.1 to 5.45.1), a job that is not in
 * active (6.2.0).
 */
export const FREED_BY_FINISH: ReadonlySet<StoredEvent['kind']> = new Set(['pending-children', 'not-in-state']);

/** Renewals fail one after another, as often as a living worker tries: its timer runs. */
export function failsAtEveryTick({ renewalErrors: [first, ...later], lockLife }: Run): boolean {
  if (first?.t === undefined) return false;
  const { source, t: firstMs } = first;
  return later.some(
    (error) =>
      error.source === source &&
      error.t !== undefined &&
      error.t - firstMs >= lockLife.value / 8 &&
      error.t - firstMs <= lockLife.value / 2,
  );
}

/** The finish was refused while the lock of the activation could not have run out yet. */
export const refusedBeforeExpiry = (run: Run, scene: Scene): boolean => cameBeforeExpiry(run.lockErrors[0], run, scene);

function cameBeforeExpiry(first: StoredEvent | undefined, run: Run, scene: Scene): boolean {
  if (first === undefined || run.lockLife.basis === 'assumed') return false;
  const begin = run.started?.source === first.source ? run.started : beginOf(run);
  const longest =
    isOneClock(begin, first, scene) && begin.precision !== 'none' && first.precision !== 'none'
      ? (first.t ?? 0) + (first.precision === 's' ? 999 : 0) - (begin.t ?? 0)
      : redisInterval(first, scene)[1] - redisInterval(begin, scene)[0];
  return longest < run.lockLife.value;
}

/**
 * A finish is sent at once after the return. A refusal that comes later than half a lock's life after it was held up on the
 * way, not refused because the handler took too long.
 */
const HELD_UP_OF_LOCK = 1 / 2;

/** The wait between return and refused finish, ms, when it is long enough to have cost the lock. */
export function waitedAfterReturn(run: Run, scene: Scene): number | undefined {
  const refusal = run.lockErrors[0];
  if (run.returned === undefined || refusal === undefined) return undefined;
  const wait =
    isOneClock(refusal, run.returned, scene) && refusal.t !== undefined && run.returned.t !== undefined
      ? refusal.t - run.returned.t - (run.returned.precision === 's' ? 999 : 0)
      : shortestBetween(redisInterval(run.returned, scene), redisInterval(refusal, scene));
  return wait > run.lockLife.value * HELD_UP_OF_LOCK ? wait : undefined;
}

/** ioredis waits at least this long before it reconnects and sends a command again (BullMQ's retryStrategy), ms. */
const RECONNECT_MS = 1000;

/**
 * Redis recorded the completion before the handler ended, so the handler did it. A reply that was lost instead needs a
 * reconnect between completion and refusal, and follows a return.
 */
export function finishedByHand(run: Run, scene: Scene): boolean {
  const refusal = run.lockErrors[0];
  if (run.completed === undefined || refusal === undefined || run.acknowledged || run.stall) return false;
  if (saysFinished(run)) return true;
  if (refusal.t === undefined) return false;
  const completed = redisInterval(run.completed, scene);
  const refused = redisInterval(refusal, scene);
  if (run.returned && redisInterval(run.returned, scene)[1] <= completed[0]) return false;
  return midpoint(refused) - midpoint(completed) < RECONNECT_MS;
}
