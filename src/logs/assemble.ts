/**
 * Lines to records. Stack traces, inspected objects and crash reports take several lines; which of them belong together
 * follows from how they begin (`log-formats` §2.9), separately for each stream of a container, because other processes
 * write in between.
 */

import type { Unwrapped } from './envelopes/envelopes.js';
import { isDebugTerminal } from './formats/debug.js';
import type { FormatContext } from './formats/define-format.js';
import { isCrashPlace, isErrorLine } from './formats/error-text.js';
import { jsonRecord } from './formats/record-of.js';
import { readText } from './formats/text-formats.js';
import { type LogRecord, WARN } from './record.js';

export const MAX_RECORD_LINES = 1000;
const MAX_RECORD_CHARS = 1 << 20;
const MAX_OPEN = 1000;

/** A record with the place (`model/place.ts`) of its first line. `known`: its format was recognised. */
export interface Assembled {
  readonly record: LogRecord;
  readonly line: number;
  readonly offset: number;
  readonly wrapping: Unwrapped | undefined;
  readonly known: boolean;
  /** The lines after the first. */
  readonly rest: readonly string[];
  /** First line, for the shapes of what was not understood. */
  readonly first: string;
}

interface Open {
  readonly record: LogRecord;
  readonly line: number;
  readonly offset: number;
  readonly wrapping: Unwrapped | undefined;
  readonly known: boolean;
  readonly first: string;
  readonly rest: string[];
  restChars: number;
  /** A crash report of Node: takes every line up to the version that ends it. */
  readonly crash: boolean;
  blank: boolean;
}

export interface Assembler {
  /** Takes the next line, out of its envelopes. */
  line(text: string, line: number, offset: number, wrapping: Unwrapped | undefined): void;
  end(): void;
  /** Whether a record without an envelope is open, whose rest the next line may be. */
  isOpen(): boolean;
  /** Records whose lines were not all kept. */
  readonly cut: { records: number; firstLine: number };
}

export function createAssembler(context: FormatContext, emit: (assembled: Assembled) => void): Assembler {
  const open = new Map<string, Open>();
  const cut = { records: 0, firstLine: 0 };
  /** The record of the lines without an envelope, kept apart: the usual case needs no look-up. */
  let plain: Open | undefined;

  function line(text: string, number: number, offset: number, wrapping: Unwrapped | undefined): void {
    const key = wrapping?.key;
    const current = key === undefined ? plain : open.get(key);
    if (isBlank(text)) {
      if (current) current.blank = true;
      return;
    }
    const code = text.charCodeAt(0);
    const json = code === 123 ? jsonRecord(text, context) : undefined;
    if (json) {
      if (current) close(key, current);
      emit({ record: json, line: number, offset, wrapping, known: true, rest: NO_LINES, first: text });
      return;
    }
    if (current && continues(current, text, code)) {
      append(current, text);
      if (current.crash && text.startsWith('Node.js v')) close(key, current);
      return;
    }
    const known = readText(text, context);
    if (current?.crash && !known) {
      append(current, text);
      return;
    }
    if (current && known && joinsAsError(current, text)) {
      append(current, text);
      return;
    }
    if (current) close(key, current);
    const next: Open = {
      record: known ?? { format: 'text', precision: 'none', message: text, fields: {} },
      line: number,
      offset,
      wrapping,
      known: known !== undefined,
      first: text,
      rest: [],
      restChars: 0,
      crash: known !== undefined && isCrashPlace(text),
      blank: false,
    };
    if (key === undefined) plain = next;
    else keep(key, next);
  }

  /** Names of streams come from the evidence: only so many are held open at a time. */
  function keep(key: string, next: Open): void {
    open.set(key, next);
    if (open.size <= MAX_OPEN) return;
    const [oldestKey, oldest] = open.entries().next().value ?? [key, next];
    close(oldestKey, oldest);
  }

  function append(current: Open, text: string): void {
    if (current.rest.length >= MAX_RECORD_LINES || current.restChars + text.length > MAX_RECORD_CHARS) {
      if (current.restChars !== Number.POSITIVE_INFINITY) {
        current.restChars = Number.POSITIVE_INFINITY;
        cut.records++;
        cut.firstLine ||= current.line;
      }
      return;
    }
    current.rest.push(text);
    current.restChars += text.length;
  }

  function close(key: string | undefined, current: Open): void {
    if (key === undefined) plain = undefined;
    else open.delete(key);
    emit(current);
  }

  function end(): void {
    const left = [...(plain ? [plain] : []), ...open.values()].sort((a, b) => a.line - b.line);
    plain = undefined;
    open.clear();
    for (const current of left) emit(current);
  }

  return { line, end, isOpen: () => plain !== undefined, cut };
}

const NO_LINES: readonly string[] = [];

function isBlank(text: string): boolean {
  return text === '' || (text.charCodeAt(0) <= 32 && text.trim() === '');
}

const CONTINUED = /^(?:[}\])][\s,;)\]}]{0,8}$|[}\]]|caused by\b|\[cause\]|Node\.js v\d|\^|\.\.\. \d)/i;

/** Whether a line can only be the rest of the record before it. */
function continues(current: Open, text: string, code: number): boolean {
  if (code <= 32) return !(isDebugTerminal(text) || /^ (?:ERROR|WARN|FATAL|INFO) {2}\S/.test(text.slice(0, 12)));
  if (current.crash) return code === 123 || text.startsWith('Node.js v');
  // The object that an inspected error or a Nest 9 message ends in.
  if (code === 123 || code === 91) return text.length === 1;
  return CONTINUED.test(text.slice(0, 24));
}

/** Whether a line looks like the rest of a record whose first line alone has a header. */
export function mayContinue(text: string): boolean {
  return text.charCodeAt(0) <= 32 || CONTINUED.test(text.slice(0, 24)) || isErrorLine(text);
}

/** The error that loggers print on the line after "something failed". */
function joinsAsError(current: Open, text: string): boolean {
  if (!isErrorLine(text)) return false;
  if (current.crash) return true;
  const { level, format } = current.record;
  if (format === 'error-text' || current.rest.length > 0 || current.blank) return false;
  if (level !== undefined && level >= WARN) return true;
  return /error|fail|exception|reject|crash/i.test(current.record.message.slice(0, 200));
}
