/** Rows on their way into a table, kept as columns of memory: as DuckDB takes them, and as one thread hands them to another. */
import type { Parcel } from '../model/parcel.js';
import { type Columns, type ColumnType, storedType } from './tables.js';

export type Cell = number | string | boolean | null;

/** Takes rows of one table. */
export interface RowWriter {
  /** Takes one row, cells in the order of the table's columns. */
  push(row: readonly Cell[]): void;
}

/** Rows DuckDB takes in one chunk (its vector size). */
export const CHUNK_ROWS = 2048;
const PRESENCE_BYTES = CHUNK_ROWS / 8;
/** DuckDB keeps one bit a row: 1 where there is a value, lowest bit first. */
const ALL_PRESENT = 0xff;

const CELL_BYTES = { DOUBLE: 8, INTEGER: 4, UTINYINT: 1, BOOLEAN: 1, VARCHAR: 0 } as const;

export type ColumnNumbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** The cells of one column. */
export interface ColumnBuffer {
  /** Numbers and, as 0 and 1, booleans; absent in a column of text. */
  readonly numbers: ColumnNumbers | undefined;
  /** Undefined where there is none: a call for every cell costs more than all else. */
  readonly texts: (string | undefined)[];
  /** One bit a row, cleared where there is no value. */
  readonly present: Uint8Array<ArrayBuffer>;
  hasGaps: boolean;
}

/** The cells of a column, at `start` of the memory that all columns of a chunk share. */
function columnAt(type: ColumnType, memory: ArrayBuffer, start: number): ColumnBuffer {
  const stored = storedType(type);
  const cells = start + PRESENCE_BYTES;
  const numbers =
    stored === 'VARCHAR'
      ? undefined
      : stored === 'DOUBLE'
        ? new Float64Array(memory, cells, CHUNK_ROWS)
        : stored === 'INTEGER'
          ? new Int32Array(memory, cells, CHUNK_ROWS)
          : new Uint8Array(memory, cells, CHUNK_ROWS);
  return { numbers, texts: [], present: new Uint8Array(memory, start, PRESENCE_BYTES), hasGaps: false };
}

const columnBytes = (type: ColumnType): number => PRESENCE_BYTES + CHUNK_ROWS * CELL_BYTES[storedType(type)];

/** Marks that a row has no value there. */
function leaveOut(buffer: ColumnBuffer, row: number): void {
  buffer.present[row >> 3] = (buffer.present[row >> 3] ?? 0) & ~(1 << (row & 7));
  buffer.hasGaps = true;
}

/** Evidence may hold any number; one that the column cannot hold is left out like one not known. */
function putDouble(numbers: Float64Array, buffer: ColumnBuffer, row: number, cell: Cell): void {
  if (typeof cell === 'number' && Number.isFinite(cell)) numbers[row] = cell;
  else leaveOut(buffer, row);
}

function putInteger(numbers: Int32Array, buffer: ColumnBuffer, row: number, cell: Cell): void {
  if (typeof cell === 'number') {
    numbers[row] = cell;
    if (numbers[row] === cell) return;
  }
  leaveOut(buffer, row);
}

function putByte(numbers: Uint8Array, buffer: ColumnBuffer, row: number, cell: Cell): void {
  const value = cell === true ? 1 : cell === false ? 0 : cell;
  if (typeof value === 'number') {
    numbers[row] = value;
    if (numbers[row] === value) return;
  }
  leaveOut(buffer, row);
}

function putText(buffer: ColumnBuffer, row: number, cell: Cell): void {
  if (typeof cell === 'string') buffer.texts[row] = cell;
  else {
    buffer.texts[row] = undefined;
    leaveOut(buffer, row);
  }
}

/** One function for each type of cell: V8 makes a store into memory of one type, known beforehand, the cheapest. */
function put(buffer: ColumnBuffer, row: number, cell: Cell): void {
  const { numbers } = buffer;
  if (numbers instanceof Float64Array) putDouble(numbers, buffer, row, cell);
  else if (numbers instanceof Int32Array) putInteger(numbers, buffer, row, cell);
  else if (numbers === undefined) putText(buffer, row, cell);
  else putByte(numbers, buffer, row, cell);
}

/** Up to `CHUNK_ROWS` rows of one table. */
export class RowBuffer {
  rows = 0;
  readonly columns: readonly ColumnBuffer[];
  readonly #memory: ArrayBuffer;

  private constructor(columns: Columns, memory: ArrayBuffer) {
    this.#memory = memory;
    let start = 0;
    this.columns = columns.map(([, type]) => {
      const column = columnAt(type, memory, start);
      start += columnBytes(type);
      return column;
    });
  }

  static empty(columns: Columns): RowBuffer {
    const buffer = new RowBuffer(
      columns,
      new ArrayBuffer(columns.reduce((sum, [, type]) => sum + columnBytes(type), 0)),
    );
    for (const { present } of buffer.columns) present.fill(ALL_PRESENT);
    return buffer;
  }

  /** The rows of a parcel that `pack` made of a buffer with the same columns. */
  static unpack(columns: Columns, { memory, rows, gaps, texts }: Parcel): RowBuffer {
    const buffer = new RowBuffer(columns, memory);
    buffer.rows = rows;
    for (const place of gaps) {
      const column = buffer.columns[place];
      if (column !== undefined) column.hasGaps = true;
    }
    const ofText = buffer.columns.filter(({ numbers }) => numbers === undefined);
    for (const [i, column] of ofText.entries()) column.texts.push(...(texts[i] ?? []));
    return buffer;
  }

  /** A copy of the rows for another thread. */
  pack(table: string): Parcel {
    return {
      table,
      rows: this.rows,
      memory: this.#memory.slice(),
      gaps: this.columns.flatMap(({ hasGaps }, place) => (hasGaps ? [place] : [])),
      texts: this.columns.flatMap(({ numbers, texts }) => (numbers === undefined ? [[...texts]] : [])),
    };
  }

  /** Takes one row, cells in the order of the columns; true when the buffer is full. */
  push(row: readonly Cell[]): boolean {
    let column = 0;
    for (const buffer of this.columns) put(buffer, this.rows, row[column++] ?? null);
    return ++this.rows === CHUNK_ROWS;
  }

  clear(): void {
    this.rows = 0;
    for (const buffer of this.columns) {
      buffer.texts.length = 0;
      if (buffer.hasGaps) buffer.present.fill(ALL_PRESENT);
      buffer.hasGaps = false;
    }
  }
}
