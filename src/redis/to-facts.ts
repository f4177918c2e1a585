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

/** Fields that are used, and what of them: a number, a text of so many bytes, or only that there is one. */
const FIELDS: readonly (readonly [name: string, use: 'number' | 'presence' | number])[] = [
  ['name', MAX_SHORT_BYTES],
  ['opts', MAX_OPTIONS],
  ['pb', MAX_SHORT_BYTES],
  ['failedReason', MAX_LINE_BYTES],
  ['defa', MAX_LINE_BYTES],
  ['progress', 5000],
  ['parentKey', MAX_SHORT_BYTES],
  ['timestamp', 'number'],
  ['processedOn', 'number'],
  ['finishedOn', 'number'],
  ['ats', 'number'],
  ['atm', 'number'],
  ['attemptsMade', 'number'],
  ['stc', 'number'],
  ['stalledCounter', 'number'],
  ['delay', 'number'],
  ['data', 'presence'],
  ['returnvalue', 'presence'],
];
const NAMES = new AsciiNames(FIELDS.map(([name]) => name));

interface JobOptions {
  readonly attempts: number | undefined;
  readonly byBull: boolean;
}

const NO_OPTIONS: JobOptions = { attempts: undefined, byBull: false };

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Gathers the fields of one hash after another. */
export class JobHash {
  readonly #texts = new Map<string, string>();
  readonly #numbers = new Map<string, number>();
  readonly #present = new Set<string>();
  #field = -1;
  #optionsText = '';
  #options = NO_OPTIONS;
}
