/** How a run came to be refused: the distinctions that several rules share. */
import type { StoredEvent } from '../model/stored.js';
import { saysFinished } from './after-move.js';
import { midpoint, shortestBetween } from './interval.js';
import { redisInterval } from './moments.js';
import type { Scene } from './scene.js';
import { beginOf, type Run } from './story.js';

/** The ledger shows the lock deleted before it could expire: by a client, or (an upper-case DEL of Redis' own) evicted. */
export function deletedEarly(run: Run): StoredEvent | undefined {
  return run.ledger.find((event) => {
    const { expiresAtMs, verb } = event.data;
    if (event.kind !== 'lock-gone' || expiresAtMs === undefined || event.t === undefined) return false;
    // Redis' own deletions come with or after the expiry; a millisecond is rounding.
    return event.t < expiresAtMs - 1 && (verb !== 'DEL' || event.precision !== 'none');
  });
}

/** The first failed renewal came while the lock of the activation could not have run out yet. */
export function lostBeforeExpiry(run: Run, scene: Scene): boolean {
  const first = run.renewalErrors[0];
  if (first === undefined || scene.lockDuration.basis === 'assumed') return false;
  const begin = run.started?.source === first.source ? run.started : beginOf(run);
  const longest =
    begin.source === first.source && begin.precision !== 'none' && first.precision !== 'none'
      ? (first.t ?? 0) + (first.precision === 's' ? 999 : 0) - (begin.t ?? 0)
      : redisInterval(first, scene)[1] - redisInterval(begin, scene)[0];
  return longest < scene.lockDuration.value;
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
    refusal.source === run.returned.source && refusal.t !== undefined && run.returned.t !== undefined
      ? refusal.t - run.returned.t - (run.returned.precision === 's' ? 999 : 0)
      : shortestBetween(redisInterval(run.returned, scene), redisInterval(refusal, scene));
  return wait > scene.lockDuration.value * HELD_UP_OF_LOCK ? wait : undefined;
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
  const completed = redisInterval(run.completed, scene);
  const refused = redisInterval(refusal, scene);
  if (run.returned && redisInterval(run.returned, scene)[1] <= completed[0]) return false;
  return midpoint(refused) - midpoint(completed) < RECONNECT_MS;
}
