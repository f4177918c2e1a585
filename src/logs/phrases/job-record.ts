/** What a record says of a job's run: the name of an event, the verdict of the stall limit, words, a state, a progress. */
import { ERROR, type LogRecord, type RecordError, type RecordFields } from '../record.js';
import type { Phrase } from './define-phrases.js';
import { addCommon, addLabel, addProgress, errorTextOf } from './details.js';
import { readEventName } from './event-names.js';
import { type DataDraft, type Finding, orNone, type Verdict } from './finding.js';
import { lineShape } from './line-shape.js';
import { readText, type TextReading } from './read-text.js';

const STALL_LIMIT = /\bjob (?:stalled|started) more than (?:allowable limit|maxStalledCount)/;

interface Jobs {
  readonly ids: readonly string[];
  /** Named by a field, or by words that can mean nothing else. */
  readonly certain: boolean;
  /** Perhaps no job's at all. */
  readonly guess?: true;
}

/** Findings about jobs; empty when the record speaks of a job but of no run; undefined when it speaks of none. */
export function aboutJobs(
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
): readonly Finding[] | undefined {
  const fields = record.fields;
  const jobs = jobsOf(fields, text);
  if (jobs === undefined) return undefined;
  const verdict = judge(record, text, error, jobs);
  if (verdict === undefined) return undefined;
  if (verdict === null) return [];
  const data: DataDraft = {};
  if (verdict.command !== undefined) data.command = verdict.command;
  if (verdict.soft) data.soft = true;
  addCommon(data, fields, text);
  const said = errorTextOf(record, text, error, verdict.kind);
  if (said !== undefined) data.text = said;
  if (verdict.kind === 'handler-line' || verdict.kind === 'numbered-line')
    data.shape = lineShape(record.message, jobs.ids);
  if (verdict.kind === 'handler-progress') addProgress(data, text.lower);
  if (verdict.kind === 'stalled-notice' || verdict.kind === 'acknowledged') {
    const prev = fields.prev ?? text.fields.prev ?? /\(was (\w{4,20})\)/.exec(text.lower)?.[1];
    if (prev !== undefined) data.prev = prev;
  }
  const { kind } = verdict;
  const queue = queueOf(fields, text);
  addLabel(data, queue, fields);
  const prefix = fields.prefix ?? text.fields.prefix ?? text.mention?.prefix;
  const token = fields.token ?? text.fields.token;
  const details = orNone(data);
  return jobs.ids.map((job) => ({ kind, job, queue, prefix, token, data: details }));
}

function jobsOf(fields: RecordFields, text: TextReading): Jobs | undefined {
  const said = text.fields;
  const named = fields.jobs ?? said.jobs;
  if (named !== undefined && named.length > 0) return { ids: named, certain: true };
  const bare = fields.bareId ?? said.bareId;
  if (bare !== undefined && isJobs(fields, text)) return { ids: [bare], certain: true };
  const { mention } = text;
  if (mention !== undefined && !mention.guess) return { ids: mention.ids, certain: mention.weak === undefined };
  const payload = said.payloadJobs;
  if (payload !== undefined && text.words.speaksOfJobs) return { ids: payload, certain: true };
  return mention && { ids: mention.ids, certain: false, guess: true };
}

/** Whether an `id` without a name is a job's: the record is shaped like a job or speaks of one. */
function isJobs(fields: RecordFields, text: TextReading): boolean {
  return (
    fields.jobShaped !== undefined ||
    text.fields.jobShaped !== undefined ||
    fields.queue !== undefined ||
    fields.jobName !== undefined ||
    text.words.speaksOfJobs ||
    (fields.event !== undefined && /job/i.test(fields.event))
  );
}

/** Null: the record is about jobs, and says nothing about a run. Undefined: it is not about a job. */
function judge(
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
  jobs: Jobs,
): Verdict | null | undefined {
  const { fields } = record;
  if (jobs.guess) return text.words.process()?.kind ? undefined : { kind: 'numbered-line' };
  const event = fields.event ?? text.fields.event;
  const named = event === undefined ? undefined : readEventName(event);
  if (named) return named.kind === null ? moveOnly(text) : { kind: named.kind, soft: named.soft };
  const reason = error?.message ?? fields.errorText ?? text.fields.errorText;
  // The stall limit's verdict is a reason that BullMQ gives to a job only once it has failed it.
  if (reason !== undefined && STALL_LIMIT.test(reason)) return { kind: 'attempt-failed' };
  const written = event === undefined ? eventAsMessage(record.message) : undefined;
  if (written) return written;
  const phrase = phraseOf(text, event);
  if (phrase) return phrase.kind === null ? null : { kind: phrase.kind, soft: phrase.soft, command: phrase.command };
  const state = fields.state ?? text.fields.state;
  const stated = state === undefined ? undefined : readEventName(state);
  if (stated?.kind && jobs.certain) return { kind: stated.kind, soft: true };
  const dumped = fields.jobShaped !== undefined && record.message === '';
  if ((fields.progress ?? text.fields.progress) !== undefined && jobs.certain && !dumped)
    return { kind: 'handler-progress' };
  // No word of a job's life: an uncertain mention was none.
  if (!jobs.certain) return undefined;
  if (text.words.process()?.kind && !fields.jobs) return undefined;
  if ((record.level ?? 0) >= ERROR || error?.stack !== undefined) return { kind: 'handler-threw', soft: true };
  return fields.request ? null : { kind: 'handler-line' };
}

/** `job.completed` as the whole message: a name, and yet no proof that the worker's event wrote it. */
function eventAsMessage(message: string): Verdict | undefined {
  if (message.length > 60 || !/^[a-z]\w*(?:[.:/][a-z]\w*)+$/i.test(message)) return undefined;
  const kind = readEventName(message)?.kind;
  return kind ? { kind, soft: kind === 'acknowledged' || kind === 'attempt-failed' } : undefined;
}

/** The event is of no interest, but the words may still report a move. */
function moveOnly(text: TextReading): Verdict | null {
  const phrase = text.words.job();
  return phrase?.kind === 'moved-by-handler' ? { kind: phrase.kind, command: phrase.command, soft: phrase.soft } : null;
}

/** The words of the message, or those an event's name is made of: `job_picked_up`. */
function phraseOf(text: TextReading, event: string | undefined): Phrase | undefined {
  const phrase = text.lower === '' ? undefined : text.words.job();
  return phrase || event === undefined ? phrase : readText(event.replace(/[._:/-]+/g, ' ')).words.job();
}

export function queueOf(fields: RecordFields, text: TextReading): string | undefined {
  return fields.queue ?? text.fields.queue ?? text.mention?.queue;
}
