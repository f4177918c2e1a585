/** Fields of a job's hash as they may stand in a report: what the queue keeps about the job, not what the job is about. */
import { oneLine, progressOf } from '../to-events.js';

/** Short values that BullMQ and Bull write themselves (BullMQ 1 to 6, Bull 4). */
const TOLD: ReadonlySet<string> = new Set([
  'name',
  'timestamp',
  'delay',
  'priority',
  'processedOn',
  'finishedOn',
  'pb',
  'ats',
  'atm',
  'attemptsMade',
  'stc',
  'stalledCounter',
  'defa',
  'failedReason',
]);

/** A hash that has all of these was written by a script that adds a job, which first sees that there is none of that id. */
const CREATED_WITH = ['name', 'data', 'opts', 'timestamp'] as const;

const MAX_FIELD = 100;

/** The value as it may be told; null where it stays out. */
export function toldValue(field: string, value: string): string | null {
  if (TOLD.has(field)) return oneLine(value);
  if (field !== 'progress') return null;
  const progress = progressOf(value);
  return progress !== undefined && JSON.stringify(progress) === value ? value : null;
}

/** Names are BullMQ's, or an application's own. */
export const fieldName = (name: string): string => oneLine(name, MAX_FIELD);

export const isCreation = (fields: Readonly<Record<string, unknown>>): boolean =>
  CREATED_WITH.every((field) => Object.hasOwn(fields, field));
