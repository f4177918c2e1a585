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
/** How many bytes of a text are of use. */
const TEXT_BYTES = [
  MAX_SHORT_BYTES,
  MAX_OPTIONS,
  MAX_SHORT_BYTES,
  MAX_LINE_BYTES,
  MAX_LINE_BYTES,
  MAX_PROGRESS_BYTES,
  MAX_SHORT_BYTES,
] as const;
const FIRST_PRESENCE = AT.data;

interface JobOptions {
  readonly attempts: number | undefined;
  readonly byBull: boolean;
}

const NO_OPTIONS: JobOptions = { attempts: undefined, byBull: false };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Gathers the fields of one hash after another. There are so many hashes that the places of fields are used again. */
export class JobHash {
  readonly #texts: string[] = TEXT_BYTES.map(() => '');
  readonly #numbers = new Float64Array(FIRST_PRESENCE);
  /** One bit a field. */
  #present = 0;
  #field = -1;
  #optionsText = '';
  #options = NO_OPTIONS;

  /** Forgets the hash before. */
  clear(): void {
    this.#texts.fill('');
    this.#numbers.fill(Number.NaN);
    this.#present = 0;
  }

  /** Notes a field. Returns whether its value is of use; then `value` is to follow. */
  field(name: RdbString): boolean {
    this.#field = NAMES.indexOf(name);
    if (this.#field < 0) return false;
    this.#present |= 1 << this.#field;
    return this.#field < FIRST_PRESENCE;
  }

  value(value: RdbString): void {
    const bytes = TEXT_BYTES[this.#field];
    if (bytes === undefined) this.#numbers[this.#field] = value.number() ?? Number.NaN;
    else this.#texts[this.#field] = value.textUpTo(bytes);
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

  /** The hash as a fact about the job that its key names. `offset`: of the key. */
  fact({ prefix, queue }: QueueName, job: string, offset: number): JobFact {
    const hasReturnValue = this.#has(AT.returnvalue);
    const fact: Writable<JobFact> = { type: 'job', prefix, queue, job, offset, hasReturnValue };
    const { attempts, byBull } = this.#readOptions();
    const older = this.#number(AT.attemptsMade);
    const countsEnds = byBull || this.#has(AT.ats) || this.#has(AT.atm);
    put(fact, 'name', this.#line(AT.name, MAX_SHORT));
    put(fact, 'timestamp', this.#number(AT.timestamp));
    put(fact, 'processedOn', this.#number(AT.processedOn));
    put(fact, 'finishedOn', this.#number(AT.finishedOn));
    put(fact, 'attemptsStarted', countsEnds ? this.#number(AT.ats) : older);
    put(fact, 'attemptsMade', countsEnds ? (this.#number(AT.atm) ?? older) : undefined);
    put(fact, 'stalledCounter', this.#number(AT.stc) ?? this.#number(AT.stalledCounter));
    put(fact, 'maxAttempts', attempts);
    put(fact, 'processedBy', this.#line(AT.pb, MAX_SHORT));
    put(fact, 'failedReason', this.#line(AT.failedReason));
    put(fact, 'deferredFailure', this.#line(AT.defa));
    put(fact, 'progress', progressOf(this.#text(AT.progress)));
    put(fact, 'delayMs', this.#number(AT.delay));
    put(fact, 'parentKey', this.#line(AT.parentKey, 2 * MAX_SHORT));
    return fact;
  }

  #has(field: number): boolean {
    return (this.#present & (1 << field)) !== 0;
  }

  #number(field: number): number | undefined {
    const value = this.#numbers[field];
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  }

  #text(field: number): string {
    return this.#texts[field] ?? '';
  }

  /** A time in ms of this century, so that foreign hashes with a `timestamp` of another kind are told apart. */
  #hasTime(field: number): boolean {
    const value = this.#number(field);
    return value !== undefined && value > 1e12 && value < 1e13;
  }

  #line(field: number, limit?: number): string | undefined {
    const text = this.#text(field);
    return text === '' ? undefined : oneLine(text, limit);
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
  return { attempts, byBull: 'timestamp' in options && 'delay' in options };
}

/** Sets a member, unless nothing is known: members of a fact are absent then, never undefined. */
function put<K extends keyof JobFact>(fact: Writable<JobFact>, member: K, value: JobFact[K] | undefined): void {
  if (value !== undefined) fact[member] = value;
}
