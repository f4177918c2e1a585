/**
 * From a record to what it is evidence of. Proof goes first: BullMQ's own error texts, then the name of an event, then
 * words.
 */
import { firstLine } from '../fields/collect.js';
import type { LogRecord, RecordError } from '../record.js';
import type { TeamWords } from '../team/team-words.js';
import { type ErrorReading, isRefusedCall, readBullmqError } from './bullmq-errors.js';
import { addCommon, addLabel } from './details.js';
import { type DataDraft, type Finding, orNone } from './finding.js';
import { aboutJobs, queueOf } from './job-record.js';
import { aboutProcess } from './process-record.js';
import { readText, type TextReading } from './read-text.js';
import { readStack } from './stack.js';

const MAX_ERROR = 4096;
const NONE: readonly Finding[] = [];

/** What a record is evidence of; mostly nothing or one thing. The team's own word goes first. Never throws. */
export function readRecord(record: LogRecord, team?: TeamWords): readonly Finding[] {
  if (team === undefined) return understand(record);
  return team.findings(record) ?? team.settle(understand(record));
}

function understand(record: LogRecord): readonly Finding[] {
  const text = readText(record.message);
  const error = record.error ?? record.fields.error;
  const known = bullmqErrors(record, text, error);
  if (known === undefined && record.fields.jobs === undefined && isRefusedCall(record.message)) return NONE;
  return known ?? aboutJobs(record, text, error) ?? aboutProcess(record, text, error) ?? NONE;
}

/** BullMQ's error texts, wherever the record has them: in its error, its stack, a string field or its message. */
function bullmqErrors(
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
): readonly Finding[] | undefined {
  const { fields } = record;
  const stack = error?.stack ?? fields.errorStack ?? text.fields.errorStack ?? stackIn(record.message);
  const reading =
    fromText(error?.message) ??
    (stack === undefined ? undefined : fromText(firstLine(stack))) ??
    fromText(fields.errorText ?? text.fields.errorText) ??
    text.error;
  if (reading === undefined) return undefined;
  const data: DataDraft = {};
  if (reading.command !== undefined) data.command = reading.command;
  if (stack !== undefined) Object.assign(data, readStack(stack));
  addCommon(data, fields, text);
  const ids = reading.job === undefined ? (fields.jobs ?? [undefined]) : [reading.job];
  const { kind } = reading;
  const queue = reading.queue ?? queueOf(fields, text);
  addLabel(data, queue, fields);
  const prefix = reading.prefix ?? fields.prefix;
  const token = fields.token ?? text.fields.token;
  const details = orNone(data);
  return ids.map((job) => ({ kind, job, queue, prefix, token, data: details }));
}

/** Loggers that are given an error as their message print its stack there. */
const stackIn = (message: string): string | undefined =>
  /\n\s{0,60}(?:at |File ")/.test(message) ? message : undefined;

function fromText(text: string | undefined): ErrorReading | undefined {
  if (text === undefined) return undefined;
  const head = text.length > MAX_ERROR ? text.slice(0, MAX_ERROR) : text;
  return readBullmqError(head, head.toLowerCase());
}
