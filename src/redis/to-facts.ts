/**
 * The hash of a job as a fact.
 *
 * Field names: BullMQ 1 to 6 and Bull 4. What `attemptsMade` counts depends on who wrote it: BullMQ up to 4 counts
 * activations in it and keeps no count of ends; Bull counts ends, as `atm` does since BullMQ 5. `ats` or `atm` mark
 * BullMQ 5; among the rest Bull is told by its options, which always hold a `timestamp`.
 */
import type { JobFact } from '../model/fact.js';
import type { QueueName } from './keyspace.js';
import { AsciiNames } from './rdb/ascii-names.js';
import type { RdbString } from './rdb/rdb-string.js';
import { RecentTexts } from './rdb/recent-texts.js';
import { oneLine, progressOf } from './to-events.js';

const MAX_OPTIONS = 256 * 1024;
const MAX_SHORT = 200;
const MAX_SHORT_BYTES = 900;
/** Enough bytes for 300 characters of UTF-8. */
const MAX_LINE_BYTES = 1300;
const MAX_PROGRESS_BYTES = 5000;

/** Fields that are used: first texts, then numbers, then those of which only the presence counts. */
const AT = {
  name: 0,
  opts: 1,
  pb: 2,
  failedReason: 3,
  defa: 4,
  progress: 5,
  parentKey: 6,
  timestamp: 7,
  processedOn: 8,
  finishedOn: 9,
  ats: 10,
  atm: 11,
  attemptsMade: 12,
  stc: 13,
  stalledCounter: 14,
  delay: 15,
  data: 16,
  returnvalue: 17,
} as const;
const NAMES = new AsciiNames(Object.keys(AT));
const line = (maxBytes: number, limit?: number) => () => new RecentTexts(maxBytes, (text) => oneLine(text, limit));
const whole = (maxBytes: number) => () => new RecentTexts(maxBytes);
/** What is of use of each text. */
const TEXTS = [
  line(MAX_SHORT_BYTES, MAX_SHORT),
  whole(MAX_OPTIONS),
  line(MAX_SHORT_BYTES, MAX_SHORT),
  line(MAX_LINE_BYTES),
  line(MAX_LINE_BYTES),
  whole(MAX_PROGRESS_BYTES),
  line(MAX_SHORT_BYTES, 2 * MAX_SHORT),
] as const;
const FIRST_NUMBER = AT.timestamp;
const FIRST_PRESENCE = AT.data;

interface JobOptions {
  readonly attempts: number | undefined;
  readonly byBull: boolean;
  /** Of a repeated job: both libraries write the same options. */
  readonly isUnclear: boolean;
}

const NO_OPTIONS: JobOptions = { attempts: undefined, byBull: false, isUnclear: false };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Gathers the fields of one hash after another. There are so many hashes that the places of fields are used again. */
export class JobHash {
  readonly #texts: string[] = TEXTS.map(() => '');
  readonly #recentTexts = TEXTS.map((create) => create());
  readonly #numbers = new Float64Array(FIRST_PRESENCE);
  /** One bit a field. A text or number without its bit is of a hash before. */
  #present = 0;
  #field = -1;
  #optionsText = '';
  #options = NO_OPTIONS;

  /** Forgets the hash before. */
  clear(): void {
    this.#present = 0;
  }

  /** Notes a field. Returns whether its value is of use; then `value` is to follow. */
  field(name: RdbString): boolean {
    this.#field = NAMES.indexOf(name);
    const field = this.#field;
    if (field < 0) return false;
    this.#present |= 1 << field;
    if (field >= FIRST_PRESENCE) return false;
    // Should the value turn out to be unreadable, there is none.
    if (field < FIRST_NUMBER) this.#texts[field] = '';
    else this.#numbers[field] = Number.NaN;
    return true;
  }

  value(value: RdbString): void {
    const field = this.#field;
    const recent = this.#recentTexts[field];
    if (recent === undefined) this.#numbers[field] = value.number() ?? Number.NaN;
    else this.#texts[field] = recent.of(value);
  }

