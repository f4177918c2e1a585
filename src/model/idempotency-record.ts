/** One idempotency record, whatever it was kept in: the seam between its readers and the audit. Absent: not told. */
import type { Precision } from './event.js';
import type { RecordState } from './records-audit.js';

/** A time as the application wrote it, ms UTC, on the clock of whoever wrote it. */
export interface RecordTime {
  readonly t: number;
  readonly precision: Precision;
}

/** Where a record stands in its source. */
export interface RecordPlace {
  /** 1-based, of its first line. Absent where the source has no lines. */
  readonly line?: number;
  /** Byte offset in the unpacked source. */
  readonly offset?: number;
  /** `row 12` of a Parquet file. */
  readonly entry?: string;
  /** Key of a Redis dump. */
  readonly redisKey?: string;
}

export interface IdempotencyRecord {
  readonly place: RecordPlace;
  /** Without the attempt, where the store's keys hold it. */
  readonly key: string;
  /** As it stands. */
  readonly rawKey: string;
  readonly scope?: string;
  readonly job?: string;
  readonly queue?: string;
  readonly attempt?: number;
  readonly status?: string;
  readonly state: RecordState;
  readonly worker?: string;
  readonly started?: RecordTime;
  readonly completed?: RecordTime;
  readonly expires?: RecordTime;
  readonly checkpoint?: number;
  readonly resumed?: number;
  readonly fingerprint?: string;
}
