/** When a key of a dump expires, in the forms in which tools say it. */
import { parseTimestamp } from '../../../time/index.js';

/** A time to live above this is a time: seconds never get so far. */
const LEAST_TIME_MS = 1e11;

export interface Expiry {
  /** ms UTC; undefined: never, or not known. */
  readonly atMs?: number;
  /** It was told as a time to live. */
  readonly isRelative: boolean;
}

const NEVER: Expiry = { isRelative: false };

/**
 * @param member `expiry` ms (redis-rdb-cli), `expiration` written out with its zone (HDT3213/rdb), `ttl` seconds left at the
 *   time of the dump, or -1 (redis-dump of both kinds).
 * @param dumpedMs when the dump was written, if known.
 */
export function expiryOf(member: string, value: string, dumpedMs: number | undefined): Expiry {
  if (member === 'expiration') {
    const time = parseTimestamp(value);
    return time === undefined ? NEVER : { atMs: time.t, isRelative: false };
  }
  const number = Number(value);
  if (!Number.isFinite(number) || number < 0 || value.trim() === '') return NEVER;
  if (member === 'expiry' || number > LEAST_TIME_MS) return { atMs: number, isRelative: false };
  return { isRelative: true, ...(dumpedMs === undefined ? {} : { atMs: dumpedMs + number * 1000 }) };
}
