/**
 * The offset of a worker's clock to Redis' clock, bounded by causality.
 *
 * A handler cannot start before Redis made the job active, and Redis cannot record the end before the handler returned:
 * each such pair of records bounds `worker clock − Redis clock` from one side. `processedOn` is taken on the worker's clock
 * just before the activation and bounds it from below. Nothing is corrected; times stay as printed, bounds are carried.
 */
import type { Ref } from '../model/analysis.js';
import type { Interval } from './interval.js';

/** Bounds that one process identity's pairs give. `low`: offset is at least this; `high`: at most this. */
export interface ClockBound {
  readonly process: number;
  readonly low?: { readonly ms: number; readonly ref: Ref };
  readonly high?: { readonly ms: number; readonly ref: Ref };
  readonly pairs: number;
}

export interface ClockOffset {
  readonly offsetMs: Interval;
  readonly basis: 'pairs' | 'assumed';
  readonly pairs: number;
  readonly tightest: { readonly low?: Ref; readonly high?: Ref };
  /** The pairs contradict each other: the clock was stepped, or records are not what they seem. */
  readonly contradicts: boolean;
}

/** Both clocks print whole milliseconds. */
const ROUNDING_MS = 1;

/** Joins the bounds of one worker. Without a pair on either side the clocks are taken as equal within `skewMs`, and said so. */
export function boundOffset(bounds: readonly ClockBound[], skewMs: number): ClockOffset {
  let low: ClockBound['low'];
  let high: ClockBound['high'];
  let pairs = 0;
  for (const bound of bounds) {
    pairs += bound.pairs;
    if (bound.low && (low === undefined || bound.low.ms > low.ms)) low = bound.low;
    if (bound.high && (high === undefined || bound.high.ms < high.ms)) high = bound.high;
  }
  const tightest = { ...(low ? { low: low.ref } : {}), ...(high ? { high: high.ref } : {}) };
  if (low === undefined && high === undefined)
    return { offsetMs: [-skewMs, skewMs], basis: 'assumed', pairs, tightest, contradicts: false };
  if (low === undefined || high === undefined) {
    // One side only: what it leaves of the assumed span; a bound beyond that span moves it.
    const offsetMs: Interval =
      high !== undefined
        ? high.ms >= -skewMs
          ? [-skewMs, Math.min(skewMs, high.ms + ROUNDING_MS)]
          : [high.ms - 2 * skewMs, high.ms]
        : (low?.ms ?? 0) <= skewMs
          ? [Math.max(-skewMs, (low?.ms ?? 0) - ROUNDING_MS), skewMs]
          : [low?.ms ?? 0, (low?.ms ?? 0) + 2 * skewMs];
    return { offsetMs, basis: 'assumed', pairs, tightest, contradicts: false };
  }
  const lowMs = low.ms - ROUNDING_MS;
  const highMs = high.ms + ROUNDING_MS;
  return lowMs <= highMs
    ? { offsetMs: [lowMs, highMs], basis: 'pairs', pairs, tightest, contradicts: false }
    : { offsetMs: [highMs, lowMs], basis: 'pairs', pairs, tightest, contradicts: true };
}
