/** Rows of one layout on their way to records: the first ones are looked at to tell which column is what. */

import type { RecordPlace } from '../model/idempotency-record.js';
import { createTimeReader, type TimeReader } from '../time/index.js';
import type { RecordCell } from './cell.js';
import { type ColumnMap, mapColumns } from './map-columns.js';
import type { ReadStore, RecordReadOptions, TakeRecord } from './reader.js';
import { isKeyName } from './roles.js';
import { toRecord } from './to-record.js';

const SAMPLE_ROWS = 500;

export interface Gathering {
  /** A row whose cells stand in the order of `names`. */
  row(cells: readonly RecordCell[], place: RecordPlace): void;
  /** Tells what was gathered; undefined where these rows are no idempotency records. */
  finish(): { readonly store: ReadStore; readonly time: TimeReader } | undefined;
}

export interface GatherOptions extends RecordReadOptions {
  readonly name?: string;
  readonly uniqueKey?: string;
  /** A table among others is only taken where it looks like records; one that was named on its own always is. */
  readonly mustLookLikeRecords: boolean;
}

export function timeReaderOf({ assumeTz, modifiedMs }: RecordReadOptions): TimeReader {
  return createTimeReader({
    ...(assumeTz === undefined ? {} : { assumeTz }),
    ...(modifiedMs === undefined ? {} : { modifiedMs }),
  });
}

/** `names` may grow while rows come. */
export function gather(names: readonly string[], options: GatherOptions, take: TakeRecord): Gathering {
  const time = timeReaderOf(options);
  let waiting: { cells: readonly RecordCell[]; place: RecordPlace }[] | undefined = [];
  let map: ColumnMap | undefined;
  let rows = 0;
  let withoutKey = 0;

  const tell = (cells: readonly RecordCell[], place: RecordPlace): void => {
    if (map === undefined) return;
    rows++;
    const record = toRecord(cells, place, map, time);
    if (record === undefined) withoutKey++;
    else take(record);
  };
  const settle = (): void => {
    if (waiting === undefined) return;
    const found = mapColumns(
      names,
      waiting.map((row) => row.cells),
      options.given,
      time,
    );
    if (found !== undefined && (!options.mustLookLikeRecords || looksLikeRecords(found))) map = found;
    const rowsSoFar = waiting;
    waiting = undefined;
    for (const { cells, place } of rowsSoFar) tell(cells, place);
  };

  return {
    row(cells, place) {
      if (waiting === undefined) {
        tell(cells, place);
        return;
      }
      waiting.push({ cells, place });
      if (waiting.length >= SAMPLE_ROWS) settle();
    },
    finish() {
      settle();
      return map && { store: storeOf(map, options, { rows, withoutKey }), time };
    },
  };
}

export function storeOf(
  map: ColumnMap,
  options: { readonly name?: string; readonly uniqueKey?: string },
  { rows, withoutKey }: { readonly rows: number; readonly withoutKey: number },
): ReadStore {
  return {
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.uniqueKey === undefined ? {} : { uniqueKey: options.uniqueKey }),
    columns: map.columns,
    rows,
    withoutKey,
    keyIsJob: map.keyIsJob,
    keyHoldsAttempt: map.keyHoldsAttempt,
    tellsEnd: map.tells.status || map.tells.completed,
  };
}

/** A name that only such records have, or a job with what became of it; what the analyst gave is believed. */
export function looksLikeRecords(map: ColumnMap): boolean {
  const has = (role: string): boolean => map.columns.some((column) => column.role === role);
  const isNamed = map.columns.some(({ role, basis, column }) => role === 'key' && (basis === 'given' || isKey(column)));
  if (isNamed) return true;
  const fate = has('status') || has('completed');
  return (has('key') || has('job')) && fate && (has('started') || has('completed') || has('expires') || has('attempt'));
}

const isKey = (column: string): boolean => isKeyName(column.slice(column.lastIndexOf('.') + 1));
