/** What the tests of `verify` ask of an analysis and of bytes. */
import type { Analysis, Ref } from '../../src/model/analysis.js';
import { hasPlace, placeKey } from '../../src/pipeline/verify-place.js';
import { citationsOf } from '../../src/pipeline/verify-refs.js';

/** Every cited place, once. */
export function placesOf(analysis: Analysis): Ref[] {
  const places = new Map<string, Ref>();
  for (const { ref } of citationsOf(analysis)) if (hasPlace(ref)) places.set(`${ref.source} ${placeKey(ref)}`, ref);
  return [...places.values()];
}

/** A copy with one bit of one byte turned over. */
export function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}
