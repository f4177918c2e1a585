/** Details of a job's event: from fields first, else from the words. */
import type { EventKind } from '../../model/event.js';
import { ownString } from '../own-string.js';
import type { LogRecord, RecordError, RecordFields } from '../record.js';
import type { DataDraft } from './finding.js';
import type { TextReading } from './read-text.js';

const MAX_TEXT = 300;

const MAX_LABEL = 60;

/** Where a record names no queue, the label before its message may: Redis' names of queues decide. */
export function addLabel(data: DataDraft, queue: string | undefined, { label }: RecordFields): void {
  if (queue === undefined && label !== undefined && label.length <= MAX_LABEL) data.label = ownString(label);
}

/** Job name, attempt, idempotency key, progress and duration. */
export function addCommon(data: DataDraft, fields: RecordFields, text: TextReading): void {
  const said = text.fields;
  const jobName = fields.jobName ?? said.jobName ?? text.mention?.jobName;
  if (jobName !== undefined) data.jobName = ownString(jobName.slice(0, 120));
  const attempt = fields.attempt ?? said.attempt ?? text.mention?.attempt ?? attemptIn(text.lower);
  if (attempt !== undefined) data.attempt = attempt;
  const key = fields.key ?? said.key;
  if (key !== undefined) data.key = ownString(key);
  const progress = fields.progress ?? said.progress;
  if (progress !== undefined) data.progress = typeof progress === 'string' ? ownString(progress) : progress;
  const durationMs = fields.durationMs ?? said.durationMs ?? durationIn(text.lower);
  if (durationMs !== undefined) data.durationMs = durationMs;
}

/** `attempt 2`, `attempt: 2/3`, `after 2 attempts`. */
function attemptIn(lower: string): number | undefined {
  if (!lower.includes('attempt') && !lower.includes('try ')) return undefined;
  const match =
    /\b(?:attempt(?:s ?made)?|try)(?: number| no\.?)?[ :#=]{0,3}(\d{1,5})\b(?! (?:left|remaining|seconds|ms|minutes))/.exec(
      lower,
    ) ?? /\bafter (\d{1,5}) attempts?\b/.exec(lower);
  return match ? Number(match[1]) : undefined;
}

/** `took 300ms`, `in 1.2s`, `(300ms)`. */
function durationIn(lower: string): number | undefined {
  if (!/\d/.test(lower)) return undefined;
  const match =
    /\b(?:took|in|after|duration|elapsed|within)[ :=]{1,3}(\d{1,9}(?:\.\d{1,6})?) ?(ms|milliseconds|s|sec|seconds|min|minutes|m)\b/.exec(
      lower,
    ) ?? /\((\d{1,9}(?:\.\d{1,6})?) ?(ms|s)\)/.exec(lower);
  if (!match) return undefined;
  const unit = match[2] ?? 'ms';
  const perUnit = unit === 'ms' || unit === 'milliseconds' ? 1 : unit.startsWith('s') ? 1000 : 60_000;
  return Math.round(Number(match[1]) * perUnit * 1000) / 1000;
}

/** How far a job has come, from the words: `50%`, `2/5`, `progress 80`, `step 3`, `checkpoint charge`. */
export function addProgress(data: DataDraft, lower: string): void {
  if (data.progress !== undefined) return;
  const percent = /(\d{1,3}(?:\.\d{1,3})?)\s?(?:%|percent|pct)/.exec(lower);
  if (percent) {
    data.progress = Number(percent[1]);
    return;
  }
  const share = /(?<![\w/.:-])(\d{1,12}) ?(?:\/|of|out of) ?(\d{1,12})(?![\w/-])/.exec(lower);
  if (share && !/attempt|try/.test(lower)) {
    data.progress = `${share[1]}/${share[2]}`;
    return;
  }
  const plain =
    /\bprogress(?: (?:is|now|at|to|of|update|updated|reported|changed)){0,3}[ :=]{1,3}(\d{1,3}(?:\.\d{1,3})?)(?![\w.:/-])/.exec(
      lower,
    );
  if (plain) {
    data.progress = Number(plain[1]);
    return;
  }
  const step = /\b(?:step|stage|phase|chunk|batch|page|part|checkpoint)s?[ :#=]{0,3}(?:\d{1,9}|[a-z][\w-]{1,40})/.exec(
    lower,
  );
  if (step) data.progress = step[0];
}

/** The error that a failure tells of, as one line; for an event of another kind none. */
export function errorTextOf(
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
  kind: EventKind,
): string | undefined {
  if (kind !== 'attempt-failed' && kind !== 'handler-threw' && kind !== 'renewal-failed') return undefined;
  const said =
    error?.message ??
    record.fields.errorText ??
    text.fields.errorText ??
    afterColon(record.message) ??
    (kind === 'handler-threw' ? record.message : undefined);
  return said === undefined || said === '' ? undefined : oneLine(said);
}

/** `Job 12 failed: boom`, `12 has failed with boom`. */
function afterColon(message: string): string | undefined {
  const match =
    /\b(?:failed|error|threw|reason|because|failure)\b(?: [\w#-]{1,40}){0,4}?(?:\s?[:—–-]\s|\swith(?: error)?:?\s|\sbecause\s|\sdue to\s)(.{2,400})/i.exec(
      message.slice(0, 1024),
    );
  return match?.[1];
}

/** A text as one line of at most 300 characters. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 2 * MAX_TEXT)
    .replace(/\s+/g, ' ')
    .trim();
  return ownString(line.length > MAX_TEXT ? line.slice(0, MAX_TEXT) : line);
}
