/**
 * The offset of a worker's clock to Redis' clock, bounded by causality.
 *
 * A handler cannot start before Redis made the job active, and Redis cannot record the end before the handler returned:
 * each such pair of records bounds `worker clock − Redis clock` from one side. Nothing is corrected; times stay as printed,
 * bounds are carried.
 *
 * A clock that is set (NTP, a resumed virtual machine) has another offset from then on. Pairs that no single offset fits show
 * it: the lines of the process are cut into stretches with an offset each, and between the last line that surely stands before
 * the step and the first that stands behind it both offsets are possible. A step that no pair shows is not seen.
 */
import type { Ref } from '../model/analysis.js';
import { lineAt, placeBehind } from '../model/place.js';
import type { Interval } from './interval.js';

/** A pair of records that bounds the offset from one side, ms. */
export interface Bound {
  readonly ms: number;
  readonly ref: Ref;
}

/** Bounds that the pairs of one process give. `low`: offset is at least this; `high`: at most this. */
export interface ClockBound {
  readonly process: number;
  readonly low?: Bound;
  readonly high?: Bound;
  readonly pairs: number;
}

/** Places (`model/place.ts`) `fromLine` to before `toLine` of a source, over which the clock kept one offset. */
export interface ClockStretch {
  readonly source: string;
  readonly fromLine: number;
  readonly toLine: number;
  readonly offsetMs: Interval;
  /** The clock was set somewhere among these lines. */
  readonly unsure?: true;
}

/** The clock was set between two records. */
export interface ClockStep {
  readonly fromMs: Interval;
  readonly toMs: Interval;
  readonly after: Ref;
  readonly before: Ref;
}

export interface ClockOffset {
  /** Over all of its lines, where the clock was stepped. */
  readonly offsetMs: Interval;
  readonly basis: 'pairs' | 'assumed';
  readonly pairs: number;
  readonly tightest: { readonly low?: Ref; readonly high?: Ref };
  /** Where the offset differs from line to line; empty: it does not. */
  readonly stretches: readonly ClockStretch[];
  readonly steps: readonly ClockStep[];
  /** How much wider it is than the assumed skew, because the printed time goes back and no pair tells why, ms. */
  readonly widenedMs?: number;
  /** Two pairs contradict each other by this much: some record is not what it seems. */
  readonly contradiction?: { readonly low: Ref; readonly high: Ref; readonly byMs: number };
}

/** Both clocks print whole milliseconds. */
const ROUNDING_MS = 1;
/** ntpd slews a clock that is off by less and steps it from there on. A smaller contradiction is a line that was misread. */
export const STEP_MS = 128;

/** The tightest of several bounds on each side. */
export function tightestOf(bounds: readonly ClockBound[]): Omit<ClockBound, 'process'> {
  let low: Bound | undefined;
  let high: Bound | undefined;
  let pairs = 0;
  for (const bound of bounds) {
    pairs += bound.pairs;
    if (bound.low && (low === undefined || bound.low.ms > low.ms)) low = bound.low;
    if (bound.high && (high === undefined || bound.high.ms < high.ms)) high = bound.high;
  }
  return { pairs, ...(low ? { low } : {}), ...(high ? { high } : {}) };
}

/** By how much no single offset fits the bounds, ms; 0 where one does. */
export const contradictionOf = ({ low, high }: Omit<ClockBound, 'process'>): number =>
  low === undefined || high === undefined ? 0 : Math.max(0, low.ms - high.ms - 2 * ROUNDING_MS);

/** Joins the bounds of one clock. Without a pair on either side the clocks are taken as equal within `skewMs`, and said so. */
export function boundOffset(bounds: readonly ClockBound[], skewMs: number): ClockOffset {
  const joined = tightestOf(bounds);
  const { low, high, pairs } = joined;
  const tightest = { ...(low ? { low: low.ref } : {}), ...(high ? { high: high.ref } : {}) };
  const base = { pairs, tightest, stretches: [], steps: [] } as const;
  if (low === undefined || high === undefined)
    return { ...base, offsetMs: oneSided(low?.ms, high?.ms, skewMs), basis: 'assumed' };
  const byMs = contradictionOf(joined);
  const offsetMs: Interval = [
    Math.min(low.ms, high.ms - byMs) - ROUNDING_MS,
    Math.max(high.ms, low.ms + byMs) + ROUNDING_MS,
  ];
  const contradiction = byMs === 0 ? {} : { contradiction: { low: low.ref, high: high.ref, byMs } };
  return { ...base, offsetMs, basis: 'pairs', ...contradiction };
}

