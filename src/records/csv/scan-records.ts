/**
 * Finds the records of a CSV file in its bytes, with the line and the offset of each. DuckDB reads CSV many times faster than a
 * program could, and tells no places: this pass, which hashes the file anyway, finds the few records that are wanted.
 *
 * The nth clean record here is the nth row there. A record is clean when DuckDB's reader takes it: quotes in order, no longer
 * than its limit and, where `columns` asks for the check, valid UTF-8 in so many columns. Whoever uses the numbers compares
 * what they lead to.
 */
import { isUtf8 } from 'node:buffer';

export interface ScannedRecord {
  /** 1 for the first clean record behind the header. 0 for one that is not clean. */
  readonly row: number;
  readonly line: number;
  readonly offset: number;
  /** Without the line end. Valid only during the call. */
  readonly bytes: Buffer;
  /** What is wrong with it. */
  readonly fault?: 'quotes' | 'too-long' | 'columns' | 'encoding';
}

export interface ScanOptions {
  /** Absent: every line is a record, whatever quotes it holds. */
  readonly delimiter?: string;
  readonly hasHeader: boolean;
  /** Check the number of columns and the encoding of every record, too. */
  readonly columns?: number;
  /** Rows that are told, in rising order; absent: all. Those that are not clean are always told. */
  readonly wanted?: Iterator<number>;
}

/** DuckDB's `max_line_size`. */
export const LONGEST_RECORD = 2_000_000;
/** What is kept of a record that is too long. */
const KEPT_OF_TOO_LONG = 1000;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LF = 10;
const CR = 13;
const QUOTE = 34;

/** A record that is too long, of which only the beginning is kept. */
interface Skipped {
  readonly head: Buffer;
  readonly offset: number;
  readonly line: number;
}

interface End {
  /** Behind the line end. */
  readonly next: number;
  readonly fault?: 'quotes';
  readonly isQuoted: boolean;
}

/** Tells `take` every wanted record. Returns how many clean records there were. */
export async function scanRecords(
  blocks: AsyncIterable<Uint8Array>,
  options: ScanOptions,
  take: (record: ScannedRecord) => void,
): Promise<number> {
  const delimiter = options.delimiter?.charCodeAt(0) ?? LF;
  let nextWanted = options.wanted ? (options.wanted.next().value ?? Number.POSITIVE_INFINITY) : undefined;
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  let line = 1;
  let row = 0;
  let isFirst = true;
  let skipping: Skipped | undefined;

  /** The record between two places of the buffer, its line end included. Ten millions pass here, and few of them are wanted. */
  const handle = (buffer: Buffer, start: number, next: number, fault: ScannedRecord['fault']): void => {
    const at = offset + start;
    const from = at === 0 && buffer.indexOf(BYTE_ORDER_MARK) === 0 ? start + BYTE_ORDER_MARK.length : start;
    const end = contentEnd(buffer, from, next);
    if (end === from) return;
    if (isFirst) {
      isFirst = false;
      if (options.hasHeader) return;
    }
    const found =
      fault ??
      (options.columns === undefined ? undefined : faultOf(buffer.subarray(from, end), delimiter, options.columns));
    if (found !== undefined) {
      take({ row: 0, line, offset: at, bytes: buffer.subarray(from, end), fault: found });
      return;
    }
    row++;
    if (nextWanted !== undefined && row !== nextWanted) return;
    take({ row, line, offset: at, bytes: buffer.subarray(from, end) });
    if (nextWanted !== undefined) nextWanted = options.wanted?.next().value ?? Number.POSITIVE_INFINITY;
  };

  const tooLong = ({ head, offset: at, line: of }: Skipped): void => {
    take({ row: 0, line: of, offset: at, bytes: head, fault: 'too-long' });
  };

  const consume = (buffer: Buffer, ended: boolean): number => {
    let pos = 0;
    let quote = options.delimiter === undefined ? -1 : buffer.indexOf(QUOTE);
    for (;;) {
      if (quote >= 0 && quote < pos) quote = buffer.indexOf(QUOTE, pos);
      const newline = buffer.indexOf(LF, pos);
      if (newline >= 0 && (quote < 0 || newline < quote)) {
        handle(buffer, pos, newline + 1, undefined);
        line++;
        pos = newline + 1;
        continue;
      }
      const end = quote < 0 ? undefined : quotedEnd(buffer, pos, newline, delimiter, ended);
      if (end === undefined) return pos;
      handle(buffer, pos, end.next, end.fault);
      line += end.isQuoted ? linesIn(buffer, pos, end.next) : 1;
      pos = end.next;
    }
  };

  for await (const block of blocks) {
    let buffer = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    if (skipping !== undefined) {
      const stop = buffer.indexOf(LF);
      if (stop < 0) {
        offset += buffer.length;
        continue;
      }
      tooLong(skipping);
      skipping = undefined;
      line++;
      offset += stop + 1;
      buffer = buffer.subarray(stop + 1);
    }
    if (rest.length > 0) {
      // Only the record that the last block cut is put together; the rest of the block stays where it is.
      const cut = buffer.indexOf(LF) + 1;
      const joined = Buffer.concat([rest, cut > 0 ? buffer.subarray(0, cut) : buffer]);
      const pos = consume(joined, false);
      offset += pos;
      rest = joined.subarray(pos);
      if (cut > 0 && rest.length === 0) buffer = buffer.subarray(cut);
      else if (cut > 0) buffer = Buffer.concat([rest, buffer.subarray(cut)]);
      else buffer = rest;
    }
    const pos = consume(buffer, false);
    offset += pos;
    rest = buffer.subarray(pos);
    if (rest.length > LONGEST_RECORD && !rest.includes(LF)) {
      skipping = { head: Buffer.from(rest.subarray(0, KEPT_OF_TOO_LONG)), offset, line };
      offset += rest.length;
      rest = Buffer.alloc(0);
    }
  }
  if (skipping !== undefined) tooLong(skipping);
  if (rest.length > 0) {
    const pos = consume(rest, true);
    if (pos < rest.length) handle(rest, pos, rest.length, undefined);
  }
  return row;
}

