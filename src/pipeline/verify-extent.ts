/**
 * How far the record reaches that begins at a place: what its digest covers. The rule asks nothing but the bytes and how the source
 * is laid out, so that the same record has the same digest whenever it is read again.
 */
import type { Source } from '../model/analysis.js';

/** `lines`: the line, with the indented lines under it (a stack). */
export type Layout = 'lines' | 'rows' | 'answers' | 'members' | 'commands';

/** A longer record is covered as far as this. */
export const MAX_RECORD_BYTES = 1 << 20;
const MAX_LINES_UNDER = 200;
const NEWLINE = 10;
const CLOSERS = new Set([...',]}\n\r'].map((character) => character.charCodeAt(0)));

export function layoutOf({ kind, format, path }: Pick<Source, 'kind' | 'format' | 'path'>): Layout {
  if (format === 'aof') return 'commands';
  if (format === 'transcript') return 'answers';
  if (kind === 'redis' && /json/.test(format)) return 'members';
  return /csv|tsv/.test(format) || /\.[ct]sv(?:\.\w+)?$/i.test(path) ? 'rows' : 'lines';
}

/** Bytes of the record at the start of `bytes`; undefined where more bytes must be seen. */
export function recordLength(bytes: Buffer, layout: Layout, isAll: boolean): number | undefined {
  const end = isAll ? bytes.length : undefined;
  if (layout === 'commands') return commandLength(bytes) ?? end;
  const first = String.fromCharCode(bytes[0] ?? 0);
  if (first === '{' || first === '[' || (first === '"' && layout === 'members')) {
    const length = jsonLength(bytes);
    if (length === undefined) return end;
    const next = bytes.subarray(length).find((byte) => byte !== 32 && byte !== 9);
    if (next === undefined ? isAll : CLOSERS.has(next)) return length;
    if (next === undefined) return undefined;
  }
  if (layout === 'rows') return rowLength(bytes) ?? end;
  return linesLength(bytes, layout, isAll);
}

function linesLength(bytes: Buffer, layout: Layout, isAll: boolean): number | undefined {
  const isJournal = /^__CURSOR=/.test(bytes.toString('latin1', 0, 9));
  let end = bytes.indexOf(NEWLINE);
  for (let under = 0; end >= 0 && under < MAX_LINES_UNDER; under++) {
    const from = end + 1;
    const newline = bytes.indexOf(NEWLINE, from);
    if (newline < 0 && !isAll) return undefined;
    const line = bytes.toString('latin1', from, Math.min(newline < 0 ? bytes.length : newline, from + 200));
    const goesOn = isJournal
      ? line.trim() !== ''
      : layout === 'answers'
        ? isAnswer(line)
        : /^[ \t]+\S|^[}\]]/.test(line);
    if (!goesOn) return end;
    end = newline;
  }
  return end >= 0 ? end : isAll ? bytes.length : undefined;
}

/** Not empty, and no prompt with the next question. */
const isAnswer = (line: string): boolean =>
  line.trim() !== '' && !/^\S*(?:>|[$#%]) |redis-cli|^\S+:\d+(?:\[\d+\])?>/.test(line);

/** A line, and more of them while a quote is open. */
function rowLength(bytes: Buffer): number | undefined {
  let isQuoted = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 34) isQuoted = !isQuoted;
    else if (bytes[at] === NEWLINE && !isQuoted) return at;
  }
  return undefined;
}

/** Up to the end of the value that begins here; of a member (`"name": value`) up to the end of its value; else of what it is in. */
function jsonLength(bytes: Buffer): number | undefined {
  const isMember = bytes[0] === 34;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isString) {
      if (byte === 92) at++;
      else if (byte === 34) isString = false;
    } else if (byte === 34) isString = true;
    else if (byte === 123 || byte === 91) depth++;
    else if (byte === 125 || byte === 93) {
      depth--;
      if (depth < 0) return at;
      if (depth === 0 && (!isMember || isNamed(bytes))) return at + 1;
    }
  }
  return undefined;
}

const isNamed = (bytes: Buffer): boolean => /^"(?:[^"\\]|\\.)*"\s*:/.test(bytes.toString('latin1', 0, 2000));

/** One command of an append-only file: `*<n>`, then n times `$<length>` and so many bytes. */
function commandLength(bytes: Buffer): number | undefined {
  const head = /^\*(\d{1,7})\r\n/.exec(bytes.toString('latin1', 0, 12));
  if (head === null) return undefined;
  let at = head[0].length;
  for (let left = Number(head[1]); left > 0; left--) {
    const argument = /^\$(\d{1,10})\r\n/.exec(bytes.toString('latin1', at, at + 14));
    if (argument === null) return undefined;
    at += argument[0].length + Number(argument[1]) + 2;
    if (at > bytes.length) return undefined;
  }
  return at;
}
