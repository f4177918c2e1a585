/** Ziplist (Redis ziplist.c, up to 6.2): u32 total bytes, u32 offset of the last entry, u16 count, entries, 0xFF. */
import { byteAt } from './byte-at.js';
import { CorruptPart } from './corrupt.js';
import { inBounds, int64, type Packed } from './packed.js';
import type { RdbString } from './rdb-string.js';

const HEADER = 10;
const END = 0xff;
const UNKNOWN_COUNT = 65535;

export class Ziplist implements Packed {
  readonly #bytes: Buffer;
  readonly #count: number;
  #at = HEADER;
  #read = 0;

  constructor(bytes: Buffer) {
    if (bytes.length < HEADER + 1 || bytes.readUInt32LE(0) !== bytes.length) {
      throw new CorruptPart('a ziplist states another length than it has');
    }
    if (byteAt(bytes, bytes.length - 1) !== END) throw new CorruptPart('a ziplist has no end mark');
    this.#bytes = bytes;
    this.#count = bytes.readUInt16LE(8);
  }

  next(into: RdbString): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    if (at === bytes.length - 1) {
      if (this.#count !== UNKNOWN_COUNT && this.#count !== this.#read) {
        throw new CorruptPart(`a ziplist states ${this.#count} entries and holds ${this.#read}`);
      }
      return false;
    }
    // Length of the entry before: one byte, or 0xFE and four.
    at += byteAt(bytes, at) < 0xfe ? 1 : 5;
    inBounds(bytes, at, 1, 'ziplist');
    const first = byteAt(bytes, at);
    if (first < 0xc0) {
      this.#at = this.#string(into, at, first);
    } else {
      this.#at = at + this.#integer(into, at, first);
    }
    if (this.#at >= bytes.length) throw new CorruptPart('a ziplist runs over its end');
    this.#read++;
    return true;
  }

  /** Returns where the string ends. */
  #string(into: RdbString, at: number, first: number): number {
    const bytes = this.#bytes;
    let head: number;
    let length: number;
    if (first < 0x40) {
      head = 1;
      length = first;
    } else if (first < 0x80) {
      inBounds(bytes, at, 2, 'ziplist');
      head = 2;
      length = ((first & 0x3f) << 8) | byteAt(bytes, at + 1);
    } else if (first === 0x80) {
      inBounds(bytes, at, 5, 'ziplist');
      head = 5;
      length = bytes.readUInt32BE(at + 1);
    } else {
      throw new CorruptPart(`0x${first.toString(16)} is no ziplist entry`);
    }
    inBounds(bytes, at, head + length, 'ziplist');
    into.setRaw(bytes, at + head, at + head + length);
    return at + head + length;
  }

  /** Returns the bytes taken. */
  #integer(into: RdbString, at: number, first: number): number {
    const bytes = this.#bytes;
    if (first >= 0xf1 && first <= 0xfd) {
      into.setValue((first & 0x0f) - 1);
      return 1;
    }
    const sizes: Readonly<Record<number, number>> = { 192: 3, 208: 5, 224: 9, 240: 4, 254: 2 };
    const size = sizes[first];
    if (size === undefined) throw new CorruptPart(`0x${first.toString(16)} is no ziplist entry`);
    inBounds(bytes, at, size, 'ziplist');
    into.setValue(first === 0xe0 ? int64(bytes, at + 1) : bytes.readIntLE(at + 1, size - 1));
    return size;
  }
}
