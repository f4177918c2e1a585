/**
 * Lines like ones that were read before. A log says the same few hundred things again and again: the same keys and words
 * with other ids, times and amounts. Such a line is recognised in its bytes and read by position; parsing it and asking what
 * its fields and words mean took ten times as long. The answer is the same: see `learn-stencil.ts`.
 */
import type { EventData } from '../../model/event.js';
import type { TimeHit } from '../../time/index.js';
import type { FormatContext } from '../formats/define-format.js';
import type { Finding } from '../phrases/finding.js';
import type { LogRecord, RecordFields } from '../record.js';
import { learnStencil, type Saying } from './learn-stencil.js';
import { StencilTree } from './stencil-tree.js';

/** A line that was recognised. */
export interface KnownLine {
  readonly format: string;
  /** What is said of the process; one object for all lines that say the same. */
  readonly fields: RecordFields;
  readonly time: TimeHit;
  readonly finding: Finding | undefined;
  /** Offset in the bytes behind the line and its newline. */
  readonly next: number;
}

export interface KnownLines {
  /** The line that begins at `at`, if it is like one that was learned. Its newline must be among the bytes. */
  find(bytes: Buffer, at: number): KnownLine | undefined;
  /** Takes a line and what was made of it, to know others like it. */
  learn(line: string, record: LogRecord, findings: readonly Finding[]): void;
}

/** Lines are learned as long as it pays: so many at first, and then one for so many that were known. */
const FREE_LESSONS = 512;
const LINES_PER_LESSON = 8;
const MAX_AMOUNTS = 1024;
const MAX_DIGITS = 15;
const ZERO = 48;

interface Known extends Saying {
  /** Details of the finding by the amount in the hole: the same ones are the same object. */
  readonly details: Map<number, EventData>;
}

export function createKnownLines(context: FormatContext): KnownLines {
  const tree = new StencilTree<Known>();
  let lessons = 0;
  let known = 0;

  const textIn = (bytes: Buffer, hole: number): string =>
    bytes.toString('latin1', tree.starts[hole] ?? 0, tree.ends[hole] ?? 0);
  const numberIn = (bytes: Buffer, hole: number): number =>
    wholeNumber(bytes, tree.starts[hole] ?? 0, tree.ends[hole] ?? 0) ?? Number(textIn(bytes, hole));

  function findingOf(saying: Known, bytes: Buffer): Finding | undefined {
    const { finding, job, amount } = saying;
    if (finding === undefined || (job < 0 && amount === undefined)) return finding;
    const { kind, queue, prefix, token } = finding;
    return {
      kind,
      job: job < 0 ? finding.job : idIn(bytes, job),
      queue,
      prefix,
      token,
      data: amount === undefined ? finding.data : detailsOf(saying, bytes),
    };
  }

  function idIn(bytes: Buffer, hole: number): string {
    const from = tree.starts[hole] ?? 0;
    const number = bytes[from] === ZERO ? undefined : wholeNumber(bytes, from, tree.ends[hole] ?? 0);
    return number === undefined ? textIn(bytes, hole) : String(number);
  }

  function detailsOf({ finding, amount, details }: Known, bytes: Buffer): EventData | undefined {
    if (amount === undefined) return undefined;
    const { hole, field, factor } = amount;
    const value = numberIn(bytes, hole) * factor;
    const remembered = details.get(value);
    if (remembered !== undefined) return remembered;
    const data = { ...finding?.data, [field]: value };
    if (details.size >= MAX_AMOUNTS) details.clear();
    details.set(value, data);
    return data;
  }

  return {
    find(bytes, at) {
      const saying = tree.find(bytes, at);
      if (saying === undefined) return undefined;
      const { format, fields, words } = saying;
      const time = context.time.value(
        saying.isTimeNumber ? numberIn(bytes, saying.time) : textIn(bytes, saying.time),
      );
      const finding = findingOf(saying, bytes);
      if (time === undefined || (words !== '' && words.includes((finding?.job ?? '').toLowerCase()))) return undefined;
      known++;
      return { format, fields, time, finding, next: tree.next };
    },
    learn(line, record, findings) {
      if (lessons * LINES_PER_LESSON > known + FREE_LESSONS * LINES_PER_LESSON) return;
      lessons++;
      const learned = learnStencil(line, record, findings, context);
      if (learned) tree.add(learned.steps, { ...learned.saying, details: new Map() });
    },
  };
}

/** Digits as a number, without making a text of them; undefined where there is anything else, or too many to be exact. */
function wholeNumber(bytes: Buffer, from: number, to: number): number | undefined {
  if (to - from > MAX_DIGITS) return undefined;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value;
}
