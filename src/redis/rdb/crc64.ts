/**
 * CRC-64 "Jones" as Redis appends it to an RDB since version 5 (Redis crc64.c: reflected, polynomial
 * 0xad93d23594c935a9, initial value and final xor 0).
 *
 * JavaScript has no fast 64-bit integer, so the checksum is kept as two 32-bit halves, and eight bytes are folded at a
 * time with eight tables ("slicing by 8"); with BigInt the checksum would take longer than all the parsing.
 */
import { endianness } from 'node:os';
import { byteAt, wordAt } from './byte-at.js';

/** The polynomial, reflected: 0x95ac9329ac4bc9b5 as halves. */
const POLYNOMIAL_HIGH = 0x95ac9329;
const POLYNOMIAL_LOW = 0xac4bc9b5;

/** Table s holds the effect of a byte that s more bytes follow: 8 × 256 entries, low and high halves apart. */
const LOW = new Int32Array(8 * 256);
const HIGH = new Int32Array(8 * 256);

for (let byte = 0; byte < 256; byte++) {
  let low = byte;
  let high = 0;
  for (let bit = 0; bit < 8; bit++) {
    const carry = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (carry) {
      low ^= POLYNOMIAL_LOW;
      high ^= POLYNOMIAL_HIGH;
    }
  }
  LOW[byte] = low;
  HIGH[byte] = high;
}
for (let at = 256; at < LOW.length; at++) {
  const low = LOW[at - 256] ?? 0;
  const high = HIGH[at - 256] ?? 0;
  const byte = low & 255;
  LOW[at] = ((low >>> 8) | (high << 24)) ^ (LOW[byte] ?? 0);
  HIGH[at] = (high >>> 8) ^ (HIGH[byte] ?? 0);
}

/** Where each table begins, for the eight bytes of two words; 0 for the last byte. */
const SLICE = { a: 7 << 8, b: 6 << 8, c: 5 << 8, d: 4 << 8, e: 3 << 8, f: 2 << 8, g: 1 << 8 } as const;

/** Words folded by one call: V8 compiles a function called often well, and one that loops for long again at every call. */
const RUN_WORDS = 1024;
const isLittleEndian = endianness() === 'LE';

/** A running checksum. `low` and `high` are its halves, signed 32-bit. */
export class Crc64 {
  low = 0;
  high = 0;

  /** Folds in `bytes[from, to)`. */
  update(bytes: Uint8Array, from: number, to: number): void {
    const aligned = Math.min(to, from + (-(bytes.byteOffset + from) & 3));
    const pairs = isLittleEndian ? (to - aligned) >> 3 : 0;
    this.#updateBytes(bytes, from, aligned);
    // A range that ends before the first aligned word leaves no place for an array of words, not even an empty one.
    if (pairs > 0) {
      const words = new Int32Array(bytes.buffer, bytes.byteOffset + aligned, 2 * pairs);
      for (let at = 0; at < words.length; at += RUN_WORDS) {
        this.#updateWords(words, at, Math.min(words.length, at + RUN_WORDS));
      }
    }
    this.#updateBytes(bytes, aligned + 8 * pairs, to);
  }

  /** Folds in pairs of little-endian words. */
  #updateWords(words: Int32Array, from: number, to: number): void {
    let low = this.low;
    let high = this.high;
    for (let at = from; at < to; at += 2) {
      const x = low ^ wordAt(words, at);
      const y = high ^ wordAt(words, at + 1);
      const a = SLICE.a | (x & 255);
      const b = SLICE.b | ((x >>> 8) & 255);
      const c = SLICE.c | ((x >>> 16) & 255);
      const d = SLICE.d | (x >>> 24);
      const e = SLICE.e | (y & 255);
      const f = SLICE.f | ((y >>> 8) & 255);
      const g = SLICE.g | ((y >>> 16) & 255);
      const h = y >>> 24;
      low =
        wordAt(LOW, a) ^
        wordAt(LOW, b) ^
        wordAt(LOW, c) ^
        wordAt(LOW, d) ^
        wordAt(LOW, e) ^
        wordAt(LOW, f) ^
        wordAt(LOW, g) ^
        wordAt(LOW, h);
      high =
        wordAt(HIGH, a) ^
        wordAt(HIGH, b) ^
        wordAt(HIGH, c) ^
        wordAt(HIGH, d) ^
        wordAt(HIGH, e) ^
        wordAt(HIGH, f) ^
        wordAt(HIGH, g) ^
        wordAt(HIGH, h);
    }
    this.low = low;
    this.high = high;
  }

  #updateBytes(bytes: Uint8Array, from: number, to: number): void {
    let { low, high } = this;
    for (let at = from; at < to; at++) {
      const byte = (low & 255) ^ byteAt(bytes, at);
      low = ((low >>> 8) | (high << 24)) ^ wordAt(LOW, byte);
      high = (high >>> 8) ^ wordAt(HIGH, byte);
    }
    this.low = low;
    this.high = high;
  }

  /** The checksum as 16 hex digits, most significant first. */
  hex(): string {
    const half = (value: number) => (value >>> 0).toString(16).padStart(8, '0');
    return half(this.high) + half(this.low);
  }
}
