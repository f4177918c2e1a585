/** Appends rows to one table in column chunks, the fastest way into DuckDB. */
import {
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBVector,
  INTEGER,
  UTINYINT,
  VARCHAR,
} from '@duckdb/node-api';
import { type Columns, type ColumnType, TABLES, type TableName } from './tables.js';

export type Cell = number | string | boolean | null;

/** Rows DuckDB takes in one chunk (its vector size). */
const CHUNK_ROWS = 2048;
const DUCKDB_TYPES = { INTEGER, UTINYINT, DOUBLE, VARCHAR, BOOLEAN } as const satisfies Record<ColumnType, unknown>;

/** Largest number of an integer column. Evidence may hold any number; one that does not fit is left out like one not known. */
const LIMITS: Readonly<Record<ColumnType, number>> = {
  INTEGER: 2_147_483_647,
  UTINYINT: 255,
  DOUBLE: Number.POSITIVE_INFINITY,
  VARCHAR: Number.POSITIVE_INFINITY,
  BOOLEAN: Number.POSITIVE_INFINITY,
};

const fits = (cell: Cell, limit: number): boolean => {
  if (typeof cell !== 'number') return true;
  if (limit === Number.POSITIVE_INFINITY) return Number.isFinite(cell);
  return cell <= limit && cell >= -limit && Number.isInteger(cell);
};

/** Writes one column of the rows. What is not there comes last, as DuckDB's bits for it are slow to set from here. */
function writeColumn(vector: DuckDBVector, rows: readonly (readonly Cell[])[], column: number, limit: number): void {
  const missing: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const cell = rows[i]?.[column] ?? null;
    if (cell !== null && fits(cell, limit)) vector.setItem(i, cell);
    else missing.push(i);
  }
  for (const i of missing) vector.setItem(i, null);
  vector.flush();
}

export interface TableWriter {
  /** Takes one row, cells in the order of the table's columns. */
  push(row: readonly Cell[]): void;
  /** Makes every pushed row visible to queries. */
  flush(): void;
  close(): void;
}

/** Opens a table for appending. The connection must stay open until `close`. */
export async function openTableWriter(connection: DuckDBConnection, table: TableName): Promise<TableWriter> {
  const columns: Columns = TABLES[table];
  const limits = columns.map(([, type]) => LIMITS[type]);
  const types = columns.map(([, type]) => DUCKDB_TYPES[type]);
  const appender: DuckDBAppender = await connection.createAppender(table);
  let rows: (readonly Cell[])[] = [];

  const appendChunk = (): void => {
    if (rows.length === 0) return;
    const chunk = DuckDBDataChunk.create(types, rows.length);
    for (const [i, limit] of limits.entries()) writeColumn(chunk.getColumnVector(i), rows, i, limit);
    appender.appendDataChunk(chunk);
    rows = [];
  };

  return {
    push(row) {
      rows.push(row);
      if (rows.length === CHUNK_ROWS) appendChunk();
    },
    flush() {
      appendChunk();
      appender.flushSync();
    },
    close() {
      appendChunk();
      appender.closeSync();
    },
  };
}
