/** A cited place and what was found there. */
import type { Hash } from 'node:crypto';
import type { Ref } from '../model/analysis.js';

/** What stands at a place now. */
export interface FoundRecord {
  /** As in `Ref`. */
  readonly digest: string;
  /** Its beginning, as text. */
  readonly shows: string;
}

const DIGEST_DIGITS = 16;

/** Identity of a place in its source. */
export const placeKey = ({ line, entry, offset, key }: Ref): string =>
  JSON.stringify([line ?? null, entry ?? null, offset ?? null, key ?? null]);

/** Whether the reference says where in its source the record stands. */
export const hasPlace = ({ line, offset, key }: Ref): boolean => (line ?? offset ?? key) !== undefined;

export const digestOf = (hash: Hash): string => hash.digest('hex').slice(0, DIGEST_DIGITS);
