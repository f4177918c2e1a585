/**
 * What the words of a text say, worked out once for each shape of text. A log says the same few hundred things again and
 * again with other numbers in them; with the numbers made equal they are the same text, and its reading is remembered.
 * Everything here is computed from the shape alone, so that it cannot depend on what was read before.
 */
import { ownString } from '../own-string.js';
import { firstPhrase, type Phrase, type Theme } from './define-phrases.js';
import { eventLoop } from './event-loop.js';
import { handlerEnds, workerNews } from './job-ends.js';
import { jobPatternOf } from './job-ids.js';
import { jobMoves } from './job-moves.js';
import { jobProgress } from './job-progress.js';
import { jobBeginnings, jobStarts, producerWords } from './job-starts.js';
import { withoutNegated } from './negation.js';
import { processEnd } from './process-end.js';
import { redisLink } from './redis-link.js';
import { workerLife } from './worker-life.js';

const JOB_THEMES: readonly Theme[] = [
  producerWords,
  jobMoves,
  workerNews,
  jobBeginnings,
  jobProgress,
  handlerEnds,
  jobStarts,
];
const PROCESS_THEMES: readonly Theme[] = [processEnd, eventLoop, redisLink, workerLife];

export interface ShapeReading {
  /** What the words say if the record is about a job. */
  job(): Phrase | undefined;
  /** What the words say about the process. */
  process(): Phrase | undefined;
  /** Which pattern of job ids the text fits; -1 for none. */
  readonly jobPattern: number;
  readonly speaksOfJobs: boolean;
}

const MEMORY_LIMIT = 4096;
const MAX_REMEMBERED = 400;
const memory = new Map<string, ShapeReading>();

const A_UUID = '77777777-7777-7777-7777-777777777777';
/** UUIDs, and numbers but for a lone 0: "0 failed" is another statement than "3 failed". */
const NUMBER = /[1-9]\d*|0\d+/g;
const UUID_OR_NUMBER = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[1-9]\d*|0\d+/gi;

export function readShape(words: string): ShapeReading {
  const shape =
    words.length > 36 && words.includes('-')
      ? words.replace(UUID_OR_NUMBER, (part) => (part.length === A_UUID.length && part.includes('-') ? A_UUID : '7'))
      : words.replace(NUMBER, '7');
  const known = memory.get(shape);
  if (known) return known;
  const reading = read(shape);
  if (shape.length <= MAX_REMEMBERED) {
    if (memory.size >= MEMORY_LIMIT) memory.clear();
    memory.set(ownString(shape), reading);
  }
  return reading;
}

const LABELS = /^(?:\W{0,3}\[[^\]\n]{1,60}\][:\s]{0,3}){1,3}/;
/** An attempt's number is no progress: "attempt 1/3", "try 2 of 5". */
const ATTEMPT =
  /\b(?:attempts?|try|tries|retry|retries)(?: number| no\.?)?[ :#=]{0,3}\d{1,5}(?: ?(?:\/|of|out of) ?\d{1,5})?/g;

function read(shape: string): ShapeReading {
  const lower = shape.toLowerCase();
  let job: Phrase | undefined | null = null;
  let process: Phrase | undefined | null = null;
  return {
    job() {
      if (job === null) {
        const plain = lower.replace(LABELS, '').replace(ATTEMPT, ' ').trim();
        job = firstPhrase(JOB_THEMES, plain, withoutNegated(plain));
      }
      return job;
    },
    process() {
      if (process === null) process = firstPhrase(PROCESS_THEMES, lower, withoutNegated(lower));
      return process;
    },
    jobPattern: jobPatternOf(shape, lower),
    speaksOfJobs: /\bjobs?\b/.test(lower),
  };
}
