/**
 * From a record to what it is evidence of. Proof goes first: BullMQ's own error texts, then the name of an event, then a
 * job's progress in a field, then words.
 */
import type { EventData, EventKind } from '../../model/event.js';
import { firstLine } from '../fields/collect.js';
import { ERROR, type LogRecord, type RecordError, type RecordFields } from '../record.js';
import { type ErrorReading, readBullmqError } from './bullmq-errors.js';
import type { Phrase } from './define-phrases.js';
import { lagIn } from './event-loop.js';
import { readEventName } from './event-names.js';
import { readText, type TextReading } from './read-text.js';
import { NETWORK_CODE, REDIS_WORDS } from './redis-link.js';
import { readStack } from './stack.js';

/** One event of a record, before time, place and process are added. */
export interface Finding {
  readonly kind: EventKind;
  readonly job?: string | undefined;
  readonly queue?: string | undefined;
  readonly prefix?: string | undefined;
  readonly token?: string | undefined;
  readonly data?: EventData | undefined;
}

type Draft = { -readonly [K in keyof EventData]: EventData[K] };

const MAX_TEXT = 300;
const MAX_ERROR = 4096;
const NONE: readonly Finding[] = [];
const JOB_WORD = /\bjobs?\b/;

/** What a record is evidence of; mostly nothing or one thing. Never throws. */
export function readRecord(record: LogRecord): readonly Finding[] {
  const text = readText(record.message);
  const fields = record.fields;
  const error = record.error ?? fields.error;
  return (
    bullmqErrors(record, text, error) ??
    aboutJobs(record, text, error, jobsOf(fields, text)) ??
    aboutProcess(record, text, error) ??
    NONE
  );
}

interface Jobs {
  readonly ids: readonly string[];
  /** Named by a field, or by words that can mean nothing else. */
  readonly certain: boolean;
}

function jobsOf(fields: RecordFields, text: TextReading): Jobs | undefined {
  const named = fields.jobs ?? text.fields.jobs;
  if (named !== undefined && named.length > 0) return { ids: named, certain: true };
  const mention = text.mention;
  const bare = fields.bareId ?? text.fields.bareId;
  if (bare !== undefined && isJobs(fields, text)) return { ids: [bare], certain: true };
  if (mention !== undefined) return { ids: mention.ids, certain: mention.weak === undefined };
  return undefined;
}

/** Whether an `id` without a name is a job's: the record is shaped like a job or speaks of one. */
function isJobs(fields: RecordFields, text: TextReading): boolean {
  return (
    fields.jobShaped !== undefined ||
    text.fields.jobShaped !== undefined ||
    fields.queue !== undefined ||
    fields.jobName !== undefined ||
    JOB_WORD.test(text.lower) ||
    (fields.event !== undefined && /job/i.test(fields.event))
  );
}

/** BullMQ's error texts, wherever the record has them: in its error, its stack, a string field or its message. */
function bullmqErrors(
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
): readonly Finding[] | undefined {
  const reading =
    fromText(error?.message) ??
    (error?.stack === undefined ? undefined : fromText(firstLine(error.stack))) ??
    fromText(record.fields.errorText ?? text.fields.errorText) ??
    text.error;
  if (reading === undefined) return undefined;
  const data: Draft = {};
  if (reading.command !== undefined) data.command = reading.command;
  const stack = error?.stack ?? record.fields.errorStack;
  if (stack !== undefined) Object.assign(data, readStack(stack));
  addCommon(data, record.fields, text);
  const job = reading.job;
  const ids = job === undefined ? (record.fields.jobs ?? [undefined]) : [job];
  return ids.map((id) => ({
    kind: reading.kind,
    job: id,
    queue: reading.queue ?? queueOf(record.fields, text),
    prefix: reading.prefix ?? record.fields.prefix,
    token: record.fields.token ?? text.fields.token,
    data: orNone(data),
  }));
}

function fromText(text: string | undefined): ErrorReading | undefined {
  if (text === undefined) return undefined;
  const head = text.length > MAX_ERROR ? text.slice(0, MAX_ERROR) : text;
  return readBullmqError(head, head.toLowerCase());
}

