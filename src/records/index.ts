/** Readers of idempotency records. What they are compared with is none of their business. */
export { cellOf, type RecordCell } from './cell.js';
export { csvRelation } from './csv/csv-relation.js';
export { type CsvRows, readCsvRows } from './csv/csv-rows.js';
export { type Dialect, dialectOf } from './csv/dialect.js';
export { type DetectOptions, detectRecords, RECORD_FORMATS, type RecordSource, tableColumns } from './detect.js';
export { gather, looksLikeRecords, storeOf, timeReaderOf } from './gather.js';
export { readJson } from './json/json-reader.js';
export { isRecordKey, redisCells } from './json/redis-value.js';
export { type ColumnMap, columnIndex, type GivenColumns, mapColumns } from './map-columns.js';
export { parquetColumnsSql, parquetRelation, parquetRowsSql } from './parquet.js';
export type { ReadStore, RecordReadOptions, RecordReadReport, TakeRecord } from './reader.js';
export type { RecordRelation } from './relation.js';
export { readSqlDump } from './sql/sql-reader.js';
export { toRecord } from './to-record.js';
