/** Records in a Parquet file: DuckDB reads it, and gives the rows worth a look as text. */
import { countRows, forgetSource, takeCensus, wantedRows } from '../audit/index.js';
import type { Row } from '../casefile/case-file.js';
import {
  type ColumnMap,
  cellOf,
  mapColumns,
  parquetColumnsSql,
  parquetRelation,
  parquetRowsSql,
  type RecordCell,
  storeOf,
  timeReaderOf,
  toRecord,
} from '../records/index.js';
import type { RecordInput } from './sort-inputs.js';
import {
  censusOptions,
  type Kept,
  readOptions,
  type TakenRecords,
  type TakeRecordsOptions,
  withoutRecords,
} from './taken-records.js';

const SAMPLE_ROWS = 500;
const BATCH = 10_000;

export async function takeParquet(
  kept: Kept,
  source: number,
  input: RecordInput,
  options: TakeRecordsOptions,
): Promise<TakenRecords> {
  const { file } = kept;
  try {
    const names = (await file.query(parquetColumnsSql(input.path))).map((row) => String(row.column_name));
    const rowsSql = parquetRowsSql(input.path, names);
    const sample = (await file.query(`${rowsSql} LIMIT ${SAMPLE_ROWS}`)).map((row) => cellsOf(row, names));
    const time = timeReaderOf(readOptions(input, options));
    const map = mapColumns(names, sample, options.given, time);
    if (map === undefined) return withoutRecords(source, input, names);
    await takeCensus(file, source, parquetRelation(input.path, names, map, sample), censusOptions(options));
    const queue = map.indexOf('queue');
    const queues = new Set<string>();
    for (const row of sample) if (queue !== undefined && row[queue] !== undefined) queues.add(row[queue]);
    return {
      ...{ source, input, format: 'parquet', salvaged: 0, rejected: 0, damage: [], passedOver: [] },
      stores: [storeOf(map, {}, { rows: await countRows(file, source), withoutKey: 0 })],
      assumptions: time.assumptions(),
      queues: [...queues],
      fetch: () => fetchRows(kept, source, input, options, names, map),
    };
  } catch (error) {
    await forgetSource(file, source);
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const empty = withoutRecords(source, input, []);
    return {
      ...empty,
      damage: [{ what: `DuckDB cannot read it: ${why.replaceAll(input.path, input.input.path).slice(0, 300)}` }],
    };
  }
}

async function fetchRows(
  { file, keeper }: Kept,
  source: number,
  input: RecordInput,
  options: TakeRecordsOptions,
  names: readonly string[],
  map: ColumnMap,
): Promise<boolean> {
  const time = timeReaderOf(readOptions(input, options));
  const wanted = await wantedRows(file, source);
  for (let from = 0; from < wanted.length; from += BATCH) {
    const numbers = wanted.subarray(from, from + BATCH).join(', ');
    const sql = `${parquetRowsSql(input.path, names)} WHERE file_row_number + 1 IN (${numbers}) ORDER BY 1`;
    for (const row of await file.query(sql)) {
      const record = toRecord(cellsOf(row, names), { entry: `row ${row.row}` }, map, time);
      if (record !== undefined) keeper.keep(record, source, Number(row.row));
    }
  }
  keeper.flush();
  return true;
}

const cellsOf = (row: Row, names: readonly string[]): RecordCell[] =>
  names.map((_, i) => {
    const value = row[`c${i}`];
    return typeof value === 'string' ? cellOf(value) : undefined;
  });
