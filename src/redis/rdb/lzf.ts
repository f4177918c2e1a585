/** LZF, the compression of long strings in an RDB (Redis lzf_d.c). */
import { byteAt } from './byte-at.js';

/** The longest run one back reference can stand for: 3 bytes become at most 264. */
const BEST_RATIO = 264 / 3;

/**
 * Whether `compressed` bytes could ever become `original` bytes. A twenty-byte record can claim four gigabytes; this is
 * asked before anything of the claimed size is allocated.
 */
export function plausibleLzf(compressed: number, original: number): boolean {
  return original > 0 && original <= compressed * BEST_RATIO;
}

/**
 * Decompresses `bytes[from, to)` into `out[0, length)`.
 *
 * @returns whether exactly `length` bytes came out and all input was used.
 */
export function decompressLzf(bytes: Uint8Array, from: number, to: number, out: Uint8Array, length: number): boolean {
  let at = from;
  let written = 0;
  while (at < to) {
    const control = byteAt(bytes, at++);
    if (control < 32) {
      const run = control + 1;
      if (at + run > to || written + run > length) return false;
      for (let i = 0; i < run; i++) out[written++] = byteAt(bytes, at++);
      continue;
    }
    let run = control >> 5;
    if (run === 7) {
      if (at >= to) return false;
      run += byteAt(bytes, at++);
    }
    run += 2;
    if (at >= to) return false;
    let source = written - ((control & 31) << 8) - byteAt(bytes, at++) - 1;
    if (source < 0 || written + run > length) return false;
    // Byte by byte: the run may overlap what it is still writing.
    for (let i = 0; i < run; i++) out[written++] = byteAt(out, source++);
  }
  return written === length;
}
