/**
 * Idempotency records kept in Redis: `idempotency:<id>` → a flag, a job id, or `{status, processedAt, result}` as JSON or as a
 * hash. The key names the work, and Redis keeps one value a key: a second run overwrites the first.
 */

import type { RecordCell } from '../cell.js';
import { isObject, objectCells } from './object-cells.js';

const NAMES = /(?:^|[:/_.|-])(?:idempoten[a-z]*|idem|dedup[a-z]*|processed|once)[:/_.|-]/i;
/** BullMQ's own deduplication keys belong to the queue. */
const BULLMQ = /^[^:]*:[^:]+:(?:de|dn|dedup)(?::|$)/;

/** Whether a key of Redis is named as people name such records. */
export const isRecordKey = (key: string): boolean => NAMES.test(key) && !BULLMQ.test(key);

/** Tells `put` what the key and its value say. A value that is no object is only told as `value`. */
export function redisCells(
  key: string,
  value: string | ReadonlyMap<string, string>,
  expires: string | undefined,
  put: (name: string, cell: RecordCell) => void,
): void {
  put('idempotency_key', key);
  put('expires_at', expires);
  if (typeof value !== 'string') {
    for (const [name, text] of value) put(name, text);
    return;
  }
  const parsed = value.startsWith('{') ? parseJson(value) : undefined;
  if (isObject(parsed)) objectCells(parsed, put);
  else put('value', value.slice(0, 500));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
