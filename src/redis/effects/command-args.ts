/**
 * One command as it stands in a log of commands: places of its arguments in a buffer, decoded only when asked for.
 *
 * An object of this class is filled again and again. It is valid only until the call that handed it out returns.
 */
import { byteAt } from '../rdb/byte-at.js';

/** Arguments beyond these are not kept: what matters stands in front. */
export const MAX_ARGS = 4096;

const UPPER_TO_LOWER = 0x20;
const ZERO = 0x30;
/** More would not be exact. */
const MAX_DIGITS = 15;

/** The number written at `[from, to)`, or -1 where something else stands there. */
export function digits(bytes: Buffer, from: number, to: number): number {
  if (to <= from || to - from > MAX_DIGITS) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = byteAt(bytes, at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

export class CommandArgs {
  bytes: Buffer = Buffer.alloc(0);
  /** Arguments kept, the command's name among them. */
  count = 0;
  readonly #from = new Int32Array(MAX_ARGS);
  readonly #to = new Int32Array(MAX_ARGS);

  /** Adds an argument that stands at `[from, to)` of `bytes`. */
  add(from: number, to: number): void {
    if (this.count === MAX_ARGS) return;
    this.#from[this.count] = from;
    this.#to[this.count] = to;
    this.count++;
  }

  /** Adds an argument that was too long to keep. */
  addMissing(): void {
    this.add(-1, -1);
  }

  from(index: number): number {
    return this.#from[index] ?? -1;
  }

  to(index: number): number {
    return this.#to[index] ?? -1;
  }

  /** Whether the argument exists and was kept. */
  has(index: number): boolean {
    return index < this.count && this.from(index) >= 0;
  }

  /** Length in bytes as it stands in the log; 0 where it was not kept. */
  size(index: number): number {
    return this.has(index) ? this.to(index) - this.from(index) : 0;
  }

  /** Whether the argument is this ASCII text. */
  is(index: number, ascii: string): boolean {
    return this.size(index) === ascii.length && this.has(index) && this.#matches(this.from(index), ascii);
  }

  /** Whether the argument ends in this ASCII text. */
  endsWith(index: number, ascii: string): boolean {
    return this.size(index) >= ascii.length && this.#matches(this.to(index) - ascii.length, ascii);
  }

  /** Whether the argument is this word, given in lower case, in any case. */
  isWord(index: number, lower: string): boolean {
    if (this.size(index) !== lower.length) return false;
    const from = this.from(index);
    for (let i = 0; i < lower.length; i++) {
      const byte = byteAt(this.bytes, from + i);
      if (byte !== lower.charCodeAt(i) && (byte | UPPER_TO_LOWER) !== lower.charCodeAt(i)) return false;
    }
    return true;
  }

  /** Whether the name of the command is this one, given in lower case. */
  isVerb(lower: string): boolean {
    return this.isWord(0, lower);
  }

  /** A number of at most 15 digits and nothing else; -1 where the argument is none. */
  number(index: number): number {
    const size = this.size(index);
    return size === 0 ? -1 : digits(this.bytes, this.from(index), this.to(index));
  }

  /** The argument as UTF-8 text; '' where it was not kept. */
  text(index: number): string {
    return this.has(index) ? this.bytes.toString('utf8', this.from(index), this.to(index)) : '';
  }

  #matches(at: number, ascii: string): boolean {
    for (let i = 0; i < ascii.length; i++) if (byteAt(this.bytes, at + i) !== ascii.charCodeAt(i)) return false;
    return true;
  }
}
