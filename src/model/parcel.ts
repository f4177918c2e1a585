/** Rows of one table as columns of memory, so that one thread can hand them to another without copying. */
export interface Parcel {
  readonly table: string;
  readonly rows: number;
  /** The cells, laid out as the table's columns say (`casefile/row-buffer.ts`). It changes hands as a whole. */
  readonly memory: ArrayBuffer;
  /** Places of the columns in which some row has no value. */
  readonly gaps: readonly number[];
  /** Cells of the columns of text, in the order of these columns; undefined where there is none. */
  readonly texts: readonly (readonly (string | undefined)[])[];
}
