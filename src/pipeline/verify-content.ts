/** The bytes of one source, from any place on: of a file on the disk, or of what comes out of a packing. */
import { open } from 'node:fs/promises';
import type { DiskFile } from '../intake/index.js';
import type { Blocks } from '../model/evidence.js';

export interface Content {
  /**
   * Up to `length` bytes from `offset` on; fewer only at the end of the source. Places must be asked for in rising order, give or
   * take `LOOK_BACK_BYTES`: what comes out of a packing goes by once.
   */
  read(offset: number, length: number): Promise<Buffer>;
}

export const LOOK_BACK_BYTES = 2 << 20;
const FILE_WINDOW_BYTES = 64 * 1024;

/** Lets `use` read a file at its places. @throws what the disk throws */
export async function withFileContent<T>({ diskPath }: DiskFile, use: (content: Content) => Promise<T>): Promise<T> {
  const file = await open(diskPath, 'r');
  let window = Buffer.alloc(0);
  let from = 0;
  try {
    return await use({
      async read(offset, length) {
        // Cited records stand close to each other: most are in the window of the one before.
        if (offset < from || offset + length > from + window.length) {
          const wanted = Math.max(length, FILE_WINDOW_BYTES);
          const bytes = Buffer.allocUnsafe(wanted);
          const { bytesRead } = await file.read(bytes, 0, wanted, offset);
          window = bytes.subarray(0, bytesRead);
          from = offset;
        }
        return window.subarray(offset - from, offset - from + length);
      },
    });
  } finally {
    await file.close();
  }
}

/** Reads blocks as they come, and keeps no more of them than the last places may need. */
export function contentOf(blocks: Blocks): Content {
  const source = blocks[Symbol.asyncIterator]();
  let held: Uint8Array[] = [];
  let from = 0;
  let to = 0;
  let isAtEnd = false;

  async function advance(until: number, needed: number): Promise<void> {
    while (to < until && !isAtEnd) {
      const { done, value } = await source.next();
      if (done === true) {
        isAtEnd = true;
        return;
      }
      held.push(value);
      to += value.length;
      for (let first = held[0]; first !== undefined && from + first.length <= needed; first = held[0]) {
        held.shift();
        from += first.length;
      }
    }
  }

  return {
    async read(offset, length) {
      await advance(offset + length, Math.max(0, offset - LOOK_BACK_BYTES));
      if (offset < from || offset >= to) return Buffer.alloc(0);
      const first = Math.max(from, offset - LOOK_BACK_BYTES);
      const bytes = (held.length === 1 ? asBuffer(held[0]) : Buffer.concat(held)).subarray(first - from);
      held = [bytes];
      from = first;
      return bytes.subarray(offset - from, offset - from + length);
    },
  };
}

const asBuffer = (bytes: Uint8Array = new Uint8Array(0)): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
