/**
 * What all lines of one stencil say, learned from one of them and the reading of it.
 *
 * That it holds for all of them is not guessed. Which keys decide on format, time, level and message is seen by watching them
 * being read: a reading depends on nothing else, so with equal values it is equal. The values of ids and amounts are passed
 * on, and that is tried: other values must turn up in the finding and change nothing besides.
 */
import type { EventData } from '../../model/event.js';
import { collectFields, isObject, type JsonObject } from '../fields/collect.js';
import { parseJson } from '../fields/pairs.js';
import { roleOf } from '../fields/roles.js';
import type { FormatContext } from '../formats/define-format.js';
import { jsonFormatOf } from '../formats/json-formats.js';
import { readHead, timePathOf } from '../formats/read-json.js';
import { ownString } from '../own-string.js';
import type { Finding } from '../phrases/finding.js';
import { readRecord } from '../phrases/read-record.js';
import type { LogRecord, RecordFields } from '../record.js';
import { cutStencil, type Looks, type Passed } from './cut-stencil.js';

/** What every line of a stencil says. Numbers of groups are 0 where there is none. */
export interface Saying {
  readonly pattern: RegExp;
  /** Whether all its lines end in the same six characters at least. */
  readonly hasEnd: boolean;
  readonly format: string;
  /** What is said of the process, but for host and pid where they are caught. */
  readonly fields: RecordFields;
  readonly host: number;
  readonly pid: number;
  readonly time: number;
  readonly isTimeNumber: boolean;
  /** Groups whose values change nothing, as long as they are no longer than others. */
  readonly others: readonly { readonly group: number; readonly isText: boolean }[];
  readonly finding: Finding | undefined;
  /** Group of the finding's job. */
  readonly job: number;
  readonly isJobNumber: boolean;
  /** Group of a detail of the finding. */
  readonly amount: number;
  readonly amountField: Amount;
  readonly amountFactor: number;
  /** Words that the finding's shape was made of, in lower case: an id among them would change it. '' where none can be. */
  readonly words: string;
}

type Amount = 'attempt' | 'durationMs' | 'progress';

const MAX_LINE = 4096;
const MAX_WORDS = 512;
/** Values that no log has. */
const OTHER_TEXT = '7919000017';
const OTHER_NUMBER = 7919;

/** Undefined for a line that has no stencil. `findings` is what was made of `record`, the whole record of the line. */
export function learnStencil(
  line: string,
  record: LogRecord,
  findings: readonly Finding[],
  context: FormatContext,
): Saying | undefined {
  const [finding] = findings;
  // `{"log":` may be Docker's, which is seen by what follows anywhere in the line.
  if (findings.length > 1 || line.length > MAX_LINE || line.startsWith('{"log":')) return undefined;
  const object = parseJson(line);
  const looks = object && looksAt(object, line, context);
  const cut = looks && cutStencil(line, object, looks);
  if (cut === undefined) return undefined;
  const groups = { host: 0, pid: 0, job: 0, amount: 0 };
  const others: { group: number; isText: boolean }[] = [];
  let isJobNumber = false;
  let amountField: Amount = 'attempt';
  let amountFactor = 1;
  for (const [i, passed] of cut.groups.entries()) {
    if (passed === 'time') continue;
    const effect = effectOf(passed, record, finding);
    if (effect === 'another') return undefined;
    const { field, factor } = passed;
    if (field === 'host' || field === 'pid') groups[field] = i + 1;
    else if (effect === 'none') others.push({ group: i + 1, isText: typeof passed.value === 'string' });
    else if (field === 'jobs' || field === 'bareId') {
      groups.job = i + 1;
      isJobNumber = typeof passed.value === 'number';
    } else if (groups.amount > 0) return undefined;
    else {
      groups.amount = i + 1;
      amountField = field;
      amountFactor = factor;
    }
  }
  const words = finding?.data?.shape === undefined ? '' : record.message.slice(0, MAX_WORDS).toLowerCase();
  return {
    ...groups,
    pattern: new RegExp(cut.pattern),
    hasEnd: cut.hasEnd,
    format: record.format,
    fields: processFields(record.fields),
    time: cut.groups.indexOf('time') + 1,
    isTimeNumber: typeof object?.[looks?.timeKey ?? ''] === 'number',
    finding: finding && ownFinding(finding),
    others,
    isJobNumber,
    amountField,
    amountFactor,
    // An id has a digit, so words without any cannot hold one.
    words: groups.job > 0 && /\d/.test(words) ? ownString(words) : '',
  };
}

