/**
 * CRC-64 "Jones" as Redis appends it to an RDB since version 5 (Redis crc64.c: reflected, polynomial
 * 0xad93d23594c935a9, initial value and final xor 0).
 *
 * JavaScript has no fast 64-bit integer, so the checksum is kept as two 32-bit halves, and eight bytes are folded at a
 * time with eight tables ("slicing by 8"); with BigInt the checksum would take longer than all the parsing.
 */
import { byteAt } from './byte-at.js';

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

function entry(table: Int32Array, slice: number, byte: number): number {
  return table[(slice << 8) | byte] ?? 0;
}

/** A running checksum. `low` and `high` are its halves, signed 32-bit. */
export class Crc64 {
  low = 0;
  high = 0;

  /** Folds in `bytes[from, to)`. */
  update(bytes: Uint8Array, from: number, to: number): void {
    let low = this.low;
    let high = this.high;
    let at = from;
    for (; at + 8 <= to; at += 8) {
      const a = (low & 255) ^ byteAt(bytes, at);
      const b = ((low >>> 8) & 255) ^ byteAt(bytes, at + 1);
      const c = ((low >>> 16) & 255) ^ byteAt(bytes, at + 2);
      const d = (low >>> 24) ^ byteAt(bytes, at + 3);
      const e = (high & 255) ^ byteAt(bytes, at + 4);
      const f = ((high >>> 8) & 255) ^ byteAt(bytes, at + 5);
      const g = ((high >>> 16) & 255) ^ byteAt(bytes, at + 6);
      const h = (high >>> 24) ^ byteAt(bytes, at + 7);
      low =
        entry(LOW, 7, a) ^
        entry(LOW, 6, b) ^
        entry(LOW, 5, c) ^
        entry(LOW, 4, d) ^
        entry(LOW, 3, e) ^
        entry(LOW, 2, f) ^
        entry(LOW, 1, g) ^
        entry(LOW, 0, h);
      high =
        entry(HIGH, 7, a) ^
        entry(HIGH, 6, b) ^
        entry(HIGH, 5, c) ^
        entry(HIGH, 4, d) ^
        entry(HIGH, 3, e) ^
        entry(HIGH, 2, f) ^
        entry(HIGH, 1, g) ^
        entry(HIGH, 0, h);
    }
    for (; at < to; at++) {
      const byte = (low & 255) ^ byteAt(bytes, at);
      low = ((low >>> 8) | (high << 24)) ^ entry(LOW, 0, byte);
      high = (high >>> 8) ^ entry(HIGH, 0, byte);
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
