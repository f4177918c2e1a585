/** Appends rows to one table in chunks of columns, the fastest way into DuckDB. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Vector } from '@duckdb/node-bindings';
import { bindings, duckdb } from './duckdb.js';
import { type ColumnBuffer, RowBuffer, type RowWriter } from './row-buffer.js';
import { type Columns, storedType } from './tables.js';

/** Hands the first `rows` cells of a column to DuckDB. */
function copyCells(vector: Vector, { numbers, texts, present, hasGaps }: ColumnBuffer, rows: number): void {
  if (numbers !== undefined) {
    const { buffer, byteOffset, BYTES_PER_ELEMENT } = numbers;
    bindings.copy_data_to_vector(vector, 0, buffer, byteOffset, rows * BYTES_PER_ELEMENT);
  }
  texts.forEach((text, row) => {
    if (text !== undefined) bindings.vector_assign_string_element(vector, row, text);
  });
  if (!hasGaps) return;
  bindings.vector_ensure_validity_writable(vector);
  bindings.copy_data_to_vector_validity(vector, 0, present.buffer, present.byteOffset, present.byteLength);
}

export interface TableWriter extends RowWriter {
  /** Takes all rows of a buffer. */
  append(rows: RowBuffer): void;
  /** Makes every pushed row visible to queries. */
  flush(): void;
  close(): void;
}

/** Opens a table for appending. The connection must stay open until `close`. */
export async function openTableWriter(
  connection: DuckDBConnection,
  table: string,
  columns: Columns,
): Promise<TableWriter> {
  const appender = await connection.createAppender(table);
  const chunk = duckdb.DuckDBDataChunk.create(columns.map(([, type]) => duckdb[storedType(type)]));
  const vectors = columns.map((_, i) => bindings.data_chunk_get_vector(chunk.chunk, i));
  const pending = RowBuffer.empty(columns);
  let isFlushed = true;

  const append = ({ rows, columns: cells }: RowBuffer): void => {
    if (rows === 0) return;
    chunk.rowCount = rows;
    for (const [i, vector] of vectors.entries()) {
      const column = cells[i];
      if (column !== undefined) copyCells(vector, column, rows);
    }
    appender.appendDataChunk(chunk);
    chunk.reset();
    isFlushed = false;
  };
  const appendPending = (): void => {
    append(pending);
    pending.clear();
  };

  return {
    push(row) {
      if (pending.push(row)) appendPending();
    },
    append(rows) {
      appendPending();
      append(rows);
    },
    flush() {
      appendPending();
      if (!isFlushed) appender.flushSync();
      isFlushed = true;
    },
    close() {
      appendPending();
      appender.closeSync();
    },
  };
}
