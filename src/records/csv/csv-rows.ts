/**
 * Rows of a CSV file as records, with their places. What DuckDB's reader would reject goes through csv-parse, which forgives a
 * stray quote or a missing last cell; what even that cannot put into columns is told with its line.
 */
import { parse } from 'csv-parse/sync';
import type { Damage } from '../../model/evidence.js';
import type { IdempotencyRecord } from '../../model/idempotency-record.js';
import type { TimeReader } from '../../time/index.js';
import { cellOf, type RecordCell } from '../cell.js';
import type { ColumnMap } from '../map-columns.js';
import { MOST_DAMAGES } from '../reader.js';
import { toRecord } from '../to-record.js';
import type { Dialect } from './dialect.js';
import { LONGEST_RECORD, type ScannedRecord, scanRecords } from './scan-records.js';
import { splitRecord } from './split-record.js';

export interface CsvRowsOptions {
  readonly dialect: Dialect;
  readonly map: ColumnMap;
  readonly time: TimeReader;
  /** Numbers of the rows that are wanted, rising; absent: all. */
  readonly wanted?: Iterator<number>;
  /** Look at every record for what DuckDB's reader rejects; without it only broken quotes are noticed. */
  readonly checked: boolean;
}

export interface CsvRows {
  /** Rows that DuckDB's reader takes. */
  readonly clean: number;
  readonly salvaged: number;
  readonly rejected: number;
  readonly withoutKey: number;
  readonly damage: readonly Damage[];
}

/** `row` is the number of the row as DuckDB counts them, 0 for one that it rejects. */
export type TakeCsvRow = (record: IdempotencyRecord, row: number) => void;

const FAULTS: Readonly<Record<NonNullable<ScannedRecord['fault']>, string>> = {
  quotes: 'its quotes are not in order',
  'too-long': `it is longer than ${LONGEST_RECORD / 1e6} MB`,
  columns: 'it has another number of columns',
  encoding: 'it is not UTF-8',
};

export async function readCsvRows(
  blocks: AsyncIterable<Uint8Array>,
  options: CsvRowsOptions,
  take: TakeCsvRow,
): Promise<CsvRows> {
  const { dialect, map, time, wanted } = options;
  const damage: Damage[] = [];
  let salvaged = 0;
  let rejected = 0;
  let withoutKey = 0;
  const how = {
    delimiter: dialect.delimiter,
    hasHeader: dialect.hasHeader,
    ...(wanted === undefined ? {} : { wanted }),
    ...(options.checked ? { columns: dialect.names.length } : {}),
  };
  const tell = (cells: readonly RecordCell[], { line, offset, row }: ScannedRecord): void => {
    const record = toRecord(cells, { line, offset }, map, time);
    if (record === undefined) withoutKey++;
    else take(record, row);
  };
  const note = (what: string, { line, offset }: ScannedRecord): void => {
    if (damage.length < MOST_DAMAGES) damage.push({ what, line, offset });
  };
  const clean = await scanRecords(blocks, how, (found) => {
    if (found.fault === undefined) {
      tell(splitRecord(found.bytes.toString('utf8'), dialect.delimiter).map(cellOf), found);
      return;
    }
    const cells = found.fault === 'too-long' ? undefined : forgivingCells(found.bytes.toString('utf8'), dialect);
    if (cells === undefined) {
      rejected++;
      note(`a row was left out: ${FAULTS[found.fault]}`, found);
    } else {
      salvaged++;
      note(`a row was rejected by DuckDB's reader (${FAULTS[found.fault]}) and read by csv-parse`, found);
      tell(cells, found);
    }
  });
  const untold = salvaged + rejected - damage.length;
  if (untold > 0) damage.push({ what: `${untold} more rows were rejected by DuckDB's reader` });
  return { clean, salvaged, rejected, withoutKey, damage };
}

/** Cells of a row that is not well-formed; undefined where they cannot be told apart: too many of them, or none. */
function forgivingCells(text: string, { delimiter, names }: Dialect): RecordCell[] | undefined {
  for (const quote of ['"', false] as const) {
    try {
      const [row] = parse(text, {
        delimiter,
        quote,
        relax_quotes: true,
        relax_column_count: true,
        skip_empty_lines: true,
      });
      if (row === undefined || row.length > names.length || row.length < 2) return undefined;
      return names.map((_, i) => cellOf(row[i] ?? ''));
    } catch {
      // Without quotes there is nothing left that could be out of order.
    }
  }
  return undefined;
}
