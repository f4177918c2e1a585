/**
 * Who held the job when, as a picture model: one lane a worker, one row a run, the lock as a band below it, marks for what
 * was recorded. Drawn as SVG and as text by the outputs. The axis is Redis' clock where bounds are known, else own time.
 */
import type { Execution, JobStory, Moment } from '../../model/analysis.js';
import type { EventKind } from '../../model/event.js';
import { jobLabel, type ReportContext } from '../context.js';
import { axisMs } from '../display-time.js';
import { durationText, plural } from '../durations.js';
import { CAPS } from '../options.js';
import { HOW_WORDS } from './phrases.js';
import { type TimeAxis, timeAxis } from './time-axis.js';

export type MarkKind = 'progress' | 'returned' | 'acknowledged' | 'stalled' | 'lock-error' | 'process' | 'redis';

export interface Mark {
  readonly kind: MarkKind;
  readonly atMs: number;
  readonly label: string;
}

export interface Bar {
  /** `run 1`. */
  readonly name: string;
  readonly label: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Until here the run was seen; from here to `toMs`, the edge of the chart, its end was not seen. */
  readonly seenToMs: number;
  /** From here to `seenToMs` the run no longer held its lock; undefined where that is not known or did not happen. */
  readonly unlockedFromMs: number | undefined;
  readonly lease: Lease | undefined;
  /** Marks that belong to this run. */
  readonly marks: readonly Mark[];
}

export interface Lease {
  readonly fromMs: number;
  readonly toMs: number;
  /** `ran out`, `released`, `deleted`; `at least` where the end of the lock is not known. */
  readonly end: 'ran out' | 'released' | 'deleted' | 'at least';
}

export interface Lane {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
}

/** A span in which two runs were under way at once. */
export interface Overlap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly label: string;
}

export interface LaneChart {
  readonly title: string;
  readonly description: string;
  readonly axis: TimeAxis;
  readonly tickLabels: readonly string[];
  readonly lanes: readonly Lane[];
  readonly overlaps: readonly Overlap[];
  /** What could not be drawn, '' where all was. */
  readonly note: string;
}

const MARK_OF: Readonly<Partial<Record<EventKind, MarkKind>>> = {
  stalled: 'stalled',
  'stalled-notice': 'stalled',
  'lock-missing': 'lock-error',
  'lock-mismatch': 'lock-error',
  'not-in-state': 'lock-error',
  'key-missing': 'lock-error',
  'renewal-failed': 'lock-error',
  'finish-rejected': 'lock-error',
  'lock-gone': 'lock-error',
  'process-ended': 'process',
  'process-crashed': 'process',
  'worker-signal': 'process',
  'worker-closing': 'process',
  'worker-closed': 'process',
  'redis-lost': 'redis',
  'redis-back': 'redis',
  'redis-refused': 'redis',
};
const MARKS = new Map<string, MarkKind>(Object.entries(MARK_OF));
const REDIS_LANE = 'Redis';
const MOST_TICKS = 8;
const MARGIN = 0.03;

/** The chart of one job; undefined where no run has a time. */
export function laneChart(story: JobStory, context: ReportContext): LaneChart | undefined {
  const all = story.executions.filter((run) => axisMs(run.start) !== undefined);
  const timed = all.slice(0, CAPS.chartRuns);
  if (timed.length === 0) return undefined;
  const marks = storyMarks(story, context);
  const [fromMs, toMs] = span(
    timed,
    marks.map(({ mark }) => mark.atMs),
  );
  const axis = timeAxis(fromMs, toMs, MOST_TICKS, context.clock.offsetMs(fromMs));
  const bars = timed.map((run) => ({ lane: laneName(run.worker, context), bar: bar(run, axis) }));
  const lanes = toLanes(bars, marks);
  const overlaps = overlapSpans(
    bars.map(({ bar: one }) => one),
    context.affected(story)?.overlapMs,
  );
  return {
    title: `Who held ${jobLabel(story)} when`,
    description: describe(timed, overlaps, context),
    axis,
    tickLabels: axis.ticks.map((tick) => context.clock.tick(tick, axis.stepMs)),
    lanes,
    overlaps,
    note: note(story.executions.length - all.length, all.length - timed.length),
  };
}

function laneName(worker: string | undefined, context: ReportContext): string {
  return worker === undefined ? 'worker not named' : context.worker(worker);
}

function storyMarks(story: JobStory, context: ReportContext): { lane: string; mark: Mark }[] {
  return story.timeline.flatMap((entry) => {
    const kind = MARKS.get(entry.kind);
    const atMs = axisMs(entry.moment);
    if (kind === undefined || atMs === undefined) return [];
    const lane = entry.worker === undefined ? REDIS_LANE : laneName(entry.worker, context);
    return [{ lane, mark: { kind, atMs, label: `${entry.text} (${context.clock.time(entry.moment)})` } }];
  });
}

function span(runs: readonly Execution[], markMs: readonly number[]): [number, number] {
  const all = [...runs.flatMap((run) => knownMs(runMoments(run))), ...markMs];
  const [from, to] = [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))];
  const margin = Math.max((to - from) * MARGIN, 1);
  return [from - margin, to + margin];
}

function runMoments(run: Execution): (Moment | undefined)[] {
  const { acquired, renewed, expired, released, deleted } = run.lock;
  return [run.start, run.end, run.returned, run.acknowledged, acquired, renewed, expired, released, deleted];
}

function knownMs(moments: readonly (Moment | undefined)[]): number[] {
  return moments.map((moment) => moment && axisMs(moment)).filter((ms) => ms !== undefined);
}

