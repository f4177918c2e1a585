/** The values of one tuple of an INSERT, and the cells of one line of a COPY. */
import { cellOf, type RecordCell } from '../cell.js';

export interface Tuple {
  readonly cells: readonly RecordCell[];
  /** Index behind the closing bracket. */
  readonly end: number;
}

const MYSQL_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', b: '\b', Z: '\u001a' };
const COPY_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

/**
 * The tuple whose opening bracket stands at `start`; undefined where the text ends before it does. `backslash`: backslashes
 * escape in every string (MySQL), not only in those marked with E (PostgreSQL).
 */
export function readTuple(text: string, start: number, backslash: boolean): Tuple | undefined {
  const cells: RecordCell[] = [];
  let at = start + 1;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++;
    const value = readValue(text, at, backslash);
    if (value === undefined) return undefined;
    cells.push(value.cell);
    at = value.end;
    if (text.charAt(at) === ')') return { cells, end: at + 1 };
    at++;
  }
}

/** One value up to its comma or closing bracket: a string, perhaps with a cast behind it, a number, a word or a call. */
function readValue(text: string, start: number, backslash: boolean): { cell: RecordCell; end: number } | undefined {
  const marked = /^[EeNn]?'/.exec(text.slice(start, start + 2));
  let cell: RecordCell;
  let at = start;
  if (marked !== null) {
    const string = readString(text, start + marked[0].length, backslash || /^e/i.test(marked[0]));
    if (string === undefined) return undefined;
    cell = string.text;
    at = string.end;
  }
  const from = at;
  for (let depth = 0; ; at++) {
    const letter = text.charAt(at);
    if (letter === '') return undefined;
    if (letter === "'") {
      const inner = readString(text, at + 1, backslash);
      if (inner === undefined) return undefined;
      at = inner.end - 1;
    } else if (letter === '(') depth++;
    else if (letter === ')' && depth-- === 0) break;
    else if (letter === ',' && depth === 0) break;
  }
  return { cell: marked === null ? cellOf(text.slice(from, at).trim()) : cell, end: at };
}

/** The string whose first letter stands at `start`; `end` is behind its closing quote. */
export function readString(
  text: string,
  start: number,
  backslash: boolean,
): { readonly text: string; readonly end: number } | undefined {
  let out = '';
  let from = start;
  for (let at = start; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (letter === 92 && backslash) {
      const next = text.charAt(at + 1);
      if (next === '') return undefined;
      out += text.slice(from, at) + (MYSQL_ESCAPES[next] ?? next);
      from = at + 2;
      at++;
    } else if (letter === 39) {
      if (text.charCodeAt(at + 1) !== 39)
        return at + 1 < text.length ? { text: out + text.slice(from, at), end: at + 1 } : undefined;
      out += text.slice(from, at + 1);
      from = at + 2;
      at++;
    }
  }
  return undefined;
}

/** Cells of a line of COPY … FROM stdin, in its text format. */
export function copyCells(line: string): RecordCell[] {
  return line.split('\t').map((cell) => {
    if (cell === '\\N' || cell === '') return undefined;
    return cell.replace(/\\(.)/g, (_, letter: string) => COPY_ESCAPES[letter] ?? letter);
  });
}