  /**
   * `job`: what a producer wrote is there. `remnant`: only what a worker or the sweep writes, as when a job was removed
   * while it was waiting or active; that is a job's only in a queue known otherwise. Undefined: some other hash.
   */
  get looksLike(): 'job' | 'remnant' | undefined {
    const signs = Number(this.#has(AT.data)) + Number(this.#has(AT.opts)) + Number(this.#hasTime(AT.timestamp));
    // Bull 3 gave unnamed jobs no name.
    if (signs === 3 || (signs === 2 && this.#has(AT.name))) return 'job';
    const isTouched = this.#has(AT.ats) || this.#has(AT.atm) || this.#has(AT.stc);
    return isTouched || this.#hasTime(AT.processedOn) || this.#hasTime(AT.finishedOn) ? 'remnant' : undefined;
  }

  /** A job of Bull 3 or 4, as far as its hash tells. */
  get isBulls(): boolean {
    return this.#readOptions().byBull && !this.#has(AT.ats) && !this.#has(AT.atm);
  }

  /** The hash as a fact about the job that its key names. `offset`: of the key. */
  fact({ prefix, queue, db }: QueueName, job: string, offset: number): JobFact {
    const hasReturnValue = this.#has(AT.returnvalue);
    const { attempts: maxAttempts, byBull, isUnclear } = this.#readOptions();
    const isNew = this.#has(AT.ats) || this.#has(AT.atm);
    const older = isUnclear && !isNew ? undefined : this.#number(AT.attemptsMade);
    const countsEnds = byBull || isNew;
    const name = this.#line(AT.name);
    const timestamp = this.#number(AT.timestamp);
    const processedOn = this.#number(AT.processedOn);
    const finishedOn = this.#number(AT.finishedOn);
    const attemptsStarted = countsEnds ? this.#number(AT.ats) : older;
    const attemptsMade = countsEnds ? (this.#number(AT.atm) ?? older) : undefined;
    const stalledCounter = this.#number(AT.stc) ?? this.#number(AT.stalledCounter);
    const processedBy = this.#line(AT.pb);
    const failedReason = this.#line(AT.failedReason);
    const deferredFailure = this.#line(AT.defa);
    const progress = progressOf(this.#text(AT.progress));
    const delayMs = this.#number(AT.delay);
    const parentKey = this.#line(AT.parentKey);
    // Set one by one: facts are made by the million, and spreading each member would take longer than reading it.
    const fact: Writable<JobFact> = { type: 'job', prefix, queue, job, offset, hasReturnValue };
    if (db !== undefined) fact.db = db;
    if (name !== undefined) fact.name = name;
    if (timestamp !== undefined) fact.timestamp = timestamp;
    if (processedOn !== undefined) fact.processedOn = processedOn;
    if (finishedOn !== undefined) fact.finishedOn = finishedOn;
    if (attemptsStarted !== undefined) fact.attemptsStarted = attemptsStarted;
    if (attemptsMade !== undefined) fact.attemptsMade = attemptsMade;
    if (stalledCounter !== undefined) fact.stalledCounter = stalledCounter;
    if (maxAttempts !== undefined) fact.maxAttempts = maxAttempts;
    if (processedBy !== undefined) fact.processedBy = processedBy;
    if (failedReason !== undefined) fact.failedReason = failedReason;
    if (deferredFailure !== undefined) fact.deferredFailure = deferredFailure;
    if (progress !== undefined) fact.progress = progress;
    if (delayMs !== undefined) fact.delayMs = delayMs;
    if (parentKey !== undefined) fact.parentKey = parentKey;
    return fact;
  }

  #has(field: number): boolean {
    return (this.#present & (1 << field)) !== 0;
  }

  #number(field: number): number | undefined {
    const value = this.#has(field) ? this.#numbers[field] : undefined;
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  }

  #text(field: number): string {
    return this.#has(field) ? (this.#texts[field] ?? '') : '';
  }

  /** A time in ms of this century, so that foreign hashes with a `timestamp` of another kind are told apart. */
  #hasTime(field: number): boolean {
    const value = this.#number(field);
    return value !== undefined && value > 1e12 && value < 1e13;
  }

  #line(field: number): string | undefined {
    const text = this.#text(field);
    return text === '' ? undefined : text;
  }

  /** Most jobs of a queue have the same options as the one before. */
  #readOptions(): JobOptions {
    const text = this.#text(AT.opts);
    if (text !== this.#optionsText) {
      this.#optionsText = text;
      this.#options = parseOptions(text);
    }
    return this.#options;
  }
}

function parseOptions(text: string): JobOptions {
  if (!text.startsWith('{')) return NO_OPTIONS;
  let options: unknown;
  try {
    options = JSON.parse(text);
  } catch {
    return NO_OPTIONS;
  }
  if (typeof options !== 'object' || options === null) return NO_OPTIONS;
  const attempts = 'attempts' in options && typeof options.attempts === 'number' ? options.attempts : undefined;
  const isLikeBull = 'timestamp' in options && 'delay' in options;
  const isUnclear = isLikeBull && 'prevMillis' in options;
  return { attempts, byBull: isLikeBull && !isUnclear, isUnclear };
}
