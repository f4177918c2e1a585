/** Bytes that can be read from anywhere: a zip has its directory at its end. */
import type { Disk, DiskPath } from '../disk.js';

export interface RandomAccess {
  readonly size: number;
  /** Up to `length` bytes from `position`; fewer only at the end. Rejects where the disk fails. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openRandomAccess(disk: Disk, path: DiskPath): Promise<RandomAccess> {
  const handle = await disk.open(path);
  const { size } = await handle.stat();
  return {
    size,
    async read(position, length) {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
      let have = 0;
      while (have < buffer.length) {
        const { bytesRead } = await handle.read(buffer, have, buffer.length - have, position + have);
        if (bytesRead === 0) break;
        have += bytesRead;
      }
      return buffer.subarray(0, have);
    },
    close: () => handle.close(),
  };
}

/** What comes in through another packing cannot be read from anywhere: it is kept in memory, up to here. */
export const MAX_IN_MEMORY = 256 * 1024 * 1024;

/** Undefined where it is larger than `MAX_IN_MEMORY`. */
export async function collectRandomAccess(
  next: () => Promise<Uint8Array | undefined>,
  max: number = MAX_IN_MEMORY,
): Promise<RandomAccess | undefined> {
  const blocks: Uint8Array[] = [];
  let size = 0;
  for (let block = await next(); block !== undefined; block = await next()) {
    blocks.push(block);
    size += block.length;
    if (size > max) return undefined;
  }
  const bytes = Buffer.concat(blocks);
  return {
    size,
    read: async (position, length) => bytes.subarray(position, position + length),
    close: async () => undefined,
  };
}
