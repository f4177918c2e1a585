/** A row of a table whose columns have names: those of CSV exports, of Insights and of Azure. */
import type { JsonObject } from '../fields/collect.js';

/** Zone in the name of a column: `TimeGenerated [UTC]`. */
const ZONE = /\s*\[(UTC|Local Time)\]$/i;
const NO_ZONE = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?$/;

/**
 * The row as an object, names in lower case; of columns with one name the first counts. Times of Insights and Better Stack,
 * and of columns that say so, are UTC and do not say it in the cell.
 */
export function namedRow(names: readonly string[], values: readonly unknown[]): JsonObject {
  const row = new Map<string, unknown>();
  const isUtc = names.some((name) => name === '@message' || name === '@ptr' || name === 'dt');
  for (const [i, name] of names.entries()) {
    const zone = ZONE.exec(name);
    const key = (zone === null ? name : name.slice(0, zone.index)).trim().toLowerCase();
    const value = values[i];
    if (key === '' || value === undefined || value === '' || row.has(key)) continue;
    const inUtc = zone?.[1]?.toUpperCase() === 'UTC' || (isUtc && (key === '@timestamp' || key === 'dt'));
    row.set(key, inUtc && typeof value === 'string' ? withUtc(value) : value);
  }
  return Object.fromEntries(row);
}

function withUtc(text: string): string {
  if (NO_ZONE.test(text)) return `${text}Z`;
  return /(?:Z|UTC|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text} UTC`;
}
