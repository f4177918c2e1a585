/** One row of cells as a record, by the map of its store's columns. */

import type { IdempotencyRecord, RecordPlace, RecordTime } from '../model/idempotency-record.js';
import type { RecordRole } from '../model/records-audit.js';
import type { TimeReader } from '../time/index.js';
import type { RecordCell } from './cell.js';
import { keyWithoutAttempt } from './key-attempt.js';
import type { ColumnMap } from './map-columns.js';
import { stateOf } from './states.js';

type Draft = { -readonly [K in keyof IdempotencyRecord]: IdempotencyRecord[K] };

/** Undefined where the row names no key: nothing could be said of it. Made by the hundred thousand, so written out. */
export function toRecord(
  cells: readonly RecordCell[],
  place: RecordPlace,
  map: ColumnMap,
  time: TimeReader,
): IdempotencyRecord | undefined {
  const text = (role: RecordRole): RecordCell => {
    const index = map.indexOf(role);
    return index === undefined ? undefined : cells[index];
  };
  const moment = (written: RecordCell): RecordTime | undefined => {
    const hit = written === undefined ? undefined : time.value(written);
    return hit && { t: hit.t, precision: hit.precision };
  };
  const rawKey = text(map.keyIsJob ? 'job' : 'key');
  if (rawKey === undefined) return undefined;
  const [status, completed, attempt] = [text('status'), text('completed'), text('attempt')];
  const record: Draft = {
    place,
    key: map.keyHoldsAttempt ? keyWithoutAttempt(rawKey, attempt) : rawKey,
    rawKey,
    state: stateOf(status, completed !== undefined, map.tells),
  };
  for (const role of TEXTS) {
    const cell = text(role);
    if (cell !== undefined) record[role] = cell;
  }
  if (status !== undefined) record.status = status;
  const tries = numberOf(attempt);
  if (tries !== undefined && Number.isInteger(tries)) record.attempt = tries;
  for (const role of ['checkpoint', 'resumed'] as const) {
    const number = numberOf(text(role));
    if (number !== undefined) record[role] = number;
  }
  for (const role of ['started', 'completed', 'expires'] as const) {
    const hit = moment(text(role));
    if (hit !== undefined) record[role] = hit;
  }
  return record;
}

const TEXTS = ['scope', 'job', 'queue', 'worker', 'fingerprint'] as const;

/** Checkpoints that are names have no order that could be told. */
function numberOf(text: RecordCell): number | undefined {
  if (text === undefined) return undefined;
  if (text.length === 1 && text >= '0' && text <= '9') return Number(text);
  if (!/^\s*-?\d{1,15}(?:\.\d{1,9})?\s*%?\s*$/.test(text)) return undefined;
  return Number(text.replace('%', ''));
}
