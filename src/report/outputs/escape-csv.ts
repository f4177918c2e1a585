/**
 * RFC 4180 rows that no spreadsheet executes.
 *
 * A text that starts with `=`, `+`, `-`, `@`, TAB or CR is a formula to Excel, LibreOffice and Google Sheets even inside
 * quotes; a leading apostrophe makes it text (OWASP "CSV injection"). Numbers of ours are written bare.
 */
import { cutMiddle, visible } from './visible.js';

export type CsvValue = string | number | boolean | undefined;

/** A spreadsheet cell holds 32,767 characters; quoting may double some of them. */
const LONGEST_CELL = 16_000;

/** A header and rows as CSV text with CRLF line ends, one record a line. */
export function csv(header: readonly string[], rows: Iterable<readonly CsvValue[]>): string {
  const lines = [header.join(',')];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

/** One record, with its line end: for lists too long to hold. */
export const csvRow = (row: readonly CsvValue[]): string => `${row.map(csvCell).join(',')}\r\n`;

/** One value as a CSV cell. */
export function csvCell(value: CsvValue): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  // The check is made on the raw value: a TAB or CR in front is a trigger before it is made visible.
  const guard = /^[=+\-@\t\r]/.test(value) ? "'" : '';
  const shown = guard + visible(cutMiddle(value, LONGEST_CELL));
  return /[",\r\n]|^ | $/.test(shown) ? `"${shown.replace(/"/g, '""')}"` : shown;
}
