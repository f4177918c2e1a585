/**
 * The value types of an RDB (Redis rdb.h 8.0, librdb for later ones; Valkey rdb.h 9.0) and how each lies in the file.
 * S is a string, L a length. No type states its own size, so one that is not in this table ends the reading.
 */
import type { RdbFlavour } from './handler.js';
import { Intset } from './intset.js';
import { Listpack } from './listpack.js';
import type { Packed } from './packed.js';
import { Ziplist } from './ziplist.js';
import { Zipmap } from './zipmap.js';

type PackedConstructor = new (bytes: Buffer) => Packed;

export type RdbLayout =
  /** S */
  | { readonly of: 'string'; readonly kind: 'string' }
  /** L n, n × S; a list, a set, or a hash as field, value, field, value */
  | { readonly of: 'strings'; readonly kind: 'list' | 'set' | 'hash' }
  /** L n, n × (S, score): old scores are text of a stated length, newer ones eight bytes */
  | { readonly of: 'scored'; readonly kind: 'zset'; readonly scores: 'text' | 'binary' }
  /** S, which holds a whole small collection */
  | {
      readonly of: 'packed';
      readonly kind: 'list' | 'set' | 'zset' | 'hash';
      readonly Reader: PackedConstructor;
      /** Triplets field, value, expiry; before them eight bytes that hold the earliest expiry. */
      readonly fieldExpiry?: 'bare' | 'with-minimum';
    }
  /** L n, n × S(ziplist) */
  | { readonly of: 'ziplists'; readonly kind: 'list' }
  /** L n, n × (L container, S) */
  | { readonly of: 'quicklist-nodes'; readonly kind: 'list' }
  /** L n, n × (expiry, S, S) in one of three forms */
  | { readonly of: 'expiring-hash'; readonly kind: 'hash'; readonly form: 'relative' | 'absolute' | 'trailing' }
  | { readonly of: 'stream'; readonly kind: 'stream'; readonly version: 1 | 2 | 3 | 4 | 5 }
  /** L module id, tagged parts */
  | { readonly of: 'module'; readonly kind: 'module' };

/** Type of a hash as field, value, field, value. */
export const HASH = 4;
export const HASH_LAYOUT: RdbLayout = { of: 'strings', kind: 'hash' };

const COMMON: Readonly<Record<number, RdbLayout>> = {
  0: { of: 'string', kind: 'string' },
  1: { of: 'strings', kind: 'list' },
  2: { of: 'strings', kind: 'set' },
  3: { of: 'scored', kind: 'zset', scores: 'text' },
  [HASH]: HASH_LAYOUT,
  5: { of: 'scored', kind: 'zset', scores: 'binary' },
  7: { of: 'module', kind: 'module' },
  9: { of: 'packed', kind: 'hash', Reader: Zipmap },
  10: { of: 'packed', kind: 'list', Reader: Ziplist },
  11: { of: 'packed', kind: 'set', Reader: Intset },
  12: { of: 'packed', kind: 'zset', Reader: Ziplist },
  13: { of: 'packed', kind: 'hash', Reader: Ziplist },
  14: { of: 'ziplists', kind: 'list' },
  15: { of: 'stream', kind: 'stream', version: 1 },
  16: { of: 'packed', kind: 'hash', Reader: Listpack },
  17: { of: 'packed', kind: 'zset', Reader: Listpack },
  18: { of: 'quicklist-nodes', kind: 'list' },
  19: { of: 'stream', kind: 'stream', version: 2 },
  20: { of: 'packed', kind: 'set', Reader: Listpack },
  21: { of: 'stream', kind: 'stream', version: 3 },
};

const REDIS_ONLY: Readonly<Record<number, RdbLayout>> = {
  22: { of: 'expiring-hash', kind: 'hash', form: 'absolute' },
  23: { of: 'packed', kind: 'hash', Reader: Listpack, fieldExpiry: 'bare' },
  24: { of: 'expiring-hash', kind: 'hash', form: 'relative' },
  25: { of: 'packed', kind: 'hash', Reader: Listpack, fieldExpiry: 'with-minimum' },
  26: { of: 'stream', kind: 'stream', version: 4 },
  27: { of: 'stream', kind: 'stream', version: 5 },
};

const VALKEY_ONLY: Readonly<Record<number, RdbLayout>> = {
  22: { of: 'expiring-hash', kind: 'hash', form: 'trailing' },
};

/** How a type's value lies in the file; undefined for a type that has no known layout. */
export function layoutOf(type: number, flavour: RdbFlavour): RdbLayout | undefined {
  return COMMON[type] ?? (flavour === 'valkey' ? VALKEY_ONLY : REDIS_ONLY)[type];
}
