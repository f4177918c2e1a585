/** One row of cells as a record, by the map of its store's columns. */

import type { IdempotencyRecord, RecordPlace, RecordTime } from '../model/idempotency-record.js';
import type { RecordRole } from '../model/records-audit.js';
import type { TimeReader } from '../time/index.js';
import type { RecordCell } from './cell.js';
import { keyWithoutAttempt } from './key-attempt.js';
import type { ColumnMap } from './map-columns.js';
import { stateOf } from './states.js';

/** Undefined where the row names no key: nothing could be said of it. */
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
  const moment = (role: RecordRole): RecordTime | undefined => {
    const written = text(role);
    const hit = written === undefined ? undefined : time.value(written);
    return hit && { t: hit.t, precision: hit.precision };
  };
  const rawKey = text(map.keyIsJob ? 'job' : 'key');
  if (rawKey === undefined) return undefined;
  const status = text('status');
  const completed = moment('completed');
  const attempt = numberOf(text('attempt'));
  return {
    place,
    key: map.keyHoldsAttempt ? keyWithoutAttempt(rawKey, text('attempt')) : rawKey,
    rawKey,
    state: stateOf(status, text('completed') !== undefined, map.tells),
    ...present('scope', text('scope')),
    ...present('job', text('job')),
    ...present('queue', text('queue')),
    ...present('attempt', attempt !== undefined && Number.isInteger(attempt) ? attempt : undefined),
    ...present('status', status),
    ...present('worker', text('worker')),
    ...present('started', moment('started')),
    ...present('completed', completed),
    ...present('expires', moment('expires')),
    ...present('checkpoint', numberOf(text('checkpoint'))),
    ...present('resumed', numberOf(text('resumed'))),
    ...present('fingerprint', text('fingerprint')),
  };
}

function present<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  const field: { [P in K]?: V } = {};
  if (value !== undefined) field[name] = value;
  return field;
}

/** Checkpoints that are names have no order that could be told. */
function numberOf(text: RecordCell): number | undefined {
  if (text === undefined || !/^\s*-?\d{1,15}(?:\.\d{1,9})?\s*%?\s*$/.test(text)) return undefined;
  return Number(text.replace('%', ''));
}
