import type { ReadReport } from '../model/evidence.js';

/** A report of a source that no reader read to its end. */
export function unreadReport(kind: 'empty' | 'unknown', format: string, reason: string): ReadReport {
  return { kind, format, reason, records: 0, understood: 0, damage: [], assumptions: [], unknownShapes: [] };
}
