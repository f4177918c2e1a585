/** Small collections that Redis keeps as one string: listpack, ziplist, zipmap, intset. */
import { CorruptPart } from './corrupt.js';
import type { RdbString } from './rdb-string.js';

export interface Packed {
  /** Moves to the next element and puts it into `into`; false at the end. Throws `CorruptPart` where nothing fits. */
  next(into: RdbString): boolean;
}

/** Checks that `count` bytes stand at `at`. */
export function inBounds(bytes: Uint8Array, at: number, count: number, what: string): void {
  if (at + count > bytes.length) throw new CorruptPart(`a ${what} runs over its end`);
}

/** A signed 64-bit integer: a number where that is exact, else its decimal text. */
export function int64(bytes: Buffer, at: number): number | string {
  const value = bytes.readInt32LE(at + 4) * 4294967296 + bytes.readUInt32LE(at);
  return Number.isSafeInteger(value) ? value : bytes.readBigInt64LE(at).toString();
}
