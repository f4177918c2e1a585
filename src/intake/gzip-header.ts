/** The header of a gzip member (RFC 1952, section 2.3). */
import type { ByteCursor } from './byte-cursor.js';

export interface GzipHeader {
  /** When the packed file was last changed, ms UTC; absent where gzip read from a pipe. */
  readonly modifiedMs?: number;
}

const HAS_CRC = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
const RESERVED = 0xe0;
const DEFLATE = 8;

/** Whether bytes begin a gzip member. Only deflate was ever defined, so its number belongs to the magic. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === DEFLATE;
}

/** Consumes a member's header. `ends-early`: the input ended in it; `malformed`: no header that gzip defines. */
export async function readGzipHeader(cursor: ByteCursor): Promise<GzipHeader | 'ends-early' | 'malformed'> {
  const fixed = await cursor.take(10);
  if (fixed.length < 10) return 'ends-early';
  const flags = fixed[3] ?? 0;
  if (!isGzip(fixed) || (flags & RESERVED) !== 0) return 'malformed';
  if ((flags & HAS_EXTRA) !== 0) {
    const length = await cursor.take(2);
    if (length.length < 2) return 'ends-early';
    const extra = (length[0] ?? 0) | ((length[1] ?? 0) << 8);
    if ((await cursor.take(extra)).length < extra) return 'ends-early';
  }
  for (const text of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & text) !== 0 && !(await skipText(cursor))) return 'ends-early';
  }
  if ((flags & HAS_CRC) !== 0 && (await cursor.take(2)).length < 2) return 'ends-early';
  const seconds = new DataView(fixed.buffer, fixed.byteOffset).getUint32(4, true);
  return seconds === 0 ? {} : { modifiedMs: seconds * 1000 };
}

/** Skips text that ends in a zero byte; false where the input ends first. */
async function skipText(cursor: ByteCursor): Promise<boolean> {
  for (;;) {
    const some = await cursor.peek(4096);
    if (some.length === 0) return false;
    const zero = some.indexOf(0);
    cursor.skip(zero === -1 ? some.length : zero + 1);
    if (zero !== -1) return true;
  }
}
