/** Where and when a record stands, in the words of the analysis. */
import type { Moment, Ref } from '../model/analysis.js';
import type { EventKind } from '../model/event.js';
import type { StoredEvent } from '../model/stored.js';
import { formatUtc } from '../time/index.js';
import { type Interval, midpoint } from './interval.js';
import type { Scene } from './scene.js';

/** How much later than its printed time a record may lie, ms. */
const WIDTH_MS = { none: Number.POSITIVE_INFINITY, s: 999, ms: 0, us: 0 } as const;

/** The time of a record on Redis' clock, ms. A record without a time of its own lies somewhere after the one before it. */
export function redisInterval(event: StoredEvent, scene: Scene): Interval {
  const { t } = event;
  if (t === undefined) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (event.clock === 'redis') return [t, t];
  const [low, high] = scene.workerOf(event)?.offsetMs ?? [0, 0];
  return [t - high, t + WIDTH_MS[event.precision] - low];
}

/** The likeliest time of a record on Redis' clock, ms, for order on a page. */
export const midpointOf = (event: StoredEvent, scene: Scene): number => midpoint(redisInterval(event, scene));

/** The reference of a record: file and line, or stream key and entry id. */
export function refOf(event: StoredEvent): Ref {
  if (event.clock === 'redis' && event.source.format !== 'monitor') {
    // Records of the lock ledger in an AOF have no stream id: their place is the byte offset of the command.
    if (LEDGER.has(event.kind))
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

const LEDGER: ReadonlySet<EventKind> = new Set([
  'lock-set',
  'lock-renewed',
  'lock-released',
  'lock-gone',
  'finish-rejected',
  'renewal-failed',
  'sweep',
]);

/** A queue name without a colon has the default prefix `bull`. */
export const queueKey = (queue: string): string => (queue.includes(':') ? queue : `bull:${queue}`);
const streamKey = (queue: string): string => `${queueKey(queue)}:events`;

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

/** Time of day for a sentence: `14:10:41.610`, or `about 14:10:41` where the record has no time of its own. */
export function timeText(event: StoredEvent): string {
  if (event.t === undefined) return 'at an unknown time';
  const text = formatUtc(event.t, event.precision).slice(11).replace('Z', '');
  return event.precision === 'none' ? `after ${text}` : text;
}

/** A duration for a sentence: `201 ms`, `4.67 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  const rounded = Math.round(ms);
  if (rounded < 1000) return `${rounded} ms`;
  if (rounded < 60_000) return `${(rounded / 1000).toFixed(rounded < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(rounded / 60_000)} min ${Math.round((rounded % 60_000) / 1000)} s`;
}
