/**
 * The timeline of a postmortem: `Time | Δ | Job | Worker | Event | Reference`.
 *
 * Rows stand in the order of Redis' clock where it is known; the time shown is the record's own, never rewritten, and a row
 * whose own clock disagrees says so. When it happened is kept apart from when something first told of it.
 */
import type { Finding, Moment, Ref } from '../../model/analysis.js';
import type { EventKind } from '../../model/event.js';
import { type JobName, jobAnchor, jobKey, jobLabel, type ReportContext } from '../context.js';
import { axisMs } from '../display-time.js';
import { durationText } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, code, codeCell, linked, text } from '../parts.js';
import { refKey } from '../ref-text.js';
import { findingAnchor } from './findings-table.js';

export interface TimelineRow {
  readonly time: string;
  readonly delta: string;
  readonly job: Cell;
  readonly worker: Cell;
  readonly event: string;
  /** `F-1`, where the record is part of a witness; '' else. */
  readonly finding: string;
  readonly findingAnchor: string;
  readonly reference: Cell;
  /** The record that first told of the failure. */
  readonly detection: boolean;
  /** Silence before this row; '' where there is none. */
  readonly gap: string;
}

export interface TimelineView {
  readonly zone: string;
  readonly caption: string;
  readonly occurred: string;
  readonly detected: string;
  readonly rows: readonly TimelineRow[];
  readonly more: string;
}

/** One record of the timeline before it is worded. */
export interface TimelineRecord {
  readonly moment: Moment;
  readonly kind: string;
  readonly worker: string | undefined;
  readonly text: string;
  readonly ref: Ref;
  readonly job: JobName | undefined;
  readonly finding: Finding | undefined;
  /** Where it stands on the common axis, ms; undefined where no time is known. */
  readonly place: number | undefined;
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
  const all = timelineRecords(context);
  const shown = cut(all, CAPS.timelineRows);
  const left = all.length - shown.length;
  const detection = all.find((record) => DETECTIONS.has(record.kind));
  const start = firstFailure(context);
  const day = oneDay(shown, context);
  return {
    zone: day === '' ? context.clock.zone : `${context.clock.zone}, ${day}`,
    caption: 'In the order of Redis time where it is known; each time as its own record told it',
    occurred: start === undefined ? '' : context.clock.dateTime(start),
    detected: detection === undefined ? '' : detectedText(detection, start, context),
    rows: rows(shown, detection, day !== '', context),
    more: left > 0 ? `${left} more records are in timeline.csv; those of findings were kept.` : '',
  };
}

/** All records of stories and witnesses, each once, in the order of the common axis; those without a time last. */
export function timelineRecords(context: ReportContext): TimelineRecord[] {
  const records = new Map<string, TimelineRecord>();
  const owner = findingOfRef(context.analysis.findings);
  const jobsOf = new Map(context.analysis.findings.map((finding) => [finding, new Set(finding.jobs.map(jobKey))]));
  for (const story of context.analysis.stories) {
    const job = jobKey(story);
    const places = placesInStory(story.timeline.map((entry) => entry.moment));
    for (const [index, entry] of story.timeline.entries()) {
      const key = `${job} ${refKey(entry.ref)} ${entry.kind}`;
      const finding = owner.get(refKey(entry.ref))?.find((one) => jobsOf.get(one)?.has(job) === true);
      records.set(key, { ...entry, worker: entry.worker, job: story, finding, place: places[index] });
    }
  }
  const told = new Set([...records.values()].map((record) => refKey(record.ref)));
  for (const finding of context.analysis.findings) {
    const [only, another] = finding.jobs;
    for (const step of [...finding.witness, ...finding.consequences]) {
      if (told.has(refKey(step.ref))) continue;
      const job = another === undefined ? only : undefined;
      records.set(`step ${refKey(step.ref)} ${step.text}`, {
        ...step,
        worker: step.worker,
        job,
        finding,
        place: axisMs(step.moment),
      });
    }
  }
  return [...records.values()].sort(byAxis);
}

/**
 * A story tells its records in the order it could prove. A record whose bounds allow the place of the one before it is not
 * moved ahead of it only because the middle of its bounds lies earlier.
 */
function placesInStory(moments: readonly Moment[]): (number | undefined)[] {
  let before = Number.NEGATIVE_INFINITY;
  return moments.map((moment) => {
    const middle = axisMs(moment);
    if (middle === undefined) return undefined;
    const latest = moment.redisMs?.[1] ?? middle;
    const place = middle < before && before <= latest ? before : middle;
    before = place;
    return place;
  });
}

function byAxis(a: TimelineRecord, b: TimelineRecord): number {
  const [at, bt] = [a.place, b.place];
  if (at === undefined || bt === undefined) return Number(at === undefined) - Number(bt === undefined);
  return at - bt;
}

function findingOfRef(findings: readonly Finding[]): Map<string, Finding[]> {
  const owners = new Map<string, Finding[]>();
  for (const finding of findings) {
    for (const { ref } of [...finding.witness, ...finding.consequences]) {
      const known = owners.get(refKey(ref));
      if (known === undefined) owners.set(refKey(ref), [finding]);
      else if (!known.includes(finding)) known.push(finding);
    }
  }
  return owners;
}

/** Keeps what findings rest on, then the earliest, in the order of time. */
function cut(records: readonly TimelineRecord[], cap: number): readonly TimelineRecord[] {
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

function detectedText(detection: TimelineRecord, start: Moment | undefined, context: ReportContext): string {
  const [from, to] = [start && axisMs(start), axisMs(detection.moment)];
  const later = from === undefined || to === undefined || to < from ? '' : `, ${durationText(to - from)} later`;
  return `${context.clock.dateTime(detection.moment)}${later}: ${detection.text}`;
}

function rows(
  records: readonly TimelineRecord[],
  detection: TimelineRecord | undefined,
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
      findingAnchor: record.finding === undefined ? '' : findingAnchor(context.findingLabel(record.finding)),
      reference: [code(context.ref(record.ref))],
      detection: record === detection,
      gap: ms !== undefined && isGap(ms) ? `${durationText(ms)} without a record shown here` : '',
    };
  });
}

/** The day all rows share, '' where there are several or none: then each row carries its own. */
function oneDay(records: readonly TimelineRecord[], context: ReportContext): string {
  const days = new Set(records.map((record) => context.clock.date(record.moment)).filter((day) => day !== ''));
  const [day] = days;
  return days.size === 1 ? (day ?? '') : '';
}

function delta(before: TimelineRecord | undefined, record: TimelineRecord): number | undefined {
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
  const name = code(jobLabel(job));
  return [context.story(job) === undefined ? name : linked(name, jobAnchor(job))];
}