function bar(run: Execution, axis: TimeAxis): Bar {
  const fromMs = axisMs(run.start) ?? axis.fromMs;
  // The bar is the handler's own time: an acknowledgement comes after it and has a mark of its own.
  const [endMs] = knownMs([run.returned, run.end, run.acknowledged]);
  const open = endMs === undefined;
  const toMs = open ? axis.toMs : Math.max(fromMs, endMs);
  const signs = knownMs([...run.progress.map((step) => step.moment), run.lock.renewed]);
  const seenToMs = open ? Math.max(fromMs, ...signs) : toMs;
  const lease = leaseOf(run, axis);
  const lost = lease !== undefined && (lease.end === 'ran out' || lease.end === 'deleted') && lease.toMs < seenToMs;
  return {
    name: `run ${run.n}`,
    label: HOW_WORDS[run.how],
    fromMs,
    toMs,
    seenToMs,
    unlockedFromMs: lost ? Math.max(fromMs, lease.toMs) : undefined,
    lease,
    marks: runMarks(run),
  };
}

function leaseOf(run: Execution, axis: TimeAxis): Lease | undefined {
  const { acquired, renewed, expired, released, deleted } = run.lock;
  const fromMs = (acquired && axisMs(acquired)) ?? axisMs(run.start);
  if (fromMs === undefined) return undefined;
  const known = [
    { end: 'ran out' as const, ms: expired && axisMs(expired) },
    { end: 'released' as const, ms: released && axisMs(released) },
    { end: 'deleted' as const, ms: deleted && axisMs(deleted) },
  ].flatMap(({ end, ms }) => (ms === undefined ? [] : [{ end, ms }]));
  const first = known.sort((a, b) => a.ms - b.ms)[0];
  if (first !== undefined) return { fromMs, toMs: Math.max(fromMs, first.ms), end: first.end };
  const renewedMs = renewed && axisMs(renewed);
  if (renewedMs === undefined) return undefined;
  return { fromMs, toMs: Math.min(Math.max(fromMs, renewedMs), axis.toMs), end: 'at least' };
}

function runMarks(run: Execution): Mark[] {
  const at = (kind: MarkKind, moment: Moment | undefined, label: string): Mark[] => {
    const atMs = moment && axisMs(moment);
    return atMs === undefined ? [] : [{ kind, atMs, label: `run ${run.n}: ${label}` }];
  };
  return [
    ...run.progress.flatMap((step) => at('progress', step.moment, `progress ${step.value}`)),
    ...at('returned', run.returned, 'handler returned'),
    ...at('acknowledged', run.acknowledged, 'acknowledged by Redis'),
  ];
}

/** Lanes in the order in which their first run or mark appears, Redis last; beyond the cap the rest share one lane. */
function toLanes(bars: readonly { lane: string; bar: Bar }[], marks: readonly { lane: string; mark: Mark }[]): Lane[] {
  const names = [...new Set([...bars.map(({ lane }) => lane), ...marks.map(({ lane }) => lane)])];
  const workers = names.filter((name) => name !== REDIS_LANE);
  const shown = workers.slice(0, CAPS.chartLanes);
  const rest = new Set(workers.slice(CAPS.chartLanes));
  const lane = (name: string, belongs: (of: string) => boolean): Lane => ({
    name,
    bars: bars.filter((one) => belongs(one.lane)).map((one) => one.bar),
    marks: marks.filter((one) => belongs(one.lane)).map((one) => one.mark),
  });
  const lanes = shown.map((name) => lane(name, (of) => of === name));
  if (rest.size > 0) lanes.push(lane(plural(rest.size, 'other worker'), (of) => rest.has(of)));
  if (names.includes(REDIS_LANE)) lanes.push(lane(REDIS_LANE, (of) => of === REDIS_LANE));
  return lanes;
}

/** @param known the overlap as the finding states it, which is what the chart must say where there is but one */
function overlapSpans(bars: readonly Bar[], known: number | undefined): Overlap[] {
  const spans: Omit<Overlap, 'label'>[] = [];
  const ended = bars.filter((one) => one.seenToMs === one.toMs).sort((a, b) => a.fromMs - b.fromMs);
  for (const [index, first] of ended.entries()) {
    for (const second of ended.slice(index + 1)) {
      const toMs = Math.min(first.toMs, second.toMs);
      if (toMs > second.fromMs) spans.push({ fromMs: second.fromMs, toMs });
    }
  }
  return spans.map((span) => ({
    ...span,
    label: `overlap ${durationText(spans.length === 1 && known !== undefined ? known : span.toMs - span.fromMs)}`,
  }));
}

function describe(runs: readonly Execution[], overlaps: readonly Overlap[], context: ReportContext): string {
  const told = runs.slice(0, CAPS.chartLanes).map((run) => {
    const end = run.returned ?? run.end ?? run.acknowledged;
    const until = end === undefined ? '' : ` until ${context.clock.time(end)}`;
    return `Run ${run.n} on ${laneName(run.worker, context)} from ${context.clock.time(run.start)}${until}, ${HOW_WORDS[run.how]}.`;
  });
  const rest = runs.length - told.length;
  const more = rest > 0 ? [`${plural(rest, 'more run')}.`] : [];
  const [first] = overlaps;
  const together = first === undefined ? [] : [`Two runs were under way at once: ${first.label}.`];
  return [...told, ...more, ...together].join(' ');
}

function note(untimed: number, beyond: number): string {
  const said = [
    untimed === 0 ? '' : `${plural(untimed, 'run')} without a known time ${untimed === 1 ? 'is' : 'are'} not drawn.`,
    beyond === 0 ? '' : `${plural(beyond, 'later run')} ${beyond === 1 ? 'is' : 'are'} not drawn.`,
  ];
  return said.filter((line) => line !== '').join(' ');
}
