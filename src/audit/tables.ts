/**
 * Where the audit keeps idempotency records: temporary tables beside the case. Tens of millions of rows pass, few of them are
 * worth a look. So every row leaves a few numbers in `census`, and only the rows of keys that may hold something are kept whole,
 * in `record_rows`.
 */
import type { CaseFile } from '../casefile/case-file.js';
import type { TableWriter } from '../casefile/table-writer.js';
import { PRECISIONS } from '../model/event.js';
import type { IdempotencyRecord } from '../model/idempotency-record.js';
import { RECORD_STATES, type RecordState } from '../model/records-audit.js';

const ROW_COLUMNS = [
  ['source', 'INTEGER'],
  ['nr', 'DOUBLE'],
  ['line', 'DOUBLE'],
  ['off', 'DOUBLE'],
  ['entry', 'VARCHAR'],
  ['redis_key', 'VARCHAR'],
  ['key', 'VARCHAR'],
  ['raw_key', 'VARCHAR'],
  ['scope', 'VARCHAR'],
  ['queue', 'VARCHAR'],
  ['job', 'VARCHAR'],
  ['attempt', 'INTEGER'],
  ['status', 'VARCHAR'],
  ['state', 'UTINYINT'],
  ['worker', 'VARCHAR'],
  ['started', 'DOUBLE'],
  ['started_prec', 'UTINYINT'],
  ['completed', 'DOUBLE'],
  ['completed_prec', 'UTINYINT'],
  ['expires', 'DOUBLE'],
  ['checkpoint', 'DOUBLE'],
  ['resumed', 'DOUBLE'],
  ['fingerprint', 'VARCHAR'],
] as const;

export const stateCode = (state: RecordState): number => RECORD_STATES.indexOf(state);

/** What names the work, as one number; two pieces of work share one by chance in one of 10^13 tables of a thousand keys. */
export const identSql = (scope: string, queue: string, key: string): string =>
  `CASE WHEN ${key} IS NOT NULL THEN hash(${scope}::VARCHAR, ${queue}::VARCHAR, ${key}) END`;
/** A job, as one number. */
export const jobSql = (queue: string, job: string): string =>
  `CASE WHEN ${job} IS NOT NULL THEN hash(coalesce(${queue}, ''), ${job}) END`;

/** What is left of 512 MB beside the program itself and what it reads ahead. */
const MEMORY_LIMIT = '160MB';

export async function createRecordTables(file: CaseFile): Promise<void> {
  await file.run(`
    SET TimeZone = 'UTC';
    SET memory_limit = '${MEMORY_LIMIT}';
    CREATE OR REPLACE TEMP TABLE census (source INTEGER, h UBIGINT, j UBIGINT, q UBIGINT, state UTINYINT, later BOOLEAN, at_ms DOUBLE);
    CREATE OR REPLACE TEMP TABLE record_rows (${ROW_COLUMNS.map(([name, type]) => `"${name}" ${type}`).join(', ')});`);
}

export interface RecordKeeper {
  /** `nr`: number of the row as DuckDB's reader counts them in its source; 0 for a row that it did not read. */
  keep(record: IdempotencyRecord, source: number, nr: number): void;
  /** Makes what was kept visible to queries. */
  flush(): void;
  close(): void;
}

export async function keepRecords(file: CaseFile): Promise<RecordKeeper> {
  const writer: TableWriter = await file.append('record_rows', ROW_COLUMNS);
  const precision = (of: { readonly precision: (typeof PRECISIONS)[number] } | undefined): number | null =>
    of === undefined ? null : PRECISIONS.indexOf(of.precision);
  return {
    keep(record, source, nr) {
      const { place, started, completed } = record;
      writer.push([
        source,
        nr,
        place.line ?? null,
        place.offset ?? null,
        place.entry ?? null,
        place.redisKey ?? null,
        record.key,
        record.rawKey === record.key ? null : record.rawKey,
        record.scope ?? null,
        record.queue ?? null,
        record.job ?? null,
        record.attempt ?? null,
        record.status ?? null,
        stateCode(record.state),
        record.worker ?? null,
        started?.t ?? null,
        precision(started),
        completed?.t ?? null,
        precision(completed),
        record.expires?.t ?? null,
        record.checkpoint ?? null,
        record.resumed ?? null,
        record.fingerprint ?? null,
      ]);
    },
    flush: writer.flush,
    close: writer.close,
  };
}
