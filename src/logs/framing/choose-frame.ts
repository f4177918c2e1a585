/** Which way a source is cut into entries, seen in its head. */
import { createTimeReader } from '../../time/index.js';
import { cleanLine } from '../clean-line.js';
import { holdsLogRow } from '../envelopes/json-wrapper.js';
import { parseJson } from '../fields/pairs.js';
import { createCsvFrame } from './csv-frame.js';
import { csvParserInOneCall } from './csv-parse.js';
import { createDocumentFrame, createDocumentReader } from './document-frame.js';
import type { Frame, OnEntry } from './frame.js';
import { createJournalFrame } from './journal-frame.js';
import { createFencedFrame, createLineFrame } from './line-frame.js';
import { namedRow } from './table-row.js';

export interface ChosenFrame {
  readonly kind: 'lines' | 'fenced' | 'document' | 'table' | 'journal';
  create(onEntry: OnEntry): Frame;
  /** The first entries: what the rest of the source is like is taken from them. */
  readonly first: readonly string[];
}

const MAX_FIRST = 1000;
const STEP_BYTES = 4096;

/** `head`: up to the first 64 KiB of the source. */
export function chooseFrame(head: Uint8Array, fileName: string): ChosenFrame {
  const text = cleanLine(new TextDecoder().decode(head.subarray(0, 256))).trimStart();
  if (text.startsWith('__CURSOR=')) return chosen('journal', createJournalFrame, head);
  if (/^(?:\{|\[\s*\{)/.test(text) && isDocument(head)) return chosen('document', createDocumentFrame, head);
  const delimiter = delimiterOf(head);
  if (delimiter !== undefined) return chosen('table', (onEntry) => createCsvFrame(onEntry, delimiter), head);
  const isFenced = /\.(?:md|markdown)$/i.test(fileName);
  return isFenced ? chosen('fenced', createFencedFrame, head) : chosen('lines', createLineFrame, head);
}

function chosen(kind: ChosenFrame['kind'], create: ChosenFrame['create'], head: Uint8Array): ChosenFrame {
  const first: string[] = [];
  const frame = create((text) => {
    if (first.length < MAX_FIRST) first.push(cleanLine(text));
  });
  frame.push(head);
  void frame.end();
  return { kind, create, first };
}

/**
 * A list of objects, a document that holds records, or objects laid out over several lines or glued to each other. JSON
 * lines are no document: each of them is one record.
 */
function isDocument(head: Uint8Array): boolean {
  let holders = 0;
  let others = 0;
  let isLaidOut = false;
  const line = new TextDecoder().decode(head).split('\n', 1)[0] ?? '';
  const reader = createDocumentReader((_text, _line, _offset, shape) => {
    if (shape !== undefined) holders++;
    else if (others++ === 0) isLaidOut = parseJson(line) === undefined;
  });
  // Most heads are JSON lines, which the first record shows: going through all of them took a tenth of a second.
  for (let at = 0; at < head.length && (others === 0 || isLaidOut); at += STEP_BYTES)
    reader.push(head.subarray(at, at + STEP_BYTES));
  if (others > 0 && !isLaidOut) return false;
  // Text that is no JSON before the first record: lines of which one happens to begin with a bracket.
  if (holders + others === 0 || (holders === 0 && reader.damage().length > 0)) return false;
  return others === 0 || holders === 0;
}

/** The sign between the cells, if the first line names columns and the rows below hold times and messages. */
function delimiterOf(head: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(head).replace(/^\s*(?:sep=.\r?\n)?/i, '');
  const names = text.split('\n', 1)[0] ?? '';
  // JSON names its columns, too.
  if (names.startsWith('{') || names.length > 4096 || !/time|date|_at\b|\b(?:dt|ts)/i.test(names)) return undefined;
  const time = createTimeReader({ modifiedMs: 0 });
  return ['\t', ',', ';'].find((delimiter) => {
    if (!names.includes(delimiter)) return false;
    const [header, ...rows] = firstRows(text, delimiter);
    return header !== undefined && rows.some((row) => holdsLogRow({ table: namedRow(header, row) }, time));
  });
}

const ROWS = 6;

function firstRows(text: string, delimiter: string): readonly string[][] {
  const rows: string[][] = [];
  try {
    csvParserInOneCall().parse(text, {
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: ROWS,
      on_record: (row: string[]) => {
        rows.push(row);
        return null;
      },
    });
  } catch {
    // The head ends within a row.
  }
  return rows;
}
