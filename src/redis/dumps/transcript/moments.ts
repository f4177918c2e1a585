/**
 * When the answers were given. A transcript carries no times of its own: what bounds them is Redis' clock, where an answer
 * shows it (TIME, INFO, ids of stream entries), a clock of the shell (`date`, a prompt with the time), and, as a last resort
 * that copying spoils, the time of the file.
 */

import type { ReadOptions } from '../../../model/evidence.js';
import { parseTimestamp } from '../../../time/index.js';

/** How far a shell's clock is taken to be off at most; it tells whole seconds. */
const SHELL_SKEW_MS = 1000;
const SECOND_MS = 1000;
const MAX_READINGS = 10_000;

/** A place among the answers. */
export interface Mark {
  /** Latest time of Redis' clock that was past by then. */
  readonly afterMs: number | undefined;
  /** How many readings of a clock had been shown. */
  readonly readings: number;
}

/** What a clock showed, ms on Redis' clock: no earlier answer can be later. */
interface Reading {
  readonly ms: number;
  readonly by: 'redis' | 'shell';
}

/** Where an answer lies, ms on Redis' clock, and by what its later end is known. `none`: only the earlier one is. */
export interface Bounds {
  readonly fromMs: number | undefined;
  readonly toMs: number;
  readonly by: Reading['by'] | 'file' | 'none';
}

/** `date` in the C locale: `Mon Jan 15 10:30:00 UTC 2024`. */
const C_DATE = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d) (\S{1,5}) (\d{4})$/;

export class Moments {
  readonly #modifiedMs: number | undefined;
  readonly #assumeTz: string | undefined;
  readonly #readings: Reading[] = [];
  #pastMs: number | undefined;
  #firstState: Mark | undefined;
  #lastState: Mark | undefined;
  #usesFile = false;
  #usesShell = false;

  constructor({ modifiedMs, assumeTz }: Pick<ReadOptions, 'modifiedMs' | 'assumeTz'>) {
    this.#modifiedMs = modifiedMs;
    this.#assumeTz = assumeTz;
  }

  /** Something that had happened by the time of the answer, ms on Redis' clock. */
  past(ms: number): void {
    this.#pastMs = Math.max(this.#pastMs ?? ms, ms);
  }

  /** Redis' clock at the answer. */
  now(ms: number): void {
    this.past(ms);
    this.#read({ ms, by: 'redis' });
  }

  /** What the shell's clock showed between two answers, whole seconds. Without a zone it says nothing. */
  shell(text: string): void {
    const plain = text.trim().replace(C_DATE, '$2 $1 $5 $3 $4');
    const time = parseTimestamp(plain, this.#assumeTz === undefined ? {} : { assumeTz: this.#assumeTz });
    if (time === undefined || time.assumed !== undefined || time.t + SHELL_SKEW_MS < (this.#pastMs ?? 0)) return;
    this.#usesShell = true;
    this.past(time.t - SHELL_SKEW_MS);
    this.#read({ ms: time.t + SECOND_MS + SHELL_SKEW_MS, by: 'shell' });
  }

  mark(): Mark {
    return { afterMs: this.#pastMs, readings: this.#readings.length };
  }

  /** An answer shows what Redis held at its moment. */
  state(): void {
    const mark = this.mark();
    this.#firstState ??= mark;
    this.#lastState = mark;
  }

  /** Undefined where nothing is known. */
  boundsOf({ afterMs, readings }: Mark): Bounds | undefined {
    const next = this.#readings[readings];
    if (next !== undefined) return { fromMs: afterMs, toMs: next.ms, by: next.by };
    const fileMs = this.#fileMs;
    const last = this.#readings.at(-1);
    // A clock shown shortly before says more than the time of a file that may have been copied since.
    if (last !== undefined && afterMs !== undefined) return { fromMs: afterMs, toMs: last.ms, by: 'none' };
    if (fileMs === undefined) return undefined;
    this.#usesFile = true;
    return { fromMs: afterMs, toMs: fileMs, by: 'file' };
  }

  /** [earliest, latest] of all states, ms on Redis' clock; undefined where one of the two is not known. */
  get span(): readonly [number, number] | undefined {
    const fromMs = this.#firstState?.afterMs;
    const last = this.#lastState;
    if (fromMs === undefined || last === undefined) return undefined;
    const next = this.#readings[last.readings];
    if (next !== undefined) return [fromMs, next.ms];
    const fileMs = this.#fileMs;
    if (fileMs === undefined) return undefined;
    this.#usesFile = true;
    return [fromMs, fileMs];
  }

  /** What was taken for true, as values of one assumption. */
  get assumptions(): string[] {
    return [
      ...(this.#usesFile ? ['answers of a transcript were given before its file was last written'] : []),
      ...(this.#usesShell
        ? [`the clock of a shell in a transcript is within ${SHELL_SKEW_MS} ms of Redis' clock`]
        : []),
    ];
  }

  #read(reading: Reading): void {
    if (this.#readings.length < MAX_READINGS) this.#readings.push(reading);
  }

  /** The file's time, unless it contradicts an answer. */
  get #fileMs(): number | undefined {
    const ms = this.#modifiedMs;
    return ms !== undefined && ms >= (this.#pastMs ?? 0) ? ms : undefined;
  }
}