/**
 * The end of the record at `pos`, which holds a quotation mark; undefined while it is not in the buffer. `newline`: the first one
 * from there on. A quote that is never closed ends with its line: else one stray mark would swallow the rest of the file.
 */
function quotedEnd(buffer: Buffer, pos: number, newline: number, delimiter: number, ended: boolean): End | undefined {
  let at = pos;
  let malformed = false;
  for (;;) {
    if (buffer[at] === QUOTE) {
      const close = closingQuote(buffer, at + 1);
      const isOpen = close < 0 || close - pos > LONGEST_RECORD;
      if (isOpen) {
        if (!ended && buffer.length - pos <= LONGEST_RECORD) return undefined;
        return newline < 0 ? undefined : { next: newline + 1, fault: 'quotes', isQuoted: false };
      }
      at = close + 1;
      if (at >= buffer.length && !ended) return undefined;
      const after = buffer[at];
      if (after !== undefined && after !== delimiter && after !== LF && after !== CR) malformed = true;
    }
    while (at < buffer.length && buffer[at] !== delimiter && buffer[at] !== LF) at++;
    if (at >= buffer.length) return undefined;
    if (buffer[at] === LF) return { next: at + 1, isQuoted: true, ...(malformed ? { fault: 'quotes' } : {}) };
    at++;
  }
}

/** Index of the quote that closes a cell, -1 where it is not in the buffer. */
function closingQuote(buffer: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const quote = buffer.indexOf(QUOTE, at);
    if (quote < 0) return -1;
    if (buffer[quote + 1] !== QUOTE) return quote;
    at = quote + 2;
  }
}

/** Where a record ends without its line end. */
function contentEnd(buffer: Buffer, start: number, next: number): number {
  let end = next;
  if (end > start && buffer[end - 1] === LF) end--;
  if (end > start && buffer[end - 1] === CR) end--;
  return end;
}

function linesIn(buffer: Buffer, start: number, end: number): number {
  let lines = 0;
  for (let at = buffer.indexOf(LF, start); at >= 0 && at < end; at = buffer.indexOf(LF, at + 1)) lines++;
  return lines;
}

function faultOf(bytes: Buffer, delimiter: number, columns: number): ScannedRecord['fault'] {
  if (bytes.length > LONGEST_RECORD) return 'too-long';
  let count = 1;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) {
      at = closingQuote(bytes, at + 1);
      if (at < 0) return 'quotes';
      at++;
    }
    while (at < bytes.length && bytes[at] !== delimiter) at++;
    if (at < bytes.length) count++;
  }
  if (count !== columns) return 'columns';
  return isUtf8(bytes) ? undefined : 'encoding';
}
