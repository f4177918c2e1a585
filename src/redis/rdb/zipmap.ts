/** Zipmap (Redis zipmap.c, up to 2.4): count byte, then per pair: length, key, length, free bytes, value, free; 0xFF. */
import { byteAt } from './byte-at.js';
import { CorruptPart } from './corrupt.js';
import { inBounds, type Packed } from './packed.js';
import type { RdbString } from './rdb-string.js';

const END = 0xff;

/** Gives field, value, field, value … */
export class Zipmap implements Packed {
  readonly #bytes: Buffer;
  #at = 1;
  #isValue = false;

  constructor(bytes: Buffer) {
    if (bytes.length < 2 || byteAt(bytes, bytes.length - 1) !== END) throw new CorruptPart('a zipmap has no end mark');
    this.#bytes = bytes;
  }

  next(into: RdbString): boolean {
    const bytes = this.#bytes;
    inBounds(bytes, this.#at, 1, 'zipmap');
    let length = byteAt(bytes, this.#at);
    if (length === END) {
      if (this.#isValue) throw new CorruptPart('a zipmap ends between a field and its value');
      return false;
    }
    let at = this.#at + 1;
    if (length === 0xfe) {
      inBounds(bytes, at, 4, 'zipmap');
      length = bytes.readUInt32LE(at);
      at += 4;
    }
    let free = 0;
    if (this.#isValue) {
      inBounds(bytes, at, 1, 'zipmap');
      free = byteAt(bytes, at++);
    }
    inBounds(bytes, at, length + free, 'zipmap');
    into.setRaw(bytes, at, at + length);
    this.#at = at + length + free;
    this.#isValue = !this.#isValue;
    return true;
  }
}
