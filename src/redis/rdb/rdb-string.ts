/**
 * One string of an RDB, seen in place.
 *
 * An object of this class is reused for string after string: it is valid only until the call that handed it out
 * returns. Decoding happens when `text` is asked for, so what is only looked at costs nothing.
 */
import { byteAt } from './byte-at.js';

const NO_BYTES = Buffer.alloc(0);
const MAX_EXACT_DIGITS = 15;
const ZERO = 48;
/** Digits of which any number is a small integer. */
const SMALL_DIGITS = 9;
const SMALL_LIMIT = 10 ** SMALL_DIGITS;

export class RdbString {
  #bytes: Buffer = NO_BYTES;
  #from = 0;
  #to = 0;
  /** Set for a string stored as a number, or already decoded. */
  #value: number | string | undefined;

  /** The bytes `[from, to)` as they stand. */
  setRaw(bytes: Buffer, from: number, to: number): void {
    this.#bytes = bytes;
    this.#from = from;
    this.#to = to;
    this.#value = undefined;
  }

  /** A number that Redis stored as such, or (beyond 2^53) its decimal text. */
  setValue(value: number | string): void {
    this.#value = value;
  }

  /** Length in bytes of the string itself, not of what stores it. */
  get byteLength(): number {
    if (this.#value !== undefined) return String(this.#value).length;
    return this.#to - this.#from;
  }

  /** Whether the string stands as bytes, so that `byteAt` can look at it. */
  get isPlain(): boolean {
    return this.#value === undefined;
  }

  /** One byte of a plain string, without decoding the rest. Index from the start, or negative from the end. */
  byteAt(index: number): number {
    return byteAt(this.#bytes, index < 0 ? this.#to + index : this.#from + index);
  }

  /** Whether a plain string consists of just these bytes. */
  equals(bytes: Uint8Array): boolean {
    const length = bytes.length;
    return this.#to - this.#from === length && this.startsWith(bytes);
  }

  /** Whether a plain string begins with these bytes. */
  startsWith(bytes: Uint8Array): boolean {
    const { length } = bytes;
    if (this.#to - this.#from < length) return false;
    for (let i = 0; i < length; i++) if (byteAt(this.#bytes, this.#from + i) !== byteAt(bytes, i)) return false;
    return true;
  }

  /** Whether the string is this ASCII text. */
  is(ascii: string): boolean {
    return this.byteLength === ascii.length && this.text() === ascii;
  }

  /** The string's bytes; a view, to be used at once. */
  raw(): Buffer {
    if (this.#value !== undefined) return Buffer.from(String(this.#value), 'latin1');
    return this.#bytes.subarray(this.#from, this.#to);
  }

  /** The string as UTF-8 text. */
  text(): string {
    if (this.#value !== undefined) return String(this.#value);
    return this.#bytes.toString('utf8', this.#from, this.#to);
  }

  /** The string's first `maxBytes` bytes as UTF-8 text; a character cut in two becomes U+FFFD. */
  textUpTo(maxBytes: number): string {
    if (this.#value !== undefined) return String(this.#value);
    return this.#bytes.toString('utf8', this.#from, Math.min(this.#to, this.#from + maxBytes));
  }

  /** The string as a number, as Redis parses scores; undefined where it is none. */
  number(): number | undefined {
    if (typeof this.#value === 'number') return this.#value;
    const digits = this.isPlain ? this.digitsFrom(0) : undefined;
    if (digits !== undefined) return digits;
    const text = this.text();
    if (text === 'inf' || text === '+inf') return Number.POSITIVE_INFINITY;
    if (text === '-inf') return Number.NEGATIVE_INFINITY;
    if (text === 'nan' || text === '-nan') return Number.NaN;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isNaN(value) ? undefined : value;
  }

  /** The value of a plain string that has few digits and nothing else from `start` on. */
  digitsFrom(start: number): number | undefined {
    const from = this.#from + start;
    const to = this.#to;
    if (from >= to || to - from > MAX_EXACT_DIGITS) return undefined;
    // In two parts that are small integers to V8: a sum of doubles, digit by digit, takes twice as long.
    const middle = Math.max(from, to - SMALL_DIGITS);
    const high = digits(this.#bytes, from, middle);
    const low = digits(this.#bytes, middle, to);
    return high < 0 || low < 0 ? undefined : high * SMALL_LIMIT + low;
  }
}

/** The value of the decimal digits in `bytes[from, to)`, 0 for none; -1 where something else stands there. */
function digits(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = byteAt(bytes, at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
