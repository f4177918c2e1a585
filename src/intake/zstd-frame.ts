/** Headers of zstd (RFC 8878, section 3.1): enough to know how large a frame's window is and where its blocks end. */
import type { ByteCursor } from './byte-cursor.js';

const isFrame = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x28 && bytes[at + 1] === 0xb5 && bytes[at + 2] === 0x2f && bytes[at + 3] === 0xfd;

const isSkippable = (bytes: Uint8Array, at: number): boolean =>
  ((bytes[at] ?? 0) & 0xf0) === 0x50 && bytes[at + 1] === 0x2a && bytes[at + 2] === 0x4d && bytes[at + 3] === 0x18;

/** Whether bytes begin zstd. Frames to be skipped may go first (pzstd); lz4 has the same ones, so one of zstd must follow. */
export function isZstd(head: Uint8Array): boolean {
  let at = 0;
  while (isSkippable(head, at)) at += 8 + littleEndian(head.subarray(at + 4, at + 8));
  return isFrame(head, at);
}

/** `zstd -d` without options takes no larger one: memory that a header asks for must not be the input's to choose. */
export const MAX_WINDOW_BYTES = 128 * 1024 * 1024;

export interface ZstdFrame {
  readonly header: Uint8Array;
  readonly windowBytes: number;
  readonly hasDictionary: boolean;
  readonly hasChecksum: boolean;
}

/** Consumes what begins a frame. `skipped`: a frame without data, consumed whole. */
export async function readZstdHeader(
  cursor: ByteCursor,
): Promise<ZstdFrame | 'skipped' | 'end' | 'ends-early' | 'malformed'> {
  const magic = await cursor.take(4);
  if (magic.length === 0) return 'end';
  if (magic.length < 4) return 'ends-early';
  if (isSkippable(magic, 0)) return skipFrame(cursor);
  if (!isFrame(magic, 0)) return 'malformed';
  const [descriptor] = await cursor.take(1);
  if (descriptor === undefined) return 'ends-early';
  // A reserved bit: a decoder must not guess what it means.
  if ((descriptor & 8) !== 0) return 'malformed';
  const isSingle = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeCode = descriptor >> 6;
  const sizeBytes = sizeCode === 0 ? (isSingle ? 1 : 0) : 1 << sizeCode;
  const rest = await cursor.take((isSingle ? 0 : 1) + dictionaryBytes + sizeBytes);
  if (rest.length < (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes) return 'ends-early';
  const header = new Uint8Array(5 + rest.length);
  header.set(magic);
  header[4] = descriptor;
  header.set(rest, 5);
  const size = littleEndian(rest.subarray(rest.length - sizeBytes)) + (sizeCode === 1 ? 256 : 0);
  return {
    header,
    windowBytes: isSingle ? size : windowOf(rest[0] ?? 0),
    hasDictionary: littleEndian(rest.subarray(isSingle ? 0 : 1, rest.length - sizeBytes)) !== 0,
    hasChecksum: (descriptor & 4) !== 0,
  };
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

async function skipFrame(cursor: ByteCursor): Promise<'skipped' | 'ends-early'> {
  const size = await cursor.take(4);
  if (size.length < 4) return 'ends-early';
  for (let left = littleEndian(size); left > 0; ) {
    const some = await cursor.peek(left);
    if (some.length === 0) return 'ends-early';
    cursor.skip(some.length);
    left -= some.length;
  }
  return 'skipped';
}

const littleEndian = (bytes: Uint8Array): number => bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);

const HEADER_BYTES = 3;
const RUN = 1;

/** The next block of a frame with its header; undefined where the input ends in it. */
export async function takeZstdBlock(cursor: ByteCursor): Promise<{ bytes: Uint8Array; isLast: boolean } | undefined> {
  const header = await cursor.take(HEADER_BYTES);
  if (header.length < HEADER_BYTES) return undefined;
  const word = littleEndian(header);
  const length = ((word >> 1) & 3) === RUN ? 1 : word >> 3;
  const data = await cursor.take(length);
  if (data.length < length) return undefined;
  const bytes = new Uint8Array(HEADER_BYTES + length);
  bytes.set(header);
  bytes.set(data, HEADER_BYTES);
  return { bytes, isLast: (word & 1) === 1 };
}
