/** A Parquet file as DuckDB's own reader takes it: every column as text, rows by their number. */
import { NULL_TEXTS, type RecordCell } from './cell.js';
import type { ColumnMap } from './map-columns.js';
import { type RecordRelation, relationOf, sqlIsOneOf, sqlText } from './relation.js';

const MAGIC = 'PAR1';

export const isParquet = (head: Uint8Array): boolean => Buffer.from(head.subarray(0, 4)).toString('latin1') === MAGIC;

const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const read = (path: string): string => `read_parquet(${sqlText(path)}, file_row_number = true)`;

/** SQL that lists the columns: `column_name`. */
export const parquetColumnsSql = (path: string): string => `DESCRIBE SELECT * FROM read_parquet(${sqlText(path)})`;

/** SQL of rows as text, `c0`, `c1`, … and `row` from 1, behind it a condition or LIMIT. */
export function parquetRowsSql(path: string, names: readonly string[]): string {
  const cells = names.map((name, i) => `CAST(${sqlName(name)} AS VARCHAR) AS c${i}`);
  return `SELECT file_row_number + 1 AS "row", ${cells.join(', ')} FROM ${read(path)}`;
}

export function parquetRelation(
  path: string,
  names: readonly string[],
  map: ColumnMap,
  sample: readonly (readonly RecordCell[])[],
): RecordRelation {
  const columns = names.map((name) => {
    const text = `CAST(${sqlName(name)} AS VARCHAR)`;
    return `CASE WHEN NOT ${sqlIsOneOf(text, NULL_TEXTS)} THEN ${text} END`;
  });
  return relationOf(read(path), columns, map, sample);
}
