/** Walks through the text of a SQL dump, statement by statement, in pieces of any size and with little of it in memory. */
import type { RecordCell } from '../cell.js';
import { copyCells, readString, readTuple } from './sql-values.js';
import { copyOf, insertOf, type RowsOf, type TableSays, tableSays } from './statements.js';

export interface DumpHandler {
  row(rows: RowsOf, cells: readonly RecordCell[], line: number, offset: number): void;
  table(says: TableSays): void;
  fault(what: string, line: number, offset: number): void;
}

/** More than a definition of a table or one row takes. */
const LONGEST = 2_000_000;
/** The beginning of an INSERT, up to its first row. */
const LONGEST_HEAD = 65_536;
const BETWEEN = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/;?|#[^\n]*(?:\n|$)|\\[a-z][^\n]*\n)/;
const MAY_BE_ROWS = /^(?:COPY|INSERT|REPLACE)\b/i;

type Mode =
  | { readonly in: 'statement' }
  | { readonly in: 'skip' }
  | { readonly in: 'copy' | 'insert'; readonly rows: RowsOf };

export class DumpText {
  readonly #handler: DumpHandler;
  #text = '';
  #line = 1;
  #offset = 0;
  #mode: Mode = { in: 'statement' };
  /** MySQL's dumps quote names with backticks, and escape with backslashes. */
  #backslash = false;

  constructor(handler: DumpHandler) {
    this.#handler = handler;
  }

  feed(text: string): void {
    this.#text += this.#offset === 0 && this.#text === '' ? text.replace(/^\uFEFF/, '') : text;
    while (this.#step(false));
  }

  end(text: string): void {
    this.#text += text;
    while (this.#step(true));
    if (this.#mode.in !== 'statement' || this.#text.trim() !== '')
      this.#handler.fault('the dump ends in the middle of a statement', this.#line, this.#offset);
  }

  /** Takes one thing off the text. Returns whether there may be another one in it. */
  #step(ended: boolean): boolean {
    if (this.#mode.in === 'copy') return this.#copyLine(this.#mode.rows, ended);
    if (this.#mode.in === 'insert') return this.#insertRow(this.#mode.rows);
    if (this.#mode.in === 'skip') return this.#skip(ended);
    return this.#statement(ended);
  }

  #drop(length: number): void {
    const gone = this.#text.slice(0, length);
    for (let at = gone.indexOf('\n'); at >= 0; at = gone.indexOf('\n', at + 1)) this.#line++;
    this.#offset += Buffer.byteLength(gone);
    this.#text = this.#text.slice(length);
  }

  #statement(ended: boolean): boolean {
    const between = BETWEEN.exec(this.#text);
    if (between !== null) {
      this.#drop(between[0].length);
      return true;
    }
    if (this.#text === '') return false;
    const head = this.#text.slice(0, LONGEST_HEAD);
    const rows = MAY_BE_ROWS.test(head) ? (copyOf(head) ?? insertOf(head)) : undefined;
    if (rows !== undefined) {
      this.#backslash ||= head.slice(0, rows.length).includes('`');
      this.#mode = { in: /^COPY/i.test(head) ? 'copy' : 'insert', rows: rows.rows };
      this.#drop(rows.length);
      return true;
    }
    const end = statementEnd(this.#text, this.#backslash);
    if (end === undefined && !ended && this.#text.length < (MAY_BE_ROWS.test(head) ? LONGEST_HEAD : LONGEST))
      return false;
    if (end === undefined) {
      this.#mode = { in: 'skip' };
      return true;
    }
    const says = tableSays(this.#text.slice(0, end));
    if (says !== undefined) this.#handler.table(says);
    this.#drop(end);
    return true;
  }

  #skip(ended: boolean): boolean {
    const end = statementEnd(this.#text, this.#backslash);
    if (end !== undefined) this.#mode = { in: 'statement' };
    else if (!ended && this.#text.length < LONGEST) return false;
    this.#drop(end ?? this.#text.length);
    return end !== undefined;
  }

  #copyLine(rows: RowsOf, ended: boolean): boolean {
    const newline = this.#text.indexOf('\n');
    if (newline < 0 && !ended) {
      if (this.#text.length > LONGEST) this.#tooLong();
      return false;
    }
    if (newline < 0 && this.#text === '') return false;
    const length = newline < 0 ? this.#text.length : newline + 1;
    const line = this.#text.slice(0, newline < 0 ? length : newline).replace(/\r$/, '');
    if (line === '\\.') this.#mode = { in: 'statement' };
    else this.#handler.row(rows, copyCells(line), this.#line, this.#offset);
    this.#drop(length);
    return true;
  }

  #insertRow(rows: RowsOf): boolean {
    const lead = /^[\s,]+/.exec(this.#text);
    if (lead !== null) {
      this.#drop(lead[0].length);
      return true;
    }
    if (this.#text === '') return false;
    if (!this.#text.startsWith('(')) {
      this.#mode = { in: 'skip' };
      return true;
    }
    const tuple = readTuple(this.#text, 0, this.#backslash);
    if (tuple === undefined) {
      if (this.#text.length > LONGEST) this.#tooLong();
      return false;
    }
    this.#handler.row(rows, tuple.cells, this.#line, this.#offset);
    this.#drop(tuple.end);
    return true;
  }

  /** What cannot be taken apart is passed over up to the end of the statement. */
  #tooLong(): void {
    this.#handler.fault(`a row longer than ${LONGEST / 1e6} MB was left out`, this.#line, this.#offset);
    this.#drop(this.#text.length);
    this.#mode = { in: 'skip' };
  }
}

/** Index behind the `;` that ends the statement, outside of its strings; undefined where it is not in the text. */
function statementEnd(text: string, backslash: boolean): number | undefined {
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (letter === 59) return at + 1;
    if (letter !== 39) continue;
    const string = readString(text, at + 1, backslash);
    if (string === undefined) return undefined;
    at = string.end - 1;
  }
  return undefined;
}
