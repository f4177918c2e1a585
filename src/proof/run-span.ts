/** How long a run lasted, where one clock tells it, and the records about its worker that fell into it. */
import { endSignOf } from '../model/end-signs.js';
import { EVENT_KINDS, type EventKind } from '../model/event.js';
import type { StoredEvent } from '../model/stored.js';
import { isOneClock, midpointOf } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import { beginOf, type Run } from '../story/story.js';

export interface Span {
  readonly begin: StoredEvent;
  readonly end: StoredEvent;
  readonly ms: number;
}

/** From activation to the end that Redis recorded, else from the first to the last line of the worker. */
export function spanOf(run: Run, scene: Scene): Span | undefined {
  const recorded = run.completed ?? run.failed ?? run.moved ?? run.stall?.recorded;
  const told = run.acknowledged ?? run.attemptFailed ?? run.returned ?? run.threw;
  return (
    between(run.activation, recorded) ??
    (run.started && told && isOneClock(run.started, told, scene) ? between(run.started, told) : undefined)
  );
}

function between(begin: StoredEvent | undefined, end: StoredEvent | undefined): Span | undefined {
  if (begin?.t === undefined || end?.t === undefined || begin.precision === 'none' || end.precision === 'none')
    return undefined;
  return { begin, end, ms: end.t - begin.t };
}

/** Redis recorded the end, or the worker said that it did. */
export const acknowledgementOf = (run: Run): StoredEvent | undefined =>
  run.completed ?? run.acknowledged ?? run.failed ?? run.attemptFailed;

export const ENDS_OF_PROCESS: readonly EventKind[] = EVENT_KINDS.filter((kind) => endSignOf(kind) !== undefined);

/** The first record of such a kind about the run's worker after `from`, its begin where absent, and before its end. */
export function signDuring(
  run: Run,
  kinds: readonly EventKind[],
  scene: Scene,
  from: StoredEvent = beginOf(run),
): StoredEvent | undefined {
  const end = acknowledgementOf(run) ?? run.stall?.recorded ?? run.moved;
  return run.worker?.signs.find(
    (sign) =>
      kinds.includes(sign.kind) && isInOrder(from, sign, scene) && (end === undefined || isInOrder(sign, end, scene)),
  );
}

/** Lines of one log by their place; records of two sources by their times, where both have one. */
function isInOrder(earlier: StoredEvent, later: StoredEvent, scene: Scene): boolean {
  if (earlier.source === later.source && earlier.clock !== 'redis') return earlier.line <= later.line;
  if (earlier.precision === 'none' || later.precision === 'none') return false;
  return midpointOf(earlier, scene) <= midpointOf(later, scene);
}
