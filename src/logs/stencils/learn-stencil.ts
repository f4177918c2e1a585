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
import { cutStencil, type Looks, type Passed, type PassedField } from './cut-stencil.js';
import type { Step } from './stencil-tree.js';

/** What every line of a stencil says. */
export interface Saying {
  readonly format: string;
  /** What is said of the process. */
  readonly fields: RecordFields;
  readonly finding: Finding | undefined;
  /** The hole of the time, which is a number or a text. */
  readonly time: number;
  readonly isTimeNumber: boolean;
  /** The hole of the finding's job; -1 where that is always the same, or none. */
  readonly job: number;
  /** The detail of the finding that stands in a hole. */
  readonly amount: (Passed & { readonly field: Amount }) | undefined;
  /** Words that the finding's shape was made of, in lower case: an id among them would change it. '' where none can be. */
  readonly words: string;
}

type Amount = Exclude<PassedField, 'jobs' | 'bareId'>;

const PRINTABLE = /^\{[\x20-\x7e]*\}$/;
const MAX_LINE = 8192;
const MAX_WORDS = 512;
/** Values that no log has. */
const OTHER_ID = '7919000017';
const OTHER_AMOUNT = 7919;

/** Undefined for a line that has no stencil. `findings` is what was made of `record`, the whole record of the line. */
export function learnStencil(
  line: string,
  record: LogRecord,
  findings: readonly Finding[],
  context: FormatContext,
): { readonly steps: readonly Step[]; readonly saying: Saying } | undefined {
  const [finding] = findings;
  // `{"log":` may be Docker's, which is seen by what follows anywhere in the line.
  if (findings.length > 1 || line.length > MAX_LINE || !PRINTABLE.test(line) || line.startsWith('{"log":'))
    return undefined;
  const object = parseJson(line);
  const looks = object && looksAt(object, line, context);
  const cut = looks && cutStencil(line, looks);
  if (cut === undefined) return undefined;
  let job = -1;
  let amount: Saying['amount'];
  for (const passed of cut.passed) {
    const effect = effectOf(passed, record, finding);
    if (effect === 'another') return undefined;
    if (effect === 'none') continue;
    if (isAmount(passed)) {
      if (amount !== undefined) return undefined;
      amount = passed;
    } else job = passed.hole;
  }
  const words = finding?.data?.shape === undefined ? '' : record.message.slice(0, MAX_WORDS).toLowerCase();
  const saying: Saying = {
    format: record.format,
    fields: processFields(record.fields),
    finding: finding && ownFinding(finding),
    time: cut.time,
    isTimeNumber: cut.steps[cut.time]?.hole === 'number',
    job,
    amount,
    // An id has a digit, so words without any cannot hold one.
    words: job >= 0 && /\d/.test(words) ? ownString(words) : '',
  };
  return { steps: cut.steps, saying };
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

const isAmount = (passed: Passed): passed is Passed & { readonly field: Amount } =>
  passed.field !== 'jobs' && passed.field !== 'bareId';

/** What another value in the hole changes in the finding: the one place where it belongs, nothing, or something else. */
function effectOf(passed: Passed, record: LogRecord, finding: Finding | undefined): 'own' | 'none' | 'another' {
  const { fields } = record;
  const { field, value, factor } = passed;
  const given = field === 'jobs' ? fields.jobs?.join() : fields[field];
  if (given !== (isAmount(passed) ? Number(value) * factor : value)) return 'another';
  const other = isAmount(passed) ? OTHER_AMOUNT : OTHER_ID;
  const changed = readRecord({ ...record, fields: { ...fields, [field]: field === 'jobs' ? [other] : other } });
  const seen = JSON.stringify(changed);
  if (seen === JSON.stringify(finding === undefined ? [] : [finding])) return 'none';
  if (finding === undefined) return 'another';
  const expected = isAmount(passed)
    ? { ...finding, data: { ...finding.data, [field]: other } }
    : { ...finding, job: other };
  return seen === JSON.stringify([expected]) ? 'own' : 'another';
}

function processFields({ host, port, pid, worker, label, container }: RecordFields): RecordFields {
  const own = (text: string | undefined): string | undefined => (text === undefined ? undefined : ownString(text));
  return { host: own(host), port, pid, worker: own(worker), label: own(label), container: own(container) };
}

/** A copy that shares no memory with the line. */
function ownFinding({ kind, job, queue, prefix, token, data }: Finding): Finding {
  const own = (text: string | undefined): string | undefined => (text === undefined ? undefined : ownString(text));
  const copy: EventData | undefined = data && structuredClone(data);
  return { kind, job: own(job), queue: own(queue), prefix: own(prefix), token: own(token), data: copy };
}
