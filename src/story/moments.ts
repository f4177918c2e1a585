/** Where and when a record stands, in the words of the analysis. */
import type { Moment, Ref } from '../model/analysis.js';
import { LEDGER_KINDS } from '../model/event.js';
import type { StoredEvent } from '../model/stored.js';
import { formatUtc } from '../time/index.js';
import { offsetAt, stretchAt } from './clocks.js';
import { type Interval, midpoint } from './interval.js';
import type { Scene, WorkerProcess } from './scene.js';

/** How much later than its printed time a record may lie, ms. */
const WIDTH_MS = { none: Number.POSITIVE_INFINITY, s: 999, ms: 0, us: 0 } as const;

/** The time of a record on Redis' clock, ms. A record without a time of its own lies somewhere after the one before it. */
export function redisInterval(event: StoredEvent, scene: Scene): Interval {
  const { t } = event;
  if (t === undefined) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  // An AOF has no times of its own for commands between two stream entries: they lie somewhere after the last known time.
  if (event.clock === 'redis') return [t, t + WIDTH_MS[event.precision]];
  const worker = scene.workerOf(event);
  const [low, high] = worker === undefined ? [0, 0] : offsetAt(worker, event.source.path, event.line);
  return [t - high, t + WIDTH_MS[event.precision] - low];
}

/**
 * The time between two records of one source is as long as they print it: one clock wrote both, and it was not set in between.
 */
export function isOneClock(a: StoredEvent, b: StoredEvent, scene: Scene): boolean {
  const worker = scene.workerOf(a);
  if (a.source !== b.source || worker !== scene.workerOf(b)) return false;
  if (worker === undefined || worker.clockStretches.length === 0) return true;
  const stretch = stretchAt(worker, a.source.path, a.line);
  return stretch !== undefined && !stretch.unsure && stretch === stretchAt(worker, b.source.path, b.line);
}

/** When a worker wrote its first line, on Redis' clock, ms. */
export const firstSeen = (worker: WorkerProcess): Interval | undefined =>
  seenAt(worker, worker.firstMs, worker.firstLine);

/** When a worker wrote its last line, on Redis' clock, ms. */
export const lastSeen = (worker: WorkerProcess): Interval | undefined => seenAt(worker, worker.lastMs, worker.lastLine);

function seenAt(worker: WorkerProcess, ms: number | undefined, place: WorkerProcess['lastLine']): Interval | undefined {
  if (ms === undefined) return undefined;
  const [low, high] = place === undefined ? worker.offsetMs : offsetAt(worker, place.source, place.line);
  return [ms - high, ms - low];
}

/** The likeliest time of a record on Redis' clock, ms, for order on a page. */
export const midpointOf = (event: StoredEvent, scene: Scene): number => midpoint(redisInterval(event, scene));

/** The reference of a record: file and line, or stream key and entry id. */
export function refOf(event: StoredEvent): Ref {
  if (event.clock === 'redis' && event.source.format !== 'monitor') {
    // Records of the lock ledger in an AOF have no stream id: their place is the byte offset of the command.
    if (LEDGER_KINDS.has(event.kind))
      return {
        source: event.source.path,
        ...(event.queue === undefined || event.job === undefined
          ? {}
          : { key: `${queueKey(event.queue)}:${event.job}:lock` }),
        ...(event.offset >= 0 ? { offset: event.offset } : {}),
      };
    return {
      source: event.source.path,
      ...(event.t === undefined ? {} : { entry: `${event.t}-${event.line}` }),
      ...(event.queue === undefined ? {} : { key: streamKey(event.queue) }),
      ...(event.offset >= 0 ? { offset: event.offset } : {}),
    };
  }
  return { source: event.source.path, line: event.line, ...(event.offset >= 0 ? { offset: event.offset } : {}) };
}

/** A queue name without a colon has the default prefix `bull`. */
export const queueKey = (queue: string): string => {
  const name = queue.replace(/ \[db \d+\]$/, '');
  return name.includes(':') ? name : `bull:${name}`;
};
const streamKey = (queue: string): string => `${queueKey(queue)}:events`;

/** When a record was written: on its own clock as it printed it, and on Redis' within bounds, where they are finite. */
export function momentOf(event: StoredEvent, scene: Scene): Moment {
  const clock = event.clock === 'redis' ? 'redis' : (scene.workerOf(event)?.id ?? event.clock);
  const interval = redisInterval(event, scene);
  return {
    ...(event.t === undefined || event.precision === 'none' ? {} : { at: formatUtc(event.t, event.precision) }),
    precision: event.precision,
    clock,
    ...(event.t === undefined || !Number.isFinite(interval[1])
      ? {}
      : { redisMs: [Math.floor(interval[0]), Math.ceil(interval[1])] }),
  };
}

/** The same for "at least": rounded up to what is shown. */
export const atLeastText = (ms: number): string => {
  const unit = ms < 1000 ? 1 : ms < 10_000 ? 10 : ms < 60_000 ? 100 : 1000;
  return durationText(Math.ceil(ms / unit) * unit);
};

/** A duration for a sentence: `201 ms`, `4.67 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  const rounded = Math.round(ms);
  if (rounded < 1000) return `${rounded} ms`;
  if (rounded < 60_000) return `${(rounded / 1000).toFixed(rounded < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(rounded / 60_000)} min ${Math.round((rounded % 60_000) / 1000)} s`;
}
