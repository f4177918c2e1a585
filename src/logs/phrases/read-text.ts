/** What the message of a record says, worked out once a message: logs repeat theirs, with the ids in fields of their own. */
import { tokenIn } from '../fields/assign.js';
import { takePairs } from '../fields/pairs.js';
import type { RecordFields } from '../record.js';
import { type ErrorReading, readBullmqError } from './bullmq-errors.js';
import { firstPhrase, type Phrase, type Theme } from './define-phrases.js';
import { eventLoop } from './event-loop.js';
import { handlerEnds, workerNews } from './job-ends.js';
import { findJobs, type JobMention } from './job-ids.js';
import { jobMoves } from './job-moves.js';
import { jobProgress } from './job-progress.js';
import { jobStarts, producerWords } from './job-starts.js';
import { withoutNegated } from './negation.js';
import { processEnd } from './process-end.js';
import { redisLink } from './redis-link.js';
import { workerLife } from './worker-life.js';

const JOB_THEMES: readonly Theme[] = [producerWords, jobMoves, workerNews, jobProgress, handlerEnds, jobStarts];
const PROCESS_THEMES: readonly Theme[] = [processEnd, eventLoop, redisLink, workerLife];

/** No text is read further than this: what matters stands at the front, and hostile lines stay cheap. */
const MAX_TEXT = 2048;
const MEMORY_LIMIT = 4096;
const MAX_REMEMBERED = 160;

export interface TextReading {
  /** Fields written into the text. */
  readonly fields: RecordFields;
  readonly lower: string;
  readonly mention: JobMention | undefined;
  readonly error: ErrorReading | undefined;
  /** What the words say if the record is about a job. */
  job(): Phrase | undefined;
  /** What the words say about the process. */
  process(): Phrase | undefined;
}

const memory = new Map<string, TextReading>();

export function readText(message: string): TextReading {
  const known = memory.get(message);
  if (known) return known;
  const reading = read(message);
  // A text with digits will hardly come again as it is.
  if (message.length <= MAX_REMEMBERED && !/\d/.test(message)) {
    if (memory.size >= MEMORY_LIMIT) memory.clear();
    memory.set(message, reading);
  }
  return reading;
}

function read(message: string): TextReading {
  const text = message.length > MAX_TEXT ? message.slice(0, MAX_TEXT) : message;
  const fields: RecordFields = {};
  const words = takePairs(text, fields).trim();
  fields.token ??= text.includes('-') ? tokenIn(text) : undefined;
  const lower = words.toLowerCase();
  const error = readBullmqError(text, text.toLowerCase());
  let job: Phrase | undefined | null = null;
  let process: Phrase | undefined | null = null;
  // An attempt's number is no progress: "attempt 1/3", "try 2 of 5".
  const plain = lower
    .replace(
      /\b(?:attempts?|try|tries|retry|retries)(?: number| no\.?)?[ :#=]{0,3}\d{1,5}(?: ?(?:\/|of|out of) ?\d{1,5})?/g,
      ' ',
    )
    .trim();
  return {
    fields,
    lower,
    mention: findJobs(words, lower),
    error,
    job() {
      if (job === null) job = firstPhrase(JOB_THEMES, plain, withoutNegated(plain));
      return job;
    },
    process() {
      if (process === null) process = firstPhrase(PROCESS_THEMES, lower, withoutNegated(lower));
      return process;
    },
  };
}
