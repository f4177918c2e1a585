/**
 * One string of an RDB, seen in place.
 *
 * An object of this class is reused for string after string: it is valid only until the call that handed it out
 * returns. Decoding and decompression happen when `text` or `raw` is asked for, so a job's payload costs nothing.
 */
import { byteAt } from './byte-at.js';
import { CorruptRdb } from './corrupt.js';
import { decompressLzf } from './lzf.js';

const NO_BYTES = Buffer.alloc(0);
const MAX_EXACT_DIGITS = 15;
const ZERO = 48;

export class RdbString {
  #bytes: Buffer = NO_BYTES;
  #from = 0;
  #to = 0;
  /** Length once decompressed; -1 for a string that is not compressed. */
  #original = -1;
  /** Set for a string stored as a number, or already decoded. */
  #value: number | string | undefined;

  /** The bytes `[from, to)` as they stand. */
  setRaw(bytes: Buffer, from: number, to: number): void {
    this.#bytes = bytes;
    this.#from = from;
    this.#to = to;
    this.#original = -1;
    this.#value = undefined;
  }

  setLzf(bytes: Buffer, from: number, to: number, original: number): void {
    this.setRaw(bytes, from, to);
    this.#original = original;
  }

  /** A number that Redis stored as such, or (beyond 2^53) its decimal text. */
  setValue(value: number | string): void {
    this.#value = value;
  }

  /** Length in bytes of the string itself, not of what stores it. */
  get byteLength(): number {
    if (this.#value !== undefined) return String(this.#value).length;
    return this.#original >= 0 ? this.#original : this.#to - this.#from;
  }

  /** Whether the string lies in the file as it is, so that `byteAt` can look at it. */
  get isPlain(): boolean {
    return this.#value === undefined && this.#original < 0;
  }

  /** One byte of a plain string, without decoding the rest. Index from the start, or negative from the end. */
  byteAt(index: number): number {
    return byteAt(this.#bytes, index < 0 ? this.#to + index : this.#from + index);
  }

  /** Whether the string is this ASCII text. */
  is(ascii: string): boolean {
    return this.byteLength === ascii.length && this.text() === ascii;
  }

  /** The string's bytes; a view of the window or a fresh copy, to be used at once. */
  raw(): Buffer {
    if (this.#value !== undefined) return Buffer.from(String(this.#value), 'latin1');
    if (this.#original < 0) return this.#bytes.subarray(this.#from, this.#to);
    const out = Buffer.allocUnsafe(this.#original);
    if (!decompressLzf(this.#bytes, this.#from, this.#to, out, this.#original)) {
      throw new CorruptRdb('a compressed string does not decompress to its stated length');
    }
    return out;
  }

  /** The string as UTF-8 text. */
  text(): string {
    if (this.#value !== undefined) return String(this.#value);
    if (this.#original < 0) return this.#bytes.toString('utf8', this.#from, this.#to);
    return this.raw().toString('utf8');
  }

  /** The string's first `maxBytes` bytes as UTF-8 text; a character cut in two becomes U+FFFD. */
  textUpTo(maxBytes: number): string {
    if (this.#value !== undefined || this.#original >= 0) return this.text().slice(0, maxBytes);
    return this.#bytes.toString('utf8', this.#from, Math.min(this.#to, this.#from + maxBytes));
  }

  /** The string as a number, as Redis parses scores; undefined where it is none. */
  number(): number | undefined {
    if (typeof this.#value === 'number') return this.#value;
    const digits = this.isPlain ? this.#digits() : undefined;
    if (digits !== undefined) return digits;
    const text = this.text();
    if (text === 'inf' || text === '+inf') return Number.POSITIVE_INFINITY;
    if (text === '-inf') return Number.NEGATIVE_INFINITY;
    if (text === 'nan' || text === '-nan') return Number.NaN;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isNaN(value) ? undefined : value;
  }

  /** The value of a plain string of few digits and nothing else. */
  #digits(): number | undefined {
    const length = this.#to - this.#from;
    if (length === 0 || length > MAX_EXACT_DIGITS) return undefined;
    let value = 0;
    for (let at = this.#from; at < this.#to; at++) {
      const digit = byteAt(this.#bytes, at) - ZERO;
      if (digit < 0 || digit > 9) return undefined;
      value = value * 10 + digit;
    }
    return value;
  }
}
