/** Appends rows to one table in chunks of columns, the fastest way into DuckDB. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Vector } from '@duckdb/node-bindings';
import { bindings, duckdb } from './duckdb.js';
import type { Columns, ColumnType } from './tables.js';

export type Cell = number | string | boolean | null;

/** Rows DuckDB takes in one chunk (its vector size). */
const CHUNK_ROWS = 2048;
/** DuckDB keeps one bit a row: 1 where there is a value, lowest bit first. */
const ALL_PRESENT = 0xff;

/** The cells of one column that wait to be appended: in the array of its type, the others are empty. */
interface ColumnBuffer {
  readonly vector: Vector;
  readonly type: ColumnType;
  readonly doubles: Float64Array<ArrayBuffer>;
  readonly integers: Int32Array<ArrayBuffer>;
  /** Small numbers and, as 0 and 1, booleans. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Undefined where there is none: a call for every cell costs more than all else. */
  readonly texts: (string | undefined)[];
  /** One bit a row, cleared where there is no value. */
  readonly present: Uint8Array<ArrayBuffer>;
  hasGaps: boolean;
}

const createBuffer = (type: ColumnType, vector: Vector): ColumnBuffer => ({
  vector,
  type,
  doubles: new Float64Array(type === 'DOUBLE' ? CHUNK_ROWS : 0),
  integers: new Int32Array(type === 'INTEGER' ? CHUNK_ROWS : 0),
  bytes: new Uint8Array(type === 'UTINYINT' || type === 'BOOLEAN' ? CHUNK_ROWS : 0),
  texts: [],
  present: new Uint8Array(CHUNK_ROWS / 8).fill(ALL_PRESENT),
  hasGaps: false,
});

/**
 * Evidence may hold any number; one that the column cannot hold is left out like one not known. Each type has a line of its
 * own: a store that meets arrays of several types takes four times as long.
 */
function put(buffer: ColumnBuffer, row: number, cell: Cell): void {
  if (typeof cell === 'number') {
    if (buffer.type === 'INTEGER' && (cell | 0) === cell) {
      buffer.integers[row] = cell;
      return;
    }
    if (buffer.type === 'DOUBLE' && Number.isFinite(cell)) {
      buffer.doubles[row] = cell;
      return;
    }
    if (buffer.type === 'UTINYINT' && (cell & 255) === cell) {
      buffer.bytes[row] = cell;
      return;
    }
  } else if (typeof cell === 'boolean' && buffer.type === 'BOOLEAN') {
    buffer.bytes[row] = cell ? 1 : 0;
    return;
  } else if (typeof cell === 'string' && buffer.type === 'VARCHAR') {
    buffer.texts[row] = cell;
    return;
  }
  if (buffer.type === 'VARCHAR') buffer.texts[row] = undefined;
  buffer.present[row >> 3] = (buffer.present[row >> 3] ?? 0) & ~(1 << (row & 7));
  buffer.hasGaps = true;
}

/** The numbers of a column as memory; undefined for one of text. */
function numbersOf({
  type,
  doubles,
  integers,
  bytes,
}: ColumnBuffer): Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | undefined {
  switch (type) {
    case 'DOUBLE':
      return doubles;
    case 'INTEGER':
      return integers;
    case 'VARCHAR':
      return undefined;
    default:
      return bytes;
  }
}

/** Hands the first `rows` cells to DuckDB and forgets them. */
function moveCells(buffer: ColumnBuffer, rows: number): void {
  const { vector, texts, present } = buffer;
  const numbers = numbersOf(buffer);
  if (numbers !== undefined) {
    bindings.copy_data_to_vector(vector, 0, numbers.buffer, 0, rows * numbers.BYTES_PER_ELEMENT);
  }
  texts.forEach((text, row) => {
    if (text !== undefined) bindings.vector_assign_string_element(vector, row, text);
  });
  texts.length = 0;
  if (!buffer.hasGaps) return;
  bindings.vector_ensure_validity_writable(vector);
  bindings.copy_data_to_vector_validity(vector, 0, present.buffer, 0, present.byteLength);
  present.fill(ALL_PRESENT);
  buffer.hasGaps = false;
}

export interface TableWriter {
  /** Takes one row, cells in the order of the table's columns. */
  push(row: readonly Cell[]): void;
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
  const chunk = duckdb.DuckDBDataChunk.create(columns.map(([, type]) => duckdb[type]));
  const buffers = columns.map(([, type], i) => createBuffer(type, bindings.data_chunk_get_vector(chunk.chunk, i)));
  let rows = 0;

  const appendChunk = (): void => {
    if (rows === 0) return;
    chunk.rowCount = rows;
    for (const buffer of buffers) moveCells(buffer, rows);
    appender.appendDataChunk(chunk);
    chunk.reset();
    rows = 0;
  };

  return {
    push(row) {
      let column = 0;
      for (const buffer of buffers) put(buffer, rows, row[column++] ?? null);
      if (++rows === CHUNK_ROWS) appendChunk();
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
