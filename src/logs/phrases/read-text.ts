/** What the message of a record says: fields written into it, job ids, BullMQ's error texts, and its words. */
import { tokenIn } from '../fields/assign.js';
import { takePairs } from '../fields/pairs.js';
import { ownString } from '../own-string.js';
import type { RecordFields } from '../record.js';
import { type ErrorReading, readBullmqError } from './bullmq-errors.js';
import { findJobs, type JobMention } from './job-ids.js';
import { readShape, type ShapeReading } from './read-shape.js';

/** No text is read further than this: what matters stands at the front, and hostile lines stay cheap. */
const MAX_TEXT = 2048;
const MEMORY_LIMIT = 4096;
const MAX_REMEMBERED = 160;

export interface TextReading {
  /** Fields written into the text. */
  readonly fields: RecordFields;
  /** The text without those fields, in lower case. */
  readonly lower: string;
  readonly mention: JobMention | undefined;
  readonly error: ErrorReading | undefined;
  readonly words: ShapeReading;
}

/** Readings of whole texts without digits, which loggers with fields of their own repeat as they are. */
const memory = new Map<string, TextReading>();

export function readText(message: string): TextReading {
  const known = memory.get(message);
  if (known) return known;
  const reading = read(message);
  if (message.length <= MAX_REMEMBERED && !/\d/.test(message)) {
    if (memory.size >= MEMORY_LIMIT) memory.clear();
    memory.set(ownString(message), reading);
  }
  return reading;
}

function read(message: string): TextReading {
  const fields: RecordFields = {};
  const left = takePairs(message, fields).trim();
  const words = left.length > MAX_TEXT ? left.slice(0, MAX_TEXT) : left;
  const text = message.length > MAX_TEXT ? message.slice(0, MAX_TEXT) : message;
  if (text.length > 36 && text.includes(':')) fields.token ??= tokenIn(text);
  const shape = readShape(words);
  const lower = words.toLowerCase();
  return {
    fields,
    lower,
    mention: shape.jobPattern < 0 ? undefined : findJobs(words, lower, shape.jobPattern),
    error: readBullmqError(text, words === text ? lower : text.toLowerCase()),
    words: shape,
  };
}