function aboutJobs(
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
  jobs: Jobs | undefined,
): readonly Finding[] | undefined {
  if (jobs === undefined) return undefined;
  const fields = record.fields;
  const verdict = judge(record, text, error, jobs);
  if (verdict === undefined) return undefined;
  if (verdict === null) return NONE;
  const data: Draft = {};
  if (verdict.command !== undefined) data.command = verdict.command;
  if (verdict.soft) data.soft = true;
  addCommon(data, fields, text);
  const said = errorTextOf(record, text, error, verdict.kind);
  if (said !== undefined) data.text = said;
  if (verdict.kind === 'handler-progress') addProgress(data, text);
  const prev = fields.prev ?? text.fields.prev;
  if (prev !== undefined && (verdict.kind === 'stalled-notice' || verdict.kind === 'acknowledged')) data.prev = prev;
  return jobs.ids.map((job) => ({
    kind: verdict.kind,
    job,
    queue: queueOf(fields, text),
    prefix: fields.prefix ?? text.fields.prefix ?? text.mention?.prefix,
    token: fields.token ?? text.fields.token,
    data: orNone(data),
  }));
}

interface Verdict {
  readonly kind: EventKind;
  readonly soft?: boolean;
  readonly command?: string | undefined;
}

/** Null: the record is about jobs, and says nothing about a run. Undefined: it is not about a job. */
function judge(
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
  jobs: Jobs,
): Verdict | null | undefined {
  const fields = record.fields;
  const event = fields.event ?? text.fields.event;
  const named = event === undefined ? undefined : readEventName(event);
  if (named) return named.kind === null ? silent(text) : { kind: named.kind, soft: named.soft ?? false };
  const phrase = phraseOf(text, event);
  if (phrase) return phrase.kind === null ? null : fromPhrase(phrase.kind, phrase, text);
  const state = fields.state ?? text.fields.state;
  const stated = state === undefined ? undefined : readEventName(state);
  if (stated?.kind && jobs.certain) return { kind: stated.kind, soft: true };
  if ((fields.progress ?? text.fields.progress) !== undefined && jobs.certain) return { kind: 'handler-progress' };
  // No word of a job's life: then an uncertain mention was none.
  if (!jobs.certain) return undefined;
  if (text.process()?.kind && !fields.jobs) return undefined;
  if ((record.level ?? 0) >= ERROR || error?.stack !== undefined) return { kind: 'handler-threw', soft: true };
  return fields.request ? null : { kind: 'handler-line' };
}

/** The event is of no interest, but the words may still report a move or an end. */
function silent(text: TextReading): Verdict | null {
  const phrase = text.job();
  return phrase?.kind === 'moved-by-handler'
    ? { kind: phrase.kind, command: phrase.command, soft: phrase.soft ?? false }
    : null;
}

/** The words of the message, or those an event's name is made of: `job_picked_up`. */
function phraseOf(text: TextReading, event: string | undefined): Phrase | undefined {
  const phrase = text.lower === '' ? undefined : text.job();
  if (phrase || event === undefined) return phrase;
  return readText(event.replace(/[._:/-]+/g, ' ')).job();
}

function fromPhrase(kind: EventKind, phrase: Phrase, text: TextReading): Verdict {
  // An end said in so many words is still only words: the worker's event may have printed them.
  const soft = phrase.soft ?? (kind === 'acknowledged' || kind === 'attempt-failed' ? undefined : false);
  return { kind, soft: soft ?? (text.lower.includes('event') ? false : phrase.soft === true), command: phrase.command };
}

function addCommon(data: Draft, fields: RecordFields, text: TextReading): void {
  const jobName = fields.jobName ?? text.fields.jobName ?? text.mention?.jobName;
  if (jobName !== undefined) data.jobName = jobName.slice(0, 120);
  const attempt = fields.attempt ?? text.fields.attempt ?? text.mention?.attempt ?? attemptIn(text.lower);
  if (attempt !== undefined) data.attempt = attempt;
  const progress = fields.progress ?? text.fields.progress;
  if (progress !== undefined) data.progress = progress;
  const durationMs = fields.durationMs ?? text.fields.durationMs ?? durationIn(text.lower);
  if (durationMs !== undefined) data.durationMs = durationMs;
}

