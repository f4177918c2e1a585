/** Appends rows to one table in column chunks, the fastest way into DuckDB. */
import {
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  INTEGER,
  UTINYINT,
  VARCHAR,
} from '@duckdb/node-api';
import { type Columns, type ColumnType, TABLES, type TableName } from './tables.js';

export type Cell = number | string | boolean | null;

/** Rows DuckDB takes in one chunk (its vector size). */
const CHUNK_ROWS = 2048;
const DUCKDB_TYPES = { INTEGER, UTINYINT, DOUBLE, VARCHAR, BOOLEAN } as const satisfies Record<ColumnType, unknown>;

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
  const types = columns.map(([, type]) => DUCKDB_TYPES[type]);
  const appender: DuckDBAppender = await connection.createAppender(table);
  let rows: (readonly Cell[])[] = [];

  const appendChunk = (): void => {
    if (rows.length === 0) return;
    const chunk = DuckDBDataChunk.create(types, rows.length);
    chunk.setRows(rows);
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
