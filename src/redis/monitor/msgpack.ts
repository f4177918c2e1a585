/**
 * As much of MessagePack as BullMQ's arguments use (msgpackr in the library, cmsgpack in the scripts): maps, arrays,
 * strings, numbers, booleans, nil. Sizes are checked against the bytes that are there before anything is built.
 */

const MAX_DEPTH = 16;

export type Packed = string | number | boolean | null | readonly Packed[] | ReadonlyMap<string, Packed>;

/** Thrown within this file only. */
class NotPacked extends Error {}

/** The value that `bytes` hold, and nothing behind it; undefined if they are no such value. */
export function unpack(bytes: Buffer): Packed | undefined {
  const reader = new Unpacker(bytes);
  try {
    const value = reader.value(0);
    return reader.at === bytes.length ? value : undefined;
  } catch (error) {
    if (error instanceof NotPacked) return undefined;
    throw error;
  }
}

class Unpacker {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  value(depth: number): Packed {
    if (depth > MAX_DEPTH) throw new NotPacked();
    const tag = this.#uint(1);
    if (tag < 0x80) return tag;
    if (tag < 0x90) return this.#map(tag & 0x0f, depth);
    if (tag < 0xa0) return this.#array(tag & 0x0f, depth);
    if (tag < 0xc0) return this.#text(tag & 0x1f);
    if (tag >= 0xe0) return tag - 256;
    switch (tag) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xca:
        return this.#bytes.readFloatBE(this.#skip(4));
      case 0xcb:
        return this.#bytes.readDoubleBE(this.#skip(8));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#uint(2 ** (tag - 0xcc));
      case 0xcf:
        return Number(this.#bytes.readBigUInt64BE(this.#skip(8)));
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return this.#bytes.readIntBE(this.#skip(2 ** (tag - 0xd0)), 2 ** (tag - 0xd0));
      case 0xd3:
        return Number(this.#bytes.readBigInt64BE(this.#skip(8)));
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#text(this.#uint(2 ** (tag - 0xc4)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#uint(2 ** (tag - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#uint(2 ** (tag - 0xdb)), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#uint(2 ** (tag - 0xdd)), depth);
      default:
        throw new NotPacked();
    }
  }

  #array(count: number, depth: number): Packed {
    const items: Packed[] = [];
    for (let i = 0; i < count; i++) items.push(this.value(depth + 1));
    return items;
  }

  #map(count: number, depth: number): Packed {
    const members = new Map<string, Packed>();
    for (let i = 0; i < count; i++) {
      const key = this.value(depth + 1);
      members.set(String(key), this.value(depth + 1));
    }
    return members;
  }

  #text(length: number): string {
    const from = this.#skip(length);
    return this.#bytes.toString('utf8', from, from + length);
  }

  #uint(size: number): number {
    return this.#bytes.readUIntBE(this.#skip(size), size);
  }

  /** Moves on by `length` bytes, which must be there. Returns where they begin. */
  #skip(length: number): number {
    const from = this.at;
    if (from + length > this.#bytes.length) throw new NotPacked();
    this.at = from + length;
    return from;
  }
}
