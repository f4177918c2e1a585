/** How a table of text is written: what separates its columns, and what its first line is. Read from its beginning only. */
import type { RecordCell } from '../cell.js';
import { cellOf } from '../cell.js';
import { isKeyName, plainName, ROLE_NAMES } from '../roles.js';
import { splitRecord } from './split-record.js';

export const DELIMITERS = [',', '\t', ';', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface Dialect {
  readonly delimiter: Delimiter;
  readonly hasHeader: boolean;
  /** `1`, `2`, … where there is no header. */
  readonly names: readonly string[];
  /** The first rows. */
  readonly sample: readonly (readonly RecordCell[])[];
}

const SAMPLE_ROWS = 500;
const MOST_COLUMNS = 1000;

/** The records of a text, each as it stands; the last one, which the text may have cut, is left out where more follows. */
function recordsOf(text: string, isWhole: boolean): string[] {
  const records: string[] = [];
  let quoted = false;
  let start = 0;
  for (let at = 0; at < text.length && records.length <= SAMPLE_ROWS; at++) {
    const letter = text.charCodeAt(at);
    if (letter === 34) quoted = !quoted;
    else if (letter === 10 && !quoted) {
      records.push(text.slice(start, text.charCodeAt(at - 1) === 13 ? at - 1 : at));
      start = at + 1;
    }
  }
  if (isWhole && start < text.length && records.length <= SAMPLE_ROWS) records.push(text.slice(start));
  return records.filter((record) => record !== '');
}

/** Undefined where the text is no table of at least two columns. `isWhole`: nothing follows. */
export function dialectOf(head: Uint8Array, isWhole: boolean): Dialect | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const records = recordsOf(text, isWhole);
  const first = records[0];
  if (first === undefined) return undefined;
  const shapes = DELIMITERS.map((delimiter) => {
    const widths = records.slice(0, 20).map((record) => splitRecord(record, delimiter).length);
    const width = widths[0] ?? 1;
    return { delimiter, width, agree: widths.filter((one) => one === width).length / widths.length };
  });
  const best = shapes
    .filter(({ width, agree }) => width > 1 && width <= MOST_COLUMNS && agree > 0.5)
    .sort((a, b) => b.agree * b.width - a.agree * a.width)[0];
  if (best === undefined) return undefined;
  const { delimiter, width } = best;
  const cells = splitRecord(first, delimiter);
  const hasHeader = isHeader(cells);
  return {
    delimiter,
    hasHeader,
    names: hasHeader ? uniqueNames(cells) : Array.from({ length: width }, (_, i) => String(i + 1)),
    sample: records.slice(hasHeader ? 1 : 0).map((record) => splitRecord(record, delimiter).map(cellOf)),
  };
}

const KNOWN_NAMES: ReadonlySet<string> = new Set(
  Object.values(ROLE_NAMES).flatMap(({ strong = [], plain, weak = [] }) => [...strong, ...plain, ...weak]),
);

/** Cells of a header are names: none is a number, none is empty, and some are names people give to such columns. */
function isHeader(cells: readonly string[]): boolean {
  const named = cells.filter((cell) => KNOWN_NAMES.has(plainName(cell))).length;
  if (cells.some(isKeyName) || named > 1) return true;
  return cells.every((cell) => /^[\p{L}_][\p{L}\p{N}_ .:-]{0,60}$/u.test(cell.trim()));
}

/** Two columns of one name must still be told apart. */
function uniqueNames(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell, i) => {
    const name = cell.trim() === '' ? String(i + 1) : cell.trim();
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