/** One side only: what it leaves of the assumed span; a bound beyond that span moves it. */
function oneSided(low: number | undefined, high: number | undefined, skewMs: number): Interval {
  if (high !== undefined)
    return high >= -skewMs ? [-skewMs, Math.min(skewMs, high + ROUNDING_MS)] : [high - 2 * skewMs, high];
  if (low !== undefined)
    return low <= skewMs ? [Math.max(-skewMs, low - ROUNDING_MS), skewMs] : [low, low + 2 * skewMs];
  return [-skewMs, skewMs];
}

/** A stretch of lines as its pairs bound it. */
export interface BoundStretch extends Omit<ClockBound, 'process'> {
  readonly source: string;
  readonly fromLine: number;
  readonly toLine: number;
  /**
   * The last line before it that cannot have its offset. Absent: the clock was set right at `fromLine`, where the printed time
   * goes back.
   */
  readonly misfit?: number;
}

/** How far a clock may have been set that no pair of records tells of, ms. */
const UNKNOWN_STEP_MS = 60_000;

/**
 * The offset of a process whose lines are cut into stretches. A stretch that pairs do not bound on a side may lie far beyond the
 * others there: its clock was set, and nothing tells by how much.
 */
export function stretchOffset(stretches: readonly BoundStretch[], skewMs: number): ClockOffset {
  const known = stretches.flatMap(({ low, high }) => [low?.ms, high?.ms]).filter((ms) => ms !== undefined);
  const beyond = stretches.length > 1 ? UNKNOWN_STEP_MS : skewMs;
  const widest: Interval = [Math.min(...known, 0) - beyond, Math.max(...known, 0) + beyond];
  const offsets = stretches.map(
    ({ low, high }): Interval => [
      low === undefined ? widest[0] : low.ms - ROUNDING_MS,
      high === undefined ? widest[1] : high.ms + ROUNDING_MS,
    ],
  );
  const cut: ClockStretch[] = [];
  const steps: ClockStep[] = [];
  stretches.forEach(({ source, fromLine, toLine, misfit }, n) => {
    const offsetMs = offsets[n] ?? widest;
    const before = cut.at(-1);
    if (before !== undefined) {
      steps.push({
        fromMs: before.offsetMs,
        toMs: offsetMs,
        after: { source, line: misfit === undefined ? Math.max(1, lineAt(fromLine) - 1) : lineAt(misfit) },
        before: { source, line: lineAt(fromLine) },
      });
      if (misfit !== undefined) {
        // Behind the misfit itself, and before any record that follows it.
        const behind = placeBehind(misfit, 1);
        cut[cut.length - 1] = { ...before, toLine: behind };
        const either = hull([before.offsetMs, offsetMs]);
        cut.push({ source, fromLine: behind, toLine: fromLine, offsetMs: either, unsure: true });
      }
    }
    cut.push({ source, fromLine, toLine, offsetMs });
  });
  const { low, high, pairs } = tightestOf(stretches.map((stretch) => ({ ...stretch, process: 0 })));
  return {
    offsetMs: hull(cut.map(({ offsetMs }) => offsetMs)),
    basis: stretches.every((stretch) => stretch.low && stretch.high) ? 'pairs' : 'assumed',
    pairs,
    tightest: { ...(low ? { low: low.ref } : {}), ...(high ? { high: high.ref } : {}) },
    stretches: cut,
    steps,
  };
}

/** Joins the offsets of the sources of one worker. */
export function joinOffsets(parts: readonly ClockOffset[]): ClockOffset {
  const contradiction = parts.find((part) => part.contradiction)?.contradiction;
  return {
    offsetMs: hull(parts.map(({ offsetMs }) => offsetMs)),
    basis: parts.every(({ basis }) => basis === 'pairs') ? 'pairs' : 'assumed',
    pairs: parts.reduce((sum, { pairs }) => sum + pairs, 0),
    tightest: parts[0]?.tightest ?? {},
    stretches: parts.flatMap(({ stretches }) => stretches),
    steps: parts.flatMap(({ steps }) => steps),
    ...(contradiction ? { contradiction } : {}),
  };
}

const hull = (intervals: readonly Interval[]): Interval => [
  Math.min(...intervals.map(([low]) => low)),
  Math.max(...intervals.map(([, high]) => high)),
];

/** The stretch that a line of one of its sources belongs to; undefined where one offset fits the whole worker. */
export const stretchAt = (
  { clockStretches }: { readonly clockStretches: readonly ClockStretch[] },
  source: string,
  line: number,
): ClockStretch | undefined =>
  clockStretches.find((one) => one.source === source && one.fromLine <= line && line < one.toLine);

/** The offset of a worker's clock at a line of one of its sources, ms. */
export const offsetAt = (
  worker: { readonly offsetMs: Interval; readonly clockStretches: readonly ClockStretch[] },
  source: string,
  line: number,
): Interval => stretchAt(worker, source, line)?.offsetMs ?? worker.offsetMs;
