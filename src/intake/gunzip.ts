/**
 * Unpacks gzip so that damage costs as little as possible: every good byte before it is delivered, and what is wrong is
 * said. Members follow one another (rotated logs are often appended so); zero bytes after a member are padding.
 */
import type { Damage } from '../model/evidence.js';
import { type ByteCursor, byteCursor } from './byte-cursor.js';
import { readGzipHeader } from './gzip-header.js';
import { inflateMember, type MemberEnd, type UnpackLimits } from './inflate-member.js';

/**
 * The guard against decompression bombs. Logs pack to a tenth, seldom to a fiftieth; deflate's limit, which nothing but
 * repetition reaches, is about 1030.
 */
export const UNPACK_LIMITS: UnpackLimits = { bytes: 1024 ** 3, ratio: 200 };

export interface GzipNotes {
  readonly damage: Damage[];
  /** When the packed file was last changed, ms UTC, where the first member says it. */
  modifiedMs?: number;
}

const TRAILER_BYTES = 8;

/** Unpacked blocks. Never throws: what is wrong goes to `notes.damage`, with its offset in the unpacked bytes. */
export async function* gunzip(
  next: () => Promise<Uint8Array | undefined>,
  notes: GzipNotes,
  limits: UnpackLimits = UNPACK_LIMITS,
): AsyncGenerator<Uint8Array, void> {
  const cursor = byteCursor(next);
  let unpacked = 0;
  const damaged = (what: string): void => {
    notes.damage.push({ what, offset: unpacked });
  };
  const endsEarly = (): void =>
    damaged(`gzip ends early after ${cursor.position()} bytes, what was before it was read`);
  const stopsBecause = (end: Exclude<MemberEnd, { how: 'complete' }>): void => {
    if (end.how === 'ends-early') endsEarly();
    else if (end.how === 'broken')
      damaged(`gzip is damaged near byte ${cursor.position()} (${end.error}), what was before it was read`);
    else
      damaged(
        `gzip grows to more than ${limits.ratio} times its size, the rest after ${unpacked} unpacked bytes was not read; unpack it with gunzip if it can be trusted`,
      );
  };

  for (let first = true; ; first = false) {
    if (!first) {
      const after = await whatFollows(cursor);
      if (after === 'end') return;
      if (after === 'garbage')
        return damaged(`what follows the gzip data at byte ${cursor.position()} is not gzip and was not read`);
    }
    const start = cursor.position();
    const header = await readGzipHeader(cursor);
    if (header === 'ends-early') return endsEarly();
    if (header === 'malformed')
      return damaged(`gzip has a broken header at byte ${start}, what was before it was read`);
    if (first && header.modifiedMs !== undefined) notes.modifiedMs = header.modifiedMs;

    const member = inflateMember(cursor, unpacked, limits);
    let step = await member.next();
    for (; step.done !== true; step = await member.next()) {
      unpacked += step.value.length;
      yield step.value;
    }
    const end = step.value;
    if (end.how !== 'complete') return stopsBecause(end);
    const trailer = await cursor.take(TRAILER_BYTES);
    if (trailer.length < TRAILER_BYTES) return endsEarly();
    if (!fits(trailer, end)) damaged('gzip checksum does not fit: some of the bytes unpacked before this are wrong');
  }
}

/** Skips padding after a member, and looks at what comes then without consuming it. */
async function whatFollows(cursor: ByteCursor): Promise<'end' | 'member' | 'garbage'> {
  for (;;) {
    const some = await cursor.peek(4096);
    if (some.length === 0) return 'end';
    const start = some.findIndex((byte) => byte !== 0);
    if (start === 0) return some[0] === 0x1f && (some.length === 1 || some[1] === 0x8b) ? 'member' : 'garbage';
    cursor.skip(start === -1 ? some.length : start);
  }
}

/** The trailer holds the CRC-32 of the member and its length modulo 2^32, little-endian (RFC 1952). */
function fits(trailer: Uint8Array, { crc, size }: { crc: number | undefined; size: number }): boolean {
  const view = new DataView(trailer.buffer, trailer.byteOffset);
  return (crc === undefined || view.getUint32(0, true) === crc) && view.getUint32(4, true) === size % 2 ** 32;
}
