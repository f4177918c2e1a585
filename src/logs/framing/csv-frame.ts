/**
 * Tables with a row of names in front, as stores export them. Rows are taken apart by csv-parse; a row ends where its quotes
 * allow it, so its place is kept by bytes. A quote that is never closed would swallow the rest of the file: reading starts
 * again at the line behind it.
 */
import type { Parser } from 'csv-parse';
import type { Damage } from '../../model/evidence.js';
import { MAX_LINE_BYTES } from '../lines.js';
import { ByteWindow } from './byte-window.js';
import { csvParser } from './csv-parse.js';
import { type Frame, many, type OnEntry } from './frame.js';
import { namedRow } from './table-row.js';

const NEWLINE = 10;
const RETURN = 13;
/** After so many rows whose quotes do not close, quotes are taken for what they are: characters. */
const MAX_OPEN_ROWS = 50;

export function createCsvFrame(onEntry: OnEntry, delimiter: string): Frame {
  const window = new ByteWindow();
  let names: readonly string[] | undefined;
  /** Where the row in hand begins, and where the parser at work was set up. */
  let rowStart = 0;
  let parserStart = 0;
  const open = { rows: 0, firstLine: 0 };
  let parser = newParser();

  function newParser(): Parser {
    return csvParser()
      .parse({
        delimiter,
        quote: open.rows < MAX_OPEN_ROWS ? '"' : null,
        bom: parserStart === 0,
        relax_quotes: true,
        relax_column_count: true,
        skip_empty_lines: true,
        on_record: (cells: string[], { bytes }) => {
          takeRow(cells, parserStart + bytes);
          // Nothing is pushed: rows are told where they end, and no stream keeps them.
          return null;
        },
      })
      .on('error', () => undefined);
  }

  function takeRow(cells: readonly string[], end: number): void {
    skipBlank(end);
    if (end - rowStart > MAX_LINE_BYTES) throw new Error('the row is too long');
    const line = window.lineAt(rowStart);
    const offset = rowStart;
    rowStart = end;
    // `sep=;` is said to spreadsheets.
    if (names === undefined) {
      if (!(cells.length <= 2 && /^sep=/i.test(cells[0] ?? ''))) names = cells;
    } else onEntry(JSON.stringify({ table: namedRow(names, cells) }), line, offset);
  }

  /** Empty lines and a byte order mark stand before a row and are none of it. */
  function skipBlank(end: number): void {
    const ahead = window.slice(rowStart, end);
    let at = rowStart === 0 && ahead[0] === 0xef && ahead[1] === 0xbb ? 3 : 0;
    while (ahead[at] === NEWLINE || ahead[at] === RETURN) at++;
    rowStart += at;
  }

  /** Starts again at the line behind the one in which the row at hand begins. */
  function startAgain(): boolean {
    skipBlank(window.end);
    const end = window.slice(rowStart, window.end).indexOf(NEWLINE);
    open.rows++;
    open.firstLine ||= window.lineAt(rowStart);
    rowStart = end < 0 ? window.end : rowStart + end + 1;
    parserStart = rowStart;
    parser.destroy();
    parser = newParser();
    window.drop(rowStart);
    if (window.end === rowStart) return false;
    parser.write(Buffer.from(window.slice(rowStart, window.end)));
    return true;
  }

  return {
    push(block) {
      window.append(block);
      parser.write(block);
      while ((parser.destroyed || window.end - rowStart > MAX_LINE_BYTES) && startAgain());
      window.drop(rowStart);
    },
    async end() {
      for (;;) {
        if (!parser.destroyed) await ended(parser);
        skipBlank(window.end);
        if (rowStart >= window.end || !startAgain()) return;
      }
    },
    damage(): Damage[] {
      if (open.rows === 0) return [];
      const what = `${many(open.rows, 'row')} with a quote that is never closed, or longer than ${MAX_LINE_BYTES} bytes: left out`;
      return [{ what, line: open.firstLine }];
    },
  };
}

function ended(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    parser.once('close', resolve);
    parser.end();
    parser.resume();
  });
}