/** What reading the object looks at; undefined where it looks at everything, or finds no time. */
function looksAt(object: JsonObject, line: string, context: FormatContext): Looks | undefined {
  const watched = watch(object);
  const format = jsonFormatOf(watched.object, line);
  if (format.unfold !== undefined) return undefined;
  readHead(format, watched.object, context);
  const timeKey = timePathOf(format, object, context);
  if (watched.isListed() || timeKey === undefined || !Object.hasOwn(object, timeKey)) return undefined;
  return { timeKey, keys: watched.keys, jobKeys: jobKeysOf(object) };
}

/** Keys that are looked at in objects that are jobs, wherever such stand. */
function jobKeysOf(object: JsonObject): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const [key, value] of Object.entries(object)) {
    if (!isObject(value)) continue;
    const watched = watch(value);
    if (roleOf(key) === 'job-object') collectFields({ job: watched.object });
    for (const inner of roleOf(key) === 'job-object' ? watched.keys : jobKeysOf(value)) keys.add(inner);
  }
  return keys;
}

/** The same object; `keys` are those that were asked for. */
function watch(target: JsonObject): { object: JsonObject; keys: ReadonlySet<string>; isListed(): boolean } {
  const keys = new Set<string>();
  let isListed = false;
  const note = (key: string | symbol): void => {
    if (typeof key === 'string') keys.add(key);
  };
  const object = new Proxy(target, {
    get(from, key) {
      note(key);
      return Reflect.get(from, key);
    },
    has(from, key) {
      note(key);
      return Reflect.has(from, key);
    },
    getOwnPropertyDescriptor(from, key) {
      note(key);
      return Reflect.getOwnPropertyDescriptor(from, key);
    },
    ownKeys(from) {
      isListed = true;
      return Reflect.ownKeys(from);
    },
  });
  return { object, keys, isListed: () => isListed };
}

/** What another value in the group changes in the finding: the one place where it belongs, nothing, or something else. */
function effectOf(passed: Passed, record: LogRecord, finding: Finding | undefined): 'own' | 'none' | 'another' {
  const { fields } = record;
  const { field, value, factor } = passed;
  const given = field === 'jobs' ? fields.jobs?.join() : fields[field];
  const isText = field === 'jobs' || field === 'bareId' || field === 'host';
  if (given !== (isText ? String(value) : Number(value) * factor)) return 'another';
  const other = isText ? OTHER_TEXT : OTHER_NUMBER;
  const changed = readRecord({ ...record, fields: { ...fields, [field]: field === 'jobs' ? [other] : other } });
  const seen = JSON.stringify(changed);
  if (seen === JSON.stringify(finding === undefined ? [] : [finding])) return 'none';
  if (finding === undefined || field === 'host' || field === 'pid') return 'another';
  const expected = isText ? { ...finding, job: other } : { ...finding, data: { ...finding.data, [field]: other } };
  return seen === JSON.stringify([expected]) ? 'own' : 'another';
}

function processFields({ host, port, pid, worker, label, container }: RecordFields): RecordFields {
  const own = (text: string | undefined): string | undefined => (text === undefined ? undefined : ownString(text));
  return { host: own(host), port, pid, worker: own(worker), label: own(label), container: own(container) };
}

/** A copy that shares no memory with the line. */
function ownFinding({ kind, job, queue, prefix, token, data }: Finding): Finding {
  const own = (text: string | undefined): string | undefined => (text === undefined ? undefined : ownString(text));
  const copy: EventData | undefined = data && Object.freeze(structuredClone(data));
  return { kind, job: own(job), queue: own(queue), prefix: own(prefix), token: own(token), data: copy };
}