function attemptIn(lower: string): number | undefined {
  if (!lower.includes('attempt') && !lower.includes('try ')) return undefined;
  const match =
    /\b(?:attempt(?:s ?made)?|try)(?: number| no\.?)?[ :#=]{0,3}(\d{1,5})\b(?! (?:left|remaining|seconds|ms|minutes))/.exec(
      lower,
    );
  return match ? Number(match[1]) : undefined;
}

function durationIn(lower: string): number | undefined {
  const match =
    /\b(?:took|in|after|duration|elapsed|within)[ :=]{1,3}(\d{1,9}(?:\.\d{1,6})?) ?(ms|milliseconds|s|sec|seconds|min|minutes|m)\b/.exec(
      lower,
    ) ?? /\((\d{1,9}(?:\.\d{1,6})?) ?(ms|s)\)/.exec(lower);
  if (!match) return undefined;
  const unit = match[2] ?? 'ms';
  const perUnit = unit === 'ms' || unit === 'milliseconds' ? 1 : unit.startsWith('s') ? 1000 : 60_000;
  return Math.round(Number(match[1]) * perUnit * 1000) / 1000;
}

function addProgress(data: Draft, text: TextReading): void {
  if (data.progress !== undefined) return;
  const lower = text.lower;
  const percent = /(\d{1,3}(?:\.\d{1,3})?)\s?(?:%|percent|pct)/.exec(lower);
  if (percent) {
    data.progress = Number(percent[1]);
    return;
  }
  const share = /(?<![\w/.:-])(\d{1,12}) ?(?:\/|of|out of) ?(\d{1,12})(?![\w/-])/.exec(lower);
  const step =
    /\b(?:(?:step|stage|phase|chunk|batch|page|part|checkpoint|progress)s?[ :#=]{0,3}(?:\d{1,9}|[a-z][\w-]{1,40}))/.exec(
      lower,
    );
  if (share && !/attempt|try/.test(lower)) data.progress = `${share[1]}/${share[2]}`;
  else if (step) data.progress = step[0].replace(/^progress[ :#=]*/, '');
}

/** The error a record tells of, as one line; for a line of another kind none. */
function errorTextOf(
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
  return said === undefined ? undefined : oneLine(said);
}

/** `Job 12 failed: boom`, `12 has failed with boom`. */
function afterColon(message: string): string | undefined {
  const match =
    /\b(?:failed|error|threw|reason|because|failure)\b(?: [\w#-]{1,40}){0,4}?(?:\s?[:—–-]\s|\swith(?: error)?:?\s|\sbecause\s|\sdue to\s)(.{2,400})/i.exec(
      message.slice(0, 1024),
    );
  return match?.[1];
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 2 * MAX_TEXT)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_TEXT ? line.slice(0, MAX_TEXT) : line;
}

function queueOf(fields: RecordFields, text: TextReading): string | undefined {
  return fields.queue ?? text.fields.queue ?? text.mention?.queue;
}

function aboutProcess(
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
): readonly Finding[] | undefined {
  const fields = record.fields;
  const found: Finding[] = [];
  const queue = queueOf(fields, text);
  const reading = processKind(record, text, error);
  if (reading) {
    const data: Draft = {};
    if (reading.soft) data.soft = true;
    addProcessData(data, reading.kind, record, text, error);
    found.push({ kind: reading.kind, queue, data: orNone(data) });
  }
  const settings = fields.settings ?? text.fields.settings;
  if (settings !== undefined && fields.request === undefined)
    found.push({ kind: 'settings', queue, data: { settings } });
  return found.length > 0 ? found : undefined;
}

function processKind(record: LogRecord, text: TextReading, error: RecordError | undefined): Verdict | undefined {
  const event = record.fields.event ?? text.fields.event;
  const named = event === undefined ? undefined : readEventName(event);
  if (named?.kind && PROCESS_EVENTS.has(named.kind)) return { kind: named.kind };
  if ((record.fields.lagMs ?? text.fields.lagMs) !== undefined && /lag|block|delay|loop/.test(text.lower))
    return { kind: 'event-loop-lag' };
  const message = text.process();
  if (message?.kind && isBelieved(message.kind, text.lower, record, error))
    return { kind: message.kind, soft: message.soft ?? false };
  const said = error?.message ?? record.fields.errorText ?? text.fields.errorText;
  if (said !== undefined) {
    const inner = readText(said.slice(0, MAX_ERROR));
    const phrase = inner.process();
    if (
      phrase?.kind &&
      phrase.kind.startsWith('redis-') &&
      isBelieved(phrase.kind, `${text.lower} ${inner.lower}`, record, error)
    ) {
      return { kind: phrase.kind };
    }
  }
  if (error?.stack?.includes('Node.js v')) return { kind: 'process-crashed' };
  if (event === undefined) return undefined;
  const words = readText(event.replace(/[._:/-]+/g, ' ')).process();
  return words?.kind ? { kind: words.kind, soft: words.soft ?? false } : undefined;
}

const PROCESS_EVENTS: ReadonlySet<EventKind> = new Set<EventKind>([
  'worker-ready',
  'worker-closing',
  'worker-closed',
  'process-crashed',
  'event-loop-lag',
]);

/** A code such as ECONNRESET is Redis' only where something says so, or where nothing else could be meant. */
function isBelieved(kind: EventKind, words: string, record: LogRecord, error: RecordError | undefined): boolean {
  if (kind === 'redis-lost' && NETWORK_CODE.test(words)) {
    const stack = error?.stack ?? record.fields.errorStack ?? '';
    if (REDIS_WORDS.test(words) || /ioredis|bullmq|redis/.test(stack.slice(0, 8192))) return true;
    return record.format === 'error-text' && !/axios|fetch|http|undici|pg-pool|mongo|got\b/i.test(stack.slice(0, 8192));
  }
  return true;
}

function addProcessData(
  data: Draft,
  kind: EventKind,
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
): void {
  const said = error?.message ?? record.fields.errorText ?? text.fields.errorText;
  switch (kind) {
    case 'worker-signal': {
      const signal = record.fields.signal ?? text.fields.signal ?? signalIn(text.lower);
      if (signal !== undefined) data.signal = signal.toUpperCase();
      return;
    }
    case 'process-ended': {
      const signal =
        record.fields.signal ??
        text.fields.signal ??
        exitIn(text.lower) ??
        record.fields.exitCode ??
        text.fields.exitCode;
      if (signal !== undefined) data.signal = String(signal).toUpperCase();
      data.text = oneLine(record.message);
      return;
    }
    case 'event-loop-lag': {
      const lag =
        record.fields.lagMs ??
        text.fields.lagMs ??
        record.fields.durationMs ??
        text.fields.durationMs ??
        lagIn(text.lower);
      if (lag !== undefined) data.lagMs = lag;
      return;
    }
    case 'process-crashed':
      data.text = oneLine(said ?? record.message);
      return;
    case 'redis-lost':
    case 'redis-refused':
      data.text = oneLine(said ?? record.message);
      return;
    default:
  }
}

function signalIn(lower: string): string | undefined {
  return /\bsig(?:term|int|hup|quit|usr2|kill|abrt|segv)\b/.exec(lower)?.[0];
}

/** Exit code or signal: `code 137`, `code [1] via signal [SIGINT]`, `OOMKilled`. */
function exitIn(lower: string): string | undefined {
  if (lower.includes('oom')) return 'OOMKILLED';
  const signal = signalIn(lower);
  if (signal !== undefined) return signal;
  const code =
    /\b(?:code|status|exited|exit|exitcode)[ :=["']{0,3}(?:with |code |status )?[ :=["']{0,3}(\d{1,3})\b/.exec(lower);
  return code?.[1] ?? (/\bkilled\b/.test(lower) ? 'SIGKILL' : undefined);
}

function orNone(data: Draft): EventData | undefined {
  for (const _ in data) return data;
  return undefined;
}
