/** Unpacks the deflate data of one gzip member into blocks of a handy size. */
import zlib from 'node:zlib';
import type { ByteCursor } from './byte-cursor.js';
import { createInflater, PORTION_BYTES } from './inflate.js';

export interface UnpackLimits {
  /** Past this many unpacked bytes … */
  readonly bytes: number;
  /** … unpacking goes on only while they are at most so many times the packed ones. */
  readonly ratio: number;
}

export type MemberEnd =
  | { readonly how: 'complete'; readonly crc: number | undefined; readonly size: number }
  | { readonly how: 'ends-early' | 'too-big' }
  | { readonly how: 'broken'; readonly error: string };

const DELIVER_BYTES = 256 * 1024;

/**
 * Yields everything that can be unpacked, then returns how the data ended. `before`: bytes unpacked from earlier members,
 * for the limits. Each block owns its memory.
 */
export async function* inflateMember(
  cursor: ByteCursor,
  before: number,
  limits: UnpackLimits,
): AsyncGenerator<Uint8Array, MemberEnd> {
  const inflater = createInflater();
  let size = 0;
  let crc: number | undefined = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let end: MemberEnd | undefined;
  try {
    while (end === undefined) {
      const portion = await cursor.peek(PORTION_BYTES);
      if (portion.length === 0) {
        end = { how: 'ends-early' };
        break;
      }
      const { output, used, ended, error } = await inflater.push(portion);
      cursor.skip(used);
      for (const piece of output) {
        crc = checksum(piece, crc);
        size += piece.length;
        waitingBytes += piece.length;
        waiting.push(piece);
      }
      if (error !== undefined) end = { how: 'broken', error };
      else if (ended) end = { how: 'complete', crc, size };
      else if (isTooBig(before + size, cursor.position(), limits)) end = { how: 'too-big' };
      else if (waitingBytes >= DELIVER_BYTES) {
        yield joined(waiting, waitingBytes);
        waiting = [];
        waitingBytes = 0;
      }
    }
  } finally {
    inflater.close();
  }
  if (waitingBytes > 0) yield joined(waiting, waitingBytes);
  return end;
}

function isTooBig(unpacked: number, packed: number, { bytes, ratio }: UnpackLimits): boolean {
  return unpacked > bytes && unpacked > packed * ratio;
}

/** Copies even a single piece: zlib goes on writing into the memory behind its pieces. */
function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const block = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const piece of pieces) {
    block.set(piece, at);
    at += piece.length;
  }
  return block;
}

/** Undefined before Node 20.15, which has no `crc32`; the length in the trailer is then the only check. */
function checksum(piece: Uint8Array, crc: number | undefined): number | undefined {
  return crc === undefined || typeof zlib.crc32 !== 'function' ? undefined : zlib.crc32(piece, crc);
}
