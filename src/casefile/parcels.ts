/**
 * Rows that another thread makes of a source, on their way to the thread that holds the case file.
 *
 * The making thread knows no case file and numbers strings and processes by itself; the receiving one puts the case file's
 * numbers in their place.
 * Parcels of both go before the rows that refer to them.
 */
import type { EvidenceSink } from '../model/evidence.js';
import type { Parcel } from '../model/parcel.js';
import { createEvidenceWriter } from './evidence-writer.js';
import { createInterner, type Interner } from './interner.js';
import { type ColumnNumbers, RowBuffer, type RowWriter } from './row-buffer.js';
import type { TableWriter } from './table-writer.js';
import { type Columns, forRowTables, ROW_TABLES, type RowTable, TABLES } from './tables.js';

export interface ParcelSink extends EvidenceSink {
  /** The full parcels since the last call; at the end, all that is left. */
  readonly take: (isEnd?: boolean) => Parcel[];
}

/** A sink whose rows become parcels. */
export async function createParcelSink(): Promise<ParcelSink> {
  const buffers = await forRowTables((table) => RowBuffer.empty(TABLES[table]));
  let ready: Parcel[] = [];
  const pack = (table: RowTable): void => {
    const buffer = buffers[table];
    if (buffer.rows > 0) ready.push(buffer.pack(table));
    buffer.clear();
  };
  const packWithNames = (table: RowTable): void => {
    pack('strings');
    pack('processes');
    pack(table);
  };
  const writers = await forRowTables(
    (table): RowWriter => ({
      push(row) {
        if (buffers[table].push(row)) packWithNames(table);
      },
    }),
  );
  let lastProcess = 0;
  const sink = createEvidenceWriter(0, writers, createInterner(writers.strings), () => ++lastProcess);
  return {
    ...sink,
    take(isEnd = false) {
      if (isEnd) ROW_TABLES.forEach(packWithNames);
      const parcels = ready;
      ready = [];
      return parcels;
    },
  };
}

/**
 * Takes the parcels of the source with this id into the case file.
 *
 * @throws Error for a table that no case file has, which is a fault of ours.
 */
export function createParcelReceiver(
  source: number,
  writers: Readonly<Record<RowTable, TableWriter>>,
  interner: Interner,
  nextProcessId: () => number,
): (parcel: Parcel) => void {
  const strings: number[] = [0];
  const processes: number[] = [0];

  return (parcel) => {
    const table = ROW_TABLES.find((name) => name === parcel.table);
    if (table === undefined) throw new Error(`there is no table ${parcel.table}`);
    const types: Columns = TABLES[table];
    const buffer = RowBuffer.unpack(types, parcel);
    const { rows, columns } = buffer;
    if (table === 'strings') {
      const [ids, texts] = columns;
      for (let row = 0; row < rows; row++) strings[ids?.numbers?.[row] ?? 0] = interner.id(texts?.texts[row] ?? '');
      return;
    }
    for (const [i, [name, type]] of types.entries()) {
      const numbers = columns[i]?.numbers;
      if (numbers === undefined) continue;
      if (name === 'source') numbers.fill(source, 0, rows);
      else if (table === 'processes' && name === 'id')
        for (let row = 0; row < rows; row++) numbers[row] = processes[numbers[row] ?? 0] = nextProcessId();
      else if (type === 'STRING') translate(numbers, rows, strings);
      else if (type === 'PROCESS') translate(numbers, rows, processes);
      else if (type === 'JOB')
        for (let row = 0; row < rows; row++) {
          const job = numbers[row] ?? 0;
          if (job < 0) numbers[row] = -(strings[-job] ?? 0);
        }
    }
    writers[table].append(buffer);
  };
}

function translate(numbers: ColumnNumbers, rows: number, ids: readonly number[]): void {
  for (let row = 0; row < rows; row++) numbers[row] = ids[numbers[row] ?? 0] ?? 0;
}
