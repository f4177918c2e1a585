/**
 * The timeline of a postmortem: `Time | Δ | Job | Worker | Event | Reference`.
 *
 * Rows stand in the order of Redis' clock where it is known; the time shown is the record's own, never rewritten, and a row
 * whose own clock disagrees says so. When it happened is kept apart from when something first told of it.
 */
import type { Moment } from '../../model/analysis.js';
import type { EventKind } from '../../model/event.js';
import type { JobName, ReportContext } from '../context.js';
import { axisMs } from '../display-time.js';
import { durationText } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, codeList, text } from '../parts.js';
import { type MergedRecord, mergeRoutes } from './merge-routes.js';
import { timelineRecords } from './timeline-records.js';

export interface TimelineRow {
  readonly time: string;
  readonly delta: string;
  readonly job: Cell;
  readonly worker: Cell;
  readonly event: string;
  /** `F-1`, where the record is part of a witness; '' else. */
  readonly finding: string;
  /** Where the page tells that finding; '' else. */
  readonly findingHref: string;
  readonly reference: Cell;
  /** The record that first told of the failure. */
  readonly detection: boolean;
  /** Silence before this row; '' where there is none. */
  readonly gap: string;
}

export interface TimelineView {
  readonly zone: string;
  /** Zone, and the day where all rows share one. */
  readonly timeHeading: string;
  readonly caption: string;
  readonly occurred: string;
  readonly detected: string;
  readonly rows: readonly TimelineRow[];
  readonly more: string;
}

/** What makes people look: notices and errors, not the failure itself. */
const DETECTIONS: ReadonlySet<string> = new Set<EventKind>([
  'stalled',
  'stalled-notice',
  'renewal-failed',
  'lock-missing',
  'lock-mismatch',
  'not-in-state',
  'key-missing',
  'finish-rejected',
  'failed',
  'attempt-failed',
  'retries-exhausted',
  'process-crashed',
  'redis-lost',
  'redis-refused',
  'event-loop-lag',
]);

const GAP_MS = 1000;
/** A gap is long for this timeline too, not only long. */
const GAP_OVER_MEDIAN = 10;

export function timeline(context: ReportContext): TimelineView {
  const all = mergeRoutes(timelineRecords(context));
  const shown = cut(all, CAPS.timelineRows);
  const left = all.length - shown.length;
  const detection = all.find((record) => DETECTIONS.has(record.kind));
  const start = firstFailure(context);
  const day = oneDay(shown, context);
  return {
    zone: context.clock.zone,
    timeHeading: day === '' ? context.clock.zone : `${context.clock.zone}, ${day}`,
    caption: 'In the order of Redis time where it is known; each time as its own record told it',
    occurred: start === undefined ? '' : context.clock.dateTime(start),
    detected: detection === undefined ? '' : detectedText(detection, start, context),
    rows: rows(shown, detection, day !== '', context),
    more: left > 0 ? `${left} more records are in timeline.csv; those of findings were kept.` : '',
  };
}

/** Keeps what findings rest on, then the earliest, in the order of time. */
function cut(records: readonly MergedRecord[], cap: number): readonly MergedRecord[] {
  if (records.length <= cap) return records;
  const kept = new Set(records.filter((record) => record.finding !== undefined).slice(0, cap));
  for (const record of records) {
    if (kept.size >= cap) break;
    kept.add(record);
  }
  return records.filter((record) => kept.has(record));
}

function firstFailure(context: ReportContext): Moment | undefined {
  const starts = context.analysis.findings
    .filter((finding) => finding.boundary !== 'none')
    .map((finding) => finding.window?.from)
    .filter((moment) => moment !== undefined)
    .map((moment) => ({ moment, ms: axisMs(moment) }));
  const timed = starts.filter((start) => start.ms !== undefined);
  return timed.sort((a, b) => (a.ms ?? 0) - (b.ms ?? 0))[0]?.moment ?? starts[0]?.moment;
}

function detectedText(detection: MergedRecord, start: Moment | undefined, context: ReportContext): string {
  const [from, to] = [start && axisMs(start), axisMs(detection.moment)];
  const later = from === undefined || to === undefined || to < from ? '' : `, ${durationText(to - from)} later`;
  return `${context.clock.dateTime(detection.moment)}${later}: ${detection.text}`;
}

function rows(
  records: readonly MergedRecord[],
  detection: MergedRecord | undefined,
  sameDay: boolean,
  context: ReportContext,
): TimelineRow[] {
  const deltas = records.map((record, index) => delta(records[index - 1], record));
  const isGap = gapTest(deltas);
  return records.map((record, index) => {
    const ms = deltas[index];
    return {
      time: sameDay
        ? context.clock.exactTime(record.moment) + context.clock.redisNote(record.moment)
        : context.clock.dateTime(record.moment),
      delta: ms === undefined ? '' : `+${durationText(ms)}`,
      job: jobCell(record.job, context),
      worker: record.worker === undefined ? cell('') : codeCell(context.worker(record.worker)),
      event: record.text,
      finding: record.finding === undefined ? '' : context.findingLabel(record.finding),
      findingHref: (record.finding && context.findingPart(record.finding).href) ?? '',
      reference: codeList(
        record.refs.map((ref) => context.ref(ref)),
        CAPS.refsPerCell,
      ),
      detection: record === detection,
      gap: ms !== undefined && isGap(ms) ? `${durationText(ms)} without a record shown here` : '',
    };
  });
}

/** The day all rows share, '' where there are several or none: then each row carries its own. */
function oneDay(records: readonly MergedRecord[], context: ReportContext): string {
  const days = new Set(records.map((record) => context.clock.date(record.moment)).filter((day) => day !== ''));
  const [day] = days;
  return days.size === 1 ? (day ?? '') : '';
}

function delta(before: MergedRecord | undefined, record: MergedRecord): number | undefined {
  const [from, to] = [before?.place, record.place];
  return from === undefined || to === undefined ? undefined : to - from;
}

function gapTest(deltas: readonly (number | undefined)[]): (ms: number) => boolean {
  const known = deltas.filter((ms) => ms !== undefined).sort((a, b) => a - b);
  const median = known[Math.floor(known.length / 2)] ?? 0;
  return (ms) => ms >= GAP_MS && ms >= median * GAP_OVER_MEDIAN;
}

function jobCell(job: JobName | undefined, context: ReportContext): Cell {
  if (job === undefined) return [text('several')];
  return [context.jobPart(job)];
}
