/** Listpack (Redis listpack.c): u32 total bytes, u16 count, entries, 0xFF. An entry is followed by its own length. */
import { byteAt } from './byte-at.js';
import { CorruptPart } from './corrupt.js';
import { inBounds, int64, type Packed } from './packed.js';
import type { RdbString } from './rdb-string.js';

const HEADER = 6;
const END = 0xff;
const UNKNOWN_COUNT = 65535;

/** Bytes that the length written behind an entry takes. */
function backLength(entry: number): number {
  if (entry <= 127) return 1;
  if (entry < 16384) return 2;
  if (entry < 2097152) return 3;
  return entry < 268435456 ? 4 : 5;
}

export class Listpack implements Packed {
  readonly #bytes: Buffer;
  readonly #count: number;
  #at = HEADER;
  #read = 0;

  constructor(bytes: Buffer) {
    if (bytes.length < HEADER + 1 || bytes.readUInt32LE(0) !== bytes.length) {
      throw new CorruptPart('a listpack states another length than it has');
    }
    if (byteAt(bytes, bytes.length - 1) !== END) throw new CorruptPart('a listpack has no end mark');
    this.#bytes = bytes;
    this.#count = bytes.readUInt16LE(4);
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length - 1;
  }

  next(into: RdbString): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    if (at === bytes.length - 1) {
      if (this.#count !== UNKNOWN_COUNT && this.#count !== this.#read) {
        throw new CorruptPart(`a listpack states ${this.#count} entries and holds ${this.#read}`);
      }
      return false;
    }
    const first = byteAt(bytes, at);
    let size: number;
    if (first < 0x80) {
      size = 1;
      into.setValue(first);
    } else if (first < 0xc0) {
      size = this.#string(into, at, 1, first & 0x3f);
    } else if (first < 0xe0) {
      inBounds(bytes, at, 2, 'listpack');
      size = 2;
      const value = ((first & 0x1f) << 8) | byteAt(bytes, at + 1);
      into.setValue(value < 4096 ? value : value - 8192);
    } else if (first < 0xf0) {
      inBounds(bytes, at, 2, 'listpack');
      size = this.#string(into, at, 2, ((first & 0x0f) << 8) | byteAt(bytes, at + 1));
    } else {
      size = this.#large(into, at, first);
    }
    this.#at = at + size + backLength(size);
    if (this.#at >= bytes.length) throw new CorruptPart('a listpack runs over its end');
    this.#read++;
    return true;
  }

  #string(into: RdbString, at: number, head: number, length: number): number {
    inBounds(this.#bytes, at, head + length, 'listpack');
    into.setRaw(this.#bytes, at + head, at + head + length);
    return head + length;
  }

  #large(into: RdbString, at: number, first: number): number {
    const bytes = this.#bytes;
    const sizes: Readonly<Record<number, number>> = { 240: 5, 241: 3, 242: 4, 243: 5, 244: 9 };
    const size = sizes[first];
    if (size === undefined) throw new CorruptPart(`0x${first.toString(16)} is no listpack entry`);
    inBounds(bytes, at, size, 'listpack');
    switch (first) {
      case 0xf0:
        return this.#string(into, at, 5, bytes.readUInt32LE(at + 1));
      case 0xf1:
        into.setValue(bytes.readInt16LE(at + 1));
        break;
      case 0xf2:
        into.setValue(bytes.readIntLE(at + 1, 3));
        break;
      case 0xf3:
        into.setValue(bytes.readInt32LE(at + 1));
        break;
      default:
        into.setValue(int64(bytes, at + 1));
    }
    return size;
  }
}
