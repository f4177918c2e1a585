/** What a reader of records gives and gets: the seam between this room and whoever keeps the records. */
import type { Assumption, Damage } from '../model/evidence.js';
import type { IdempotencyRecord } from '../model/idempotency-record.js';
import type { RecordColumn } from '../model/records-audit.js';
import type { GivenColumns } from './map-columns.js';

export interface RecordReadOptions {
  /** Zone of times that carry none. Absent: UTC is assumed and said. */
  readonly assumeTz?: string;
  readonly given: GivenColumns;
  readonly modifiedMs?: number;
}

/** Rows of one layout in one source: a file has one, a dump one a table. */
export interface ReadStore {
  /** Name of the table; absent where the source is the table. */
  readonly name?: string;
  readonly columns: readonly RecordColumn[];
  readonly rows: number;
  readonly withoutKey: number;
  /** The store itself says that a key stands once: a primary key, a unique index, a key of Redis. */
  readonly uniqueKey?: string;
  readonly keyIsJob: boolean;
  readonly keyHoldsAttempt: boolean;
  /** Whether its columns tell an end at all. */
  readonly tellsEnd: boolean;
}

/** What a reader says about one source when it is through. */
export interface RecordReadReport {
  readonly format: string;
  readonly stores: readonly ReadStore[];
  /** Rows of which no record could be made. */
  readonly rejected: number;
  /** Rows read in a second way. */
  readonly salvaged: number;
  readonly damage: readonly Damage[];
  readonly assumptions: readonly Assumption[];
  /** Tables and the like that hold no idempotency records, with their columns. */
  readonly passedOver: readonly string[];
}

/** Takes records as they are found. */
export type TakeRecord = (record: IdempotencyRecord) => void;

/** What a head tells: that a source holds records, and how that was seen. */
export interface RecordDetection {
  readonly format: string;
  readonly reason: string;
}

/** Damages that are listed one by one; the rest is counted. */
export const MOST_DAMAGES = 20;
