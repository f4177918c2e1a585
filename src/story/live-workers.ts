/**
 * How many workers of a queue were alive when.
 *
 * A worker was there from its first record to its last. Before and after that it may have been there, too, unless a record says
 * that it came (`ready`, where its log begins) or went (closed, exited, killed). So the number of live workers has two bounds.
 */
import type { Ref } from '../model/analysis.js';
import { isOver as saysOver } from '../model/end-signs.js';
import { lineAt } from '../model/place.js';
import { type Interval, midpoint } from './interval.js';
import { firstSeen, lastSeen, refOf } from './moments.js';
import type { Scene, WorkerProcess } from './scene.js';

export type LiveChangeKind = 'came' | 'first-seen' | 'last-seen' | 'went';

export interface LiveChange {
  readonly queue?: string;
  readonly worker: WorkerProcess;
  readonly change: LiveChangeKind;
  /** Redis' clock, ms. */
  readonly at: Interval;
  /** Workers alive right after it: surely, and at most. */
  readonly live: readonly [atLeast: number, atMost: number];
  readonly ref: Ref;
}

/** A worker that says it is ready this soon after its first line, ms, came then. */
const BOOT_MS = 10_000;

interface Turn {
  readonly worker: WorkerProcess;
  readonly change: LiveChangeKind;
  readonly at: Interval;
  readonly ref: Ref;
}

/**
 * Changes in order, queue by queue.
 *
 * @param queuesOf queues of each worker, by its id; a worker of no known queue is told of apart
 * @param isOver whether the process is known to have ended with its last record
 */
export function liveChanges(
  scene: Scene,
  queuesOf: ReadonlyMap<string, ReadonlySet<string>>,
  isOver: (worker: WorkerProcess) => boolean,
): LiveChange[] {
  const seen = scene.workers.filter((worker) => firstSeen(worker) !== undefined);
  const named = [...new Set(seen.flatMap((worker) => [...(queuesOf.get(worker.id) ?? [])]))].sort();
  const ofNone = seen.filter((worker) => (queuesOf.get(worker.id)?.size ?? 0) === 0);
  return [
    ...named.flatMap((queue) =>
      countChanges(
        seen.filter((worker) => queuesOf.get(worker.id)?.has(queue)),
        scene,
        isOver,
      ).map((change) => ({ queue, ...change })),
    ),
    ...countChanges(ofNone, scene, isOver),
  ];
}

function countChanges(
  workers: readonly WorkerProcess[],
  scene: Scene,
  isOver: (worker: WorkerProcess) => boolean,
): Omit<LiveChange, 'queue'>[] {
  const turns = workers
    .flatMap((worker) => turnsOf(worker, scene, isOver(worker)))
    .sort((a, b) => midpoint(a.at) - midpoint(b.at) || (a.worker.id < b.worker.id ? -1 : 1));
  let atLeast = 0;
  // Who is not known to have come then may have been there all along.
  let atMost = turns.filter(({ change }) => change === 'first-seen').length;
  return turns.map((turn) => {
    if (turn.change === 'came' || turn.change === 'first-seen') atLeast++;
    else atLeast--;
    if (turn.change === 'came') atMost++;
    else if (turn.change === 'went') atMost--;
    return { ...turn, live: [atLeast, atMost] };
  });
}

/** A worker that is still heard of when the evidence ends did not go. */
function turnsOf(worker: WorkerProcess, scene: Scene, isOver: boolean): Turn[] {
  const [first, last] = [firstSeen(worker), lastSeen(worker)];
  if (first === undefined || last === undefined) return [];
  const ready = worker.signs.find((event) => event.kind === 'worker-ready');
  const came = ready?.t !== undefined && ready.t - (worker.firstMs ?? ready.t) <= BOOT_MS;
  const end = worker.signs.findLast((event) => saysOver(event.kind));
  const opening: Turn = {
    worker,
    change: came ? 'came' : 'first-seen',
    at: first,
    ref: ready && came ? refOf(ready) : refAt(worker.firstLine, worker.firstRef, worker),
  };
  const stays = !isOver && last[1] >= scene.endMs - scene.lockDuration.value;
  if (stays) return [opening];
  const closing: Turn = {
    worker,
    change: isOver ? 'went' : 'last-seen',
    at: last,
    ref: end ? refOf(end) : refAt(worker.lastLine, worker.lastRef, worker),
  };
  return [opening, closing];
}

function refAt(line: WorkerProcess['firstLine'], ref: Ref | undefined, worker: WorkerProcess): Ref {
  if (line !== undefined) return { source: line.source, line: lineAt(line.line) };
  return ref ?? { source: worker.sources[0] ?? '' };
}

/** Was the queue scaled from one worker to several shortly before a moment? */
export interface ScalingVerdict {
  readonly verdict: 'scaled' | 'not-scaled' | 'cannot-tell';
  /** Live workers at the beginning of the time looked at, and at the moment: surely, and at most. */
  readonly before: readonly [number, number];
  readonly after: readonly [number, number];
  /** Workers that came, or were first heard of, in that time. */
  readonly arrivals: readonly LiveChange[];
}

/**
 * Says or refutes that scaling from one worker to several came just before a loss.
 *
 * @param changes of one queue, in order
 * @param atMs moment of the loss on Redis' clock
 * @param withinMs how long before it counts as "just before"
 */
export function scaledBefore(changes: readonly LiveChange[], atMs: number, withinMs: number): ScalingVerdict {
  const fromMs = atMs - withinMs;
  const liveAt = (ms: number): readonly [number, number] =>
    changes.findLast(({ at }) => at[1] <= ms)?.live ?? [
      0,
      changes.filter(({ change }) => change === 'first-seen').length,
    ];
  const [before, after] = [liveAt(fromMs), liveAt(atMs)];
  const arrivals = changes.filter(
    ({ at, change }) => (change === 'came' || change === 'first-seen') && at[0] <= atMs && at[1] >= fromMs,
  );
  const verdict =
    before[1] <= 1 && after[0] > 1
      ? 'scaled'
      : arrivals.length === 0 || before[0] > 1 || after[1] <= 1
        ? 'not-scaled'
        : 'cannot-tell';
  return { verdict, before, after, arrivals };
}
