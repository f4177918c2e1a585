/**
 * The last step of an analysis: references become lines. Until then records are compared by their places, which are lines
 * only where each line holds one record and the source runs forward.
 */
import { lineAt } from '../model/place.js';

/** Sets the line of every reference in `value` from its place. */
export function settleLines<T>(value: T): T {
  settle(value);
  return value;
}

function settle(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('source' in value && 'line' in value && typeof value.line === 'number') value.line = lineAt(value.line);
  for (const inner of Object.values(value)) settle(inner);
}
