/** Brings the handler starts that workers logged together with the activations that Redis recorded. */
import type { StoredEvent } from '../model/stored.js';
import { midpoint } from './interval.js';
import { redisInterval } from './moments.js';
import type { Activation } from './read-stream.js';
import type { Scene, WorkerProcess } from './scene.js';
import { lockDurationOf } from './settings-of.js';

export interface Pairing {
  readonly activation?: Activation;
  /** Several lines may announce one start: "picked up", then "processing". The first counts. */
  readonly started?: StoredEvent;
}

/** A start line may be printed this much before the activation it follows, because both clocks round, ms. */
const ROUNDING_MS = 2;

/**
 * Start lines of one worker that follow at once, with no other record of the job between them, announce one run. `between` are the job's records
 * that end or interrupt a run.
 */
function mergeAnnouncements(
  starts: readonly StoredEvent[],
  between: readonly StoredEvent[],
  scene: Scene,
): StoredEvent[] {
  const merged: StoredEvent[] = [];
  for (const start of starts) {
    const worker = scene.workerOf(start);
    const previous = merged.findLast((other) => scene.workerOf(other) === worker);
    const apart =
      previous === undefined ||
      (start.t ?? 0) - (previous.t ?? 0) > lockDurationOf({ worker }, scene).value / 2 ||
      between.some((event) => {
        const t = event.t ?? 0;
        if (event.source === start.source) return event.line > previous.line && event.line < start.line;
        return event.clock === 'redis'
          ? t > redisInterval(previous, scene)[0] && t < redisInterval(start, scene)[1]
          : t > (previous.t ?? 0) && t < (start.t ?? 0);
      });
    if (apart) merged.push(start);
  }
  return merged;
}

/** Pairs in the order of the runs. A start without an activation stands alone (trimmed stream, no stream), and so does an activation. */
export function matchStarts(
  activations: readonly Activation[],
  starts: readonly StoredEvent[],
  between: readonly StoredEvent[],
  scene: Scene,
): Pairing[] {
  // Lines without any time have no order between two workers: a guess would name the wrong one.
  const blind = starts.some((start) => start.t === undefined);
  if (blind && activations.length + starts.length > 2 && new Set(starts.map((start) => scene.workerOf(start))).size > 1)
    return activations.map((activation) => ({ activation }));
  const byTime = [...starts].sort((a, b) => midpoint(redisInterval(a, scene)) - midpoint(redisInterval(b, scene)));
  const announced = activations.length === byTime.length ? byTime : mergeAnnouncements(byTime, between, scene);
  const holderOf = ({ active }: Activation): WorkerProcess | undefined => scene.workerOf(active);
  // Within one second two workers have no order, unless tokens tell which of them was given the job first.
  const isOpen = byTime.some((start, n) => {
    const before = byTime[n - 1];
    if (before?.t !== start.t || start.precision !== 's') return false;
    return before !== undefined && scene.workerOf(before) !== scene.workerOf(start);
  });
  if (isOpen && activations.length > 1 && !activations.every(holderOf))
    return activations.map((activation) => ({ activation }));
  /** A handler does not start when its activation was already taken back, nor on another worker than the one that was given the job. */
  const fits = (activation: Activation, start: StoredEvent | undefined): boolean => {
    if (start === undefined) return true;
    const { stalled } = activation;
    if (stalled?.t !== undefined && redisInterval(start, scene)[0] > stalled.t) return false;
    const [holder, starter] = [holderOf(activation), scene.workerOf(start)];
    // A holder without a log of its own may be the starter by another name.
    return holder?.lastLine === undefined || starter === undefined || holder === starter;
  };
  if (activations.length === announced.length && activations.every((activation, n) => fits(activation, announced[n])))
    return activations.map((activation, n) => {
      const started = announced[n];
      return { activation, ...(started ? { started } : {}) };
    });

  const taken = new Map<Activation, StoredEvent>();
  const alone: StoredEvent[] = [];
  for (const start of announced) {
    const latest = redisInterval(start, scene)[1] + ROUNDING_MS;
    const free = activations.filter((a) => (a.active.t ?? 0) <= latest && !taken.has(a) && fits(a, start));
    const slot = free.at(-1);
    if (slot) taken.set(slot, start);
    else alone.push(start);
  }
  const pairs: Pairing[] = activations.map((activation) => {
    const started = taken.get(activation);
    return { activation, ...(started ? { started } : {}) };
  });
  const placeOf = (pair: Pairing): number =>
    pair.activation?.active.t ?? (pair.started ? midpoint(redisInterval(pair.started, scene)) : 0);
  return [...pairs, ...alone.map((started): Pairing => ({ started }))].sort((a, b) => placeOf(a) - placeOf(b));
}
