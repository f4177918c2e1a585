/**
 * Unpacks zstd block by block: every good block before damage is delivered, and what is wrong is said. Node has no zstd before
 * 22.15, so fzstd does it; it is handed one block at a time, which bounds what a single step can grow to (128 KiB). Checksums of the
 * content are not compared.
 */
import type { Damage } from '../model/evidence.js';
import { byteCursor } from './byte-cursor.js';
import { oneLine } from './detect.js';
import { UNPACK_LIMITS } from './gunzip.js';
import type { UnpackLimits } from './inflate-member.js';
import { MAX_WINDOW_BYTES, readZstdHeader, takeZstdBlock, type ZstdFrame } from './zstd-frame.js';

const CHECKSUM_BYTES = 4;
const NO_BYTES = new Uint8Array(0);
const DELIVER_BYTES = 256 * 1024;

/** Unpacked blocks, each with memory of its own. Never throws: what is wrong goes to `damage`. */
export async function* unzstd(
  next: () => Promise<Uint8Array | undefined>,
  damage: Damage[],
  limits: UnpackLimits = UNPACK_LIMITS,
): AsyncGenerator<Uint8Array, void> {
  const { Decompress } = await import('fzstd');
  const cursor = byteCursor(next);
  let unpacked = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const damaged = (what: string): void => {
    damage.push({ what, offset: unpacked });
  };
  const flush = (): Uint8Array => {
    const block = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    return block;
  };
  const isTooBig = (): boolean => unpacked > limits.bytes && unpacked > cursor.position() * limits.ratio;

  reading: for (;;) {
    const start = cursor.position();
    const frame = await readZstdHeader(cursor);
    if (frame === 'end') break;
    if (frame === 'skipped') continue;
    const refusal = typeof frame === 'string' ? HEADERS[frame](start) : refused(frame);
    if (refusal !== undefined || typeof frame === 'string') {
      if (refusal !== undefined) damaged(refusal);
      break;
    }
    const decoder = new Decompress((piece) => {
      unpacked += piece.length;
      waitingBytes += piece.length;
      waiting.push(new Uint8Array(piece));
    });
    for (let pending = frame.header; ; ) {
      const block = await takeZstdBlock(cursor);
      if (block === undefined) {
        damaged(`zstd ends early after ${cursor.position()} bytes, what was before it was read`);
        break reading;
      }
      // fzstd wants the checksum behind the last block, and skips it.
      const checksum = block.isLast && frame.hasChecksum ? await cursor.take(CHECKSUM_BYTES) : NO_BYTES;
      const isCut = block.isLast && frame.hasChecksum && checksum.length < CHECKSUM_BYTES;
      try {
        const trailer = isCut ? new Uint8Array(CHECKSUM_BYTES) : checksum;
        decoder.push(Buffer.concat([pending, block.bytes, trailer]), block.isLast);
      } catch (error) {
        damaged(`zstd is damaged near byte ${cursor.position()} (${oneLine(error)}), what was before it was read`);
        break reading;
      }
      if (isCut) damaged(`zstd ends early after ${cursor.position()} bytes, what was before it was read`);
      if (isTooBig()) {
        damaged(
          `zstd grows to more than ${limits.ratio} times its size, the rest after ${unpacked} unpacked bytes was not read; unpack it with zstd -d if it can be trusted`,
        );
        break reading;
      }
      if (waitingBytes >= DELIVER_BYTES) yield flush();
      if (block.isLast) break;
      pending = NO_BYTES;
    }
  }
  if (waitingBytes > 0) yield flush();
}

const HEADERS = {
  'ends-early': (at: number) => `zstd ends early in the header at byte ${at}, what was before it was read`,
  malformed: (at: number) => `what stands at byte ${at} is no zstd and was not read, what was before it was`,
} as const;

function refused({ windowBytes, hasDictionary }: ZstdFrame): string | undefined {
  if (hasDictionary)
    return 'zstd was packed with a dictionary, which is not here; unpack it first (zstd -d -D DICTIONARY)';
  return windowBytes > MAX_WINDOW_BYTES
    ? `zstd needs a window of ${Math.round(windowBytes / 1024 ** 2)} MiB, more than is given; unpack it first (zstd -d --long=31)`
    : undefined;
}
