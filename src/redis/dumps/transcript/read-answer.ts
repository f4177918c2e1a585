/**
 * An answer's lines as what Redis said. Where the command does not say how it was printed, the lines show it: a terminal
 * gets another rendering than a file, and headings in scripts say nothing at all.
 */
import type { Rendering } from './command.js';
import { readCsv, readRaw } from './read-flat.js';
import { readJson } from './read-json.js';
import { TtyAnswer } from './read-tty.js';
import type { Parsed } from './reply.js';

const TTY =
  /^(?: *\d{1,9}[)~#>] |\((?:nil|true|false)\)$|\((?:integer|double|error|empty)\b|"(?:[^"\\]|\\.)*"$|OK$|QUEUED$)/;
const CSV = /^(?:NULL|ERROR,"|"(?:[^"\\]|\\.)*")(?:,|$)/;
/** Keys and ids may begin with a brace too: `{eu}:app:mail`. */
const JSON_START = /^(?:\[(?:$|[\s"[\]{\d-])|\{(?:$|[\s"}])|error:"|null$)/;
/** redis-cli says how long a slow answer took. */
const DURATION = /^\(\d+\.\d\ds\)$/;
/** Headings and remarks of whoever kept the transcript, behind an answer. */
const REMARK = /^(?:\s*$|#|=|--|\/\/|\*)/;
/** Values that may go on behind the end of the source: nothing closes them. */
const OPEN_ENDED = /^[^"]*[^")\]}]$/;

/** How an answer's lines are printed, by the first of them that is not blank. */
export function renderingOf(first: string, asked: Rendering | undefined): Rendering {
  if (asked !== undefined) return asked;
  if (TTY.test(first)) return 'tty';
  if (CSV.test(first)) return 'csv';
  return JSON_START.test(first) ? 'json' : 'raw';
}

interface HowPrinted {
  readonly rendering: Rendering;
  /** The last line has no end: the source may have been cut within it. */
  readonly isOpen: boolean;
  /** A blank line is nil. On a terminal redis-cli says `(nil)`: there a blank line is the transcript's own. */
  readonly hasBlankNil: boolean;
}

/** @param lines Latin-1 text, all lines up to the next command. */
export function readAnswer(lines: readonly string[], { rendering, isOpen, hasBlankNil }: HowPrinted): Parsed {
  const kept = withoutEnd(lines);
  if (lines.length === 0 || (kept.length === 0 && (isOpen || !hasBlankNil))) return { problem: 'no answer follows' };
  const last = kept.at(-1) ?? '';
  if (isOpen && kept.length === lines.length && (rendering === 'raw' || rendering === 'csv' || OPEN_ENDED.test(last))) {
    return { problem: 'the source ends within it' };
  }
  switch (rendering) {
    case 'tty':
      return readTty(kept);
    case 'csv':
      return hasOnlyRemarks(kept, 1) ? readCsv(kept[0] ?? '') : { problem: 'more than one line follows' };
    case 'json':
    case 'quoted-json':
      return readJson(kept.join('\n'), rendering === 'quoted-json');
    case 'raw':
      return readRaw(withoutRemarks(kept));
  }
}

function readTty(lines: readonly string[]): Parsed {
  const answer = new TtyAnswer(lines);
  const parsed = answer.read();
  if ('problem' in parsed || hasOnlyRemarks(lines, answer.end)) return parsed;
  return { problem: 'something else follows it' };
}

const hasOnlyRemarks = (lines: readonly string[], from: number): boolean =>
  lines.slice(from).every((line, at) => REMARK.test(line) || (at === 0 && DURATION.test(line)));

/** Without remarks that a blank line sets off. */
function withoutRemarks(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => !REMARK.test(line));
  const blank = lines.findIndex((line, at) => at > last && line.trim() === '');
  return blank < 0 ? lines : withoutEnd(lines.slice(0, blank));
}

/** Blank lines at the end are the transcript's own, or an empty value, which is told by what is missing. */
function withoutEnd(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 0 && (lines[end - 1]?.trim() === '' || DURATION.test(lines[end - 1] ?? ''))) end--;
  return lines.slice(0, end);
}
