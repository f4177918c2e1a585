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

type NumberArray = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** The cells of one column that wait to be appended. */
interface ColumnBuffer {
  readonly vector: Vector;
  /** Numbers and, as 0 and 1, booleans; absent in a column of text. */
  readonly numbers: NumberArray | undefined;
  /** Undefined where there is none: a call for every cell costs more than all else. */
  readonly texts: (string | undefined)[];
  /** One bit a row, cleared where there is no value. */
  readonly present: Uint8Array<ArrayBuffer>;
  hasGaps: boolean;
}

const NUMBERS: Readonly<Record<ColumnType, () => NumberArray | undefined>> = {
  DOUBLE: () => new Float64Array(CHUNK_ROWS),
  INTEGER: () => new Int32Array(CHUNK_ROWS),
  UTINYINT: () => new Uint8Array(CHUNK_ROWS),
  BOOLEAN: () => new Uint8Array(CHUNK_ROWS),
  VARCHAR: () => undefined,
};

const createBuffer = (type: ColumnType, vector: Vector): ColumnBuffer => ({
  vector,
  numbers: NUMBERS[type](),
  texts: [],
  present: new Uint8Array(CHUNK_ROWS / 8).fill(ALL_PRESENT),
  hasGaps: false,
});

/** Evidence may hold any number; one that the column cannot hold is left out like one not known. */
function put(buffer: ColumnBuffer, row: number, cell: Cell): void {
  const { numbers } = buffer;
  if (numbers === undefined) {
    buffer.texts[row] = typeof cell === 'string' ? cell : undefined;
    if (typeof cell === 'string') return;
  } else {
    const value = cell === true ? 1 : cell === false ? 0 : cell;
    if (typeof value === 'number') {
      numbers[row] = value;
      if (numbers[row] === value && Number.isFinite(value)) return;
    }
  }
  buffer.present[row >> 3] = (buffer.present[row >> 3] ?? 0) & ~(1 << (row & 7));
  buffer.hasGaps = true;
}

/** Hands the first `rows` cells to DuckDB and forgets them. */
function moveCells(buffer: ColumnBuffer, rows: number): void {
  const { vector, numbers, texts, present } = buffer;
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
