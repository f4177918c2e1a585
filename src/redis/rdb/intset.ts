/** Intset (Redis intset.c): u32 width of a member in bytes, u32 count, members in rising order, little endian. */
import { CorruptPart } from './corrupt.js';
import { int64, type Packed } from './packed.js';
import type { RdbString } from './rdb-string.js';

const HEADER = 8;

export class Intset implements Packed {
  readonly #bytes: Buffer;
  readonly #width: number;
  #at = HEADER;

  constructor(bytes: Buffer) {
    const width = bytes.length < HEADER ? 0 : bytes.readUInt32LE(0);
    if (width !== 2 && width !== 4 && width !== 8) throw new CorruptPart('an integer set has no known width');
    if (bytes.length !== HEADER + width * bytes.readUInt32LE(4)) {
      throw new CorruptPart('an integer set states another count than it holds');
    }
    this.#bytes = bytes;
    this.#width = width;
  }

  next(into: RdbString): boolean {
    const at = this.#at;
    if (at === this.#bytes.length) return false;
    into.setValue(this.#width === 8 ? int64(this.#bytes, at) : this.#bytes.readIntLE(at, this.#width));
    this.#at = at + this.#width;
    return true;
  }
}
