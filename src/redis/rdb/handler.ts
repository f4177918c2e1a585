/** What `readRdb` tells about a file, and to whom. */
import type { RdbString } from './rdb-string.js';

export type RdbKind = 'string' | 'list' | 'set' | 'zset' | 'hash' | 'stream' | 'module';

/** Number spaces of types and opcodes above 21 and 241 differ between the two servers. */
export type RdbFlavour = 'redis' | 'valkey';

/** A key, seen before its value. Valid only during the call. */
export interface RdbKey {
  readonly name: RdbString;
  readonly db: number;
  readonly kind: RdbKind;
  /** Type byte of the file. */
  readonly type: number;
  /** Absolute, ms UTC on Redis' clock. Keys whose time is over may still be there. */
  readonly expiresAtMs: number | undefined;
  /** Offset of the key's record in the decompressed file: its first prefix (expiry, idle time) or its type byte. */
  readonly offset: number;
}

/** One entry of a stream. Valid only during the call. */
export interface RdbStreamEntry {
  readonly ms: number;
  readonly seq: number;
  /** Deleted or trimmed, but its node still held it. */
  readonly deleted: boolean;
  /** Number of fields. */
  readonly size: number;
  field(index: number): RdbString;
  value(index: number): RdbString;
}

/** Parts of an id beyond 2^53 are rounded. */
export interface RdbStreamId {
  readonly ms: number;
  readonly seq: number;
}

/** State of a stream. What older versions do not store is absent. */
export interface RdbStreamState {
  readonly length: number;
  readonly last: RdbStreamId;
  readonly first?: RdbStreamId;
  readonly maxDeleted?: RdbStreamId;
  readonly entriesAdded?: number;
}

export interface RdbConsumer {
  readonly name: string;
  readonly seenMs: number;
  readonly activeMs?: number;
  readonly pending: readonly RdbStreamId[];
}

export interface RdbGroup {
  readonly name: string;
  readonly last: RdbStreamId;
  /** Absent: not stored, or stored as unknown. */
  readonly entriesRead?: number;
  readonly pending: readonly (RdbStreamId & { readonly deliveredMs: number; readonly deliveries: number })[];
  readonly consumers: readonly RdbConsumer[];
}

/**
 * Takes the value of one key. Only what is implemented is built; strings are valid only during the call.
 * An element that is damaged in itself or too long for memory is left out, and counted in `RdbResult.lostCount`.
 */
export interface RdbValueSink {
  string?(value: RdbString): void;
  listItem?(item: RdbString): void;
  setMember?(member: RdbString): void;
  zsetMember?(member: RdbString, score: number): void;
  /** Returns whether the field's value is wanted; if so `hashValue` follows. */
  hashField?(field: RdbString): boolean;
  /** `expiresAtMs`: the field's own expiry. */
  hashValue?(value: RdbString, expiresAtMs: number | undefined): void;
  streamEntry?(entry: RdbStreamEntry): void;
  streamState?(state: RdbStreamState): void;
  streamGroup?(group: RdbGroup): void;
  /** The value was read to its end. */
  end?(): void;
}

export interface RdbHandler {
  aux?(name: string, value: string): void;
  /** Source of a function library. */
  functionLibrary?(code: string): void;
  /** Returns who takes the value; undefined skips it unread. */
  key?(key: RdbKey): RdbValueSink | undefined;
}
