/**
 * The guard against archives that grow without end. It belongs to the input as a whole: what an archive in an archive unpacks to
 * counts, too.
 */
import type { UnpackLimits } from '../inflate-member.js';

/** Files of one input that are read: an incident has some hundred. */
export const MAX_ENTRIES = 10_000;

export interface Allowance {
  /** Counts bytes that came out; false once they are too many for what went in. */
  spend(bytes: number): boolean;
  /** Counts a file; false once there are too many. */
  enter(): boolean;
  /** What was exceeded, in words. */
  exceeded(): string | undefined;
}

/** @param packedBytes size of the input on disk, or as much of it as was read. */
export function createAllowance(
  limits: UnpackLimits,
  packedBytes: () => number,
  maxEntries: number = MAX_ENTRIES,
): Allowance {
  let bytes = 0;
  let entries = 0;
  let exceeded: string | undefined;
  return {
    spend(more) {
      bytes += more;
      if (bytes > limits.bytes && bytes > packedBytes() * limits.ratio)
        exceeded ??= `it grows to more than ${limits.ratio} times its size`;
      return exceeded === undefined;
    },
    enter() {
      if (++entries > maxEntries) exceeded ??= `it holds more than ${maxEntries} files`;
      return exceeded === undefined;
    },
    exceeded: () => exceeded,
  };
}
