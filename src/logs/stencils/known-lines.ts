/**
 * Lines like ones that were read before. A log says the same few hundred things again and again: the same keys and words
 * with other ids, times and amounts. Such a line is told by a pattern, and read from what the pattern catches. Parsing it and
 * asking what its fields and words mean took ten times as long, and gives the same (`learn-stencil.ts` says why).
 */
import type { EventData } from '../../model/event.js';
import type { TimeHit } from '../../time/index.js';
import type { FormatContext } from '../formats/define-format.js';
import { ownString } from '../own-string.js';
import type { Finding } from '../phrases/finding.js';
import type { LogRecord, RecordFields } from '../record.js';
import { learnStencil, type Saying } from './learn-stencil.js';

/** A line that is known. */
export interface KnownLine {
  readonly format: string;
  /** What is said of the process; mostly one object for all lines that say the same. */
  readonly fields: RecordFields;
  readonly time: TimeHit;
  readonly finding: Finding | undefined;
}

export interface KnownLines {
  /** What a JSON line says, if it is like one that was learned. */
  find(line: string): KnownLine | undefined;
  /** Takes a line and what was made of it, to know others like it. */
  learn(line: string, record: LogRecord, findings: readonly Finding[]): void;
}

/** Lines are learned as long as it pays: so many at first, and then one for so many that were known. */
const FREE_LESSONS = 512;
const LINES_PER_LESSON = 16;
const MAX_KNOWN = 512;
/** Where every line has words of its own (a number in them), patterns would be tried in vain on all that follow. */
const PATIENCE = 256;
const MAX_AMOUNTS = 1024;
const MAX_PROCESSES = 64;
/** Hosts that are taken as they are; words for nothing are none (`fields/assign.ts`). */
const HOST = /^(?!(?:unknown|undefined|null)$)[\w.:-]{1,100}$/;
/** Longer numbers lose digits on their way. */
const MAX_DIGITS = 15;
const MAX_ID = 100;
const ZERO = 48;

interface Known extends Saying {
  /** Details of the finding by the amount that was caught: the same ones are the same object. */
  readonly details: Map<number, EventData>;
  readonly processes: Process[];
  /** Lines that it may still be held against in vain before it is forgotten. */
  patience: number;
}

interface Process {
  readonly host: string | undefined;
  readonly pid: string | undefined;
  readonly fields: RecordFields;
}

export function createKnownLines(context: FormatContext): KnownLines {
  const patterns = new Set<string>();
  /** Those whose lines all end alike, by that end: mostly the words of the message. */
  const byEnd = new Map<number, Known[]>();
  const others: Known[] = [];

  /** Undefined where what was caught is out of the usual. */
  function read(one: Known, match: RegExpExecArray): KnownLine | undefined {
    const caught = match[one.time] ?? '';
    const time = context.time.value(one.isTimeNumber ? numberOf(caught) : caught);
    const fields = fieldsOf(one, match);
    if (time === undefined || fields === undefined) return undefined;
    for (const { group, isText } of one.others)
      if ((match[group]?.length ?? 0) > (isText ? MAX_ID : MAX_DIGITS)) return undefined;
    const { format, finding } = one;
    if (finding === undefined || (one.job === 0 && one.amount === 0)) return { format, fields, time, finding };
    const job = one.job === 0 ? finding.job : match[one.job];
    if (
      job !== undefined &&
      (job.length > (one.isJobNumber ? MAX_DIGITS : MAX_ID) ||
        (one.words !== '' && one.words.includes(job.toLowerCase())))
    )
      return undefined;
    const amount = match[one.amount] ?? '';
    if (one.amount > 0 && amount.length > MAX_DIGITS) return undefined;
    const data = one.amount === 0 ? finding.data : detailsOf(one, amount);
    const { kind, queue, prefix, token } = finding;
    return { format, fields, time, finding: { kind, job, queue, prefix, token, data } };
  }

  let lessons = 0;
  let found = 0;

  function findAmong(list: Known[] | undefined, line: string): KnownLine | undefined {
    if (list === undefined) return undefined;
    for (let i = 0; i < list.length; i++) {
      const one = list[i];
      if (one === undefined) continue;
      const match = one.pattern.exec(line);
      if (match === null) {
        if (--one.patience === 0) list.splice(i--, 1);
        continue;
      }
      one.patience = PATIENCE;
      forward(list, i);
      const said = read(one, match);
      if (said !== undefined) found++;
      return said;
    }
    return undefined;
  }

  return {
    find(line) {
      return findAmong(byEnd.get(endOf(line)), line) ?? findAmong(others, line);
    },
    learn(line, record, findings) {
      if (patterns.size >= MAX_KNOWN || (lessons - FREE_LESSONS) * LINES_PER_LESSON > found) return;
      lessons++;
      const saying = learnStencil(line, record, findings, context);
      if (saying === undefined || patterns.has(saying.pattern.source)) return;
      patterns.add(saying.pattern.source);
      const known: Known = { ...saying, details: new Map(), processes: [], patience: PATIENCE };
      const end = endOf(line);
      if (!saying.hasEnd) others.push(known);
      else if (byEnd.get(end)?.push(known) === undefined) byEnd.set(end, [known]);
    },
  };
}

/** The last letters of a line as one small number, without what closes it. */
function endOf(line: string): number {
  const at = line.length;
  const last = line.charCodeAt(at - 3) ^ (line.charCodeAt(at - 4) << 7);
  return (last ^ (line.charCodeAt(at - 5) << 14) ^ (line.charCodeAt(at - 6) << 21)) & 0x3fffffff;
}

/** What is found often moves to the front. The order decides nothing: of two that fit, either is right. */
function forward<T>(list: T[], i: number): void {
  if (i === 0) return;
  const one = list[i];
  const before = list[i - 1];
  if (one === undefined || before === undefined) return;
  list[i - 1] = one;
  list[i] = before;
}

function fieldsOf(one: Known, match: RegExpExecArray): RecordFields | undefined {
  if (one.host === 0 && one.pid === 0) return one.fields;
  const host = one.host === 0 ? undefined : match[one.host];
  const pid = one.pid === 0 ? undefined : match[one.pid];
  for (const process of one.processes) if (process.pid === pid && process.host === host) return process.fields;
  return newProcess(one, host, pid);
}

function newProcess(one: Known, host: string | undefined, pid: string | undefined): RecordFields | undefined {
  if ((host !== undefined && !HOST.test(host)) || (pid !== undefined && pid.length > MAX_DIGITS)) return undefined;
  const ownHost = host === undefined ? undefined : ownString(host);
  const fields = {
    ...one.fields,
    host: ownHost ?? one.fields.host,
    pid: pid === undefined ? one.fields.pid : Number(pid),
  };
  if (one.processes.length < MAX_PROCESSES) one.processes.push({ host: ownHost, pid, fields });
  return fields;
}

function detailsOf({ finding, amountField, amountFactor, details }: Known, caught: string): EventData {
  const value = numberOf(caught) * amountFactor;
  const remembered = details.get(value);
  if (remembered !== undefined) return remembered;
  const data = Object.freeze({ ...finding?.data, [amountField]: value });
  if (details.size >= MAX_AMOUNTS) details.clear();
  details.set(value, data);
  return data;
}

/** The number in a text; of the usual whole ones in a fifth of the time that `Number` takes. */
function numberOf(text: string): number {
  if (text.length > MAX_DIGITS) return Number(text);
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return Number(text);
    value = value * 10 + digit;
  }
  return value;
}
