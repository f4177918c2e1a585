/** What taking one source of idempotency records comes to, whatever it was kept in. */
import type { CensusOptions, RecordKeeper } from '../audit/index.js';
import type { CaseFile } from '../casefile/case-file.js';
import type { Assumption, Damage } from '../model/evidence.js';
import type { IdempotencyRecord } from '../model/idempotency-record.js';
import type { GivenColumns, ReadStore } from '../records/index.js';
import type { RecordInput } from './sort-inputs.js';

export interface TakeRecordsOptions {
  readonly given: GivenColumns;
  readonly assumeTz?: string;
  /** There is evidence to compare the records with. */
  readonly hasEvidence: boolean;
}

/** One source of records, taken. */
export interface TakenRecords {
  readonly source: number;
  readonly input: RecordInput;
  readonly format: string;
  readonly stores: readonly ReadStore[];
  readonly salvaged: number;
  readonly rejected: number;
  readonly damage: readonly Damage[];
  readonly assumptions: readonly Assumption[];
  readonly passedOver: readonly string[];
  /** Queue names in the first rows. */
  readonly queues: readonly string[];
  /**
   * Reads the rows worth a look and keeps them. False: they are not the rows that DuckDB counted, and the source must be read
   * whole. Absent: all of its rows are kept already.
   */
  readonly fetch?: () => Promise<boolean>;
  /** Reads all rows in the second way and keeps them. */
  readonly readWhole?: () => Promise<TakenRecords>;
}

export interface Kept {
  readonly file: CaseFile;
  readonly keeper: RecordKeeper;
}

export const censusOptions = ({ assumeTz = 'UTC', hasEvidence }: TakeRecordsOptions): CensusOptions => ({
  zone: assumeTz,
  withJobs: hasEvidence,
});

const MOST_QUEUES = 1000;

export function noteQueue(queues: Set<string>, { queue }: IdempotencyRecord): void {
  if (queue !== undefined && queues.size < MOST_QUEUES) queues.add(queue);
}

export function readOptions({ modifiedMs }: RecordInput, { given, assumeTz }: TakeRecordsOptions) {
  return {
    given,
    ...(assumeTz === undefined ? {} : { assumeTz }),
    ...(modifiedMs === undefined ? {} : { modifiedMs }),
  };
}

/** A source of which no column tells what it is about. */
export function withoutRecords(source: number, input: RecordInput, columns: readonly string[]): TakenRecords {
  const what = `no column names a key or a job; the columns are ${columns.slice(0, 20).join(', ')}`;
  return {
    ...{ source, input, format: input.detected.format, stores: [], salvaged: 0, rejected: 0, assumptions: [] },
    ...{ damage: [{ what }], passedOver: [], queues: [] },
  };
}
