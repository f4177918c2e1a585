/**
 * Takes idempotency records in. CSV and Parquet are read by DuckDB, which leaves a few numbers of each row; the rows worth a look
 * are read a second time, with their places, and held against those numbers. Every other form is read whole at once.
 */
import { takeCensusOfKept } from '../audit/index.js';
import type { IdempotencyRecord } from '../model/idempotency-record.js';
import { readJson, readSqlDump } from '../records/index.js';
import type { RecordInput } from './sort-inputs.js';
import { takeCsv } from './take-csv.js';
import { takeParquet } from './take-parquet.js';
import { type Kept, noteQueue, readOptions, type TakenRecords, type TakeRecordsOptions } from './taken-records.js';

export async function takeRecords(
  kept: Kept,
  source: number,
  input: RecordInput,
  options: TakeRecordsOptions,
): Promise<TakenRecords> {
  const { detected } = input;
  if (detected.kind === 'parquet') return takeParquet(kept, source, input, options);
  if (detected.kind === 'csv') return takeCsv(kept, source, input, detected.dialect, options);
  const { file, keeper } = kept;
  const queues = new Set<string>();
  const how = readOptions(input, options);
  const take = (record: IdempotencyRecord): void => {
    noteQueue(queues, record);
    keeper.keep(record, source, 0);
  };
  const report =
    detected.kind === 'json'
      ? await readJson(input.blocks(), detected.format, detected.layout, how, take)
      : await readSqlDump(input.blocks(), how, take);
  keeper.flush();
  await takeCensusOfKept(file, source);
  return { source, input, ...report, queues: [...queues] };
}
