/**
 * Cuts the stencil of a JSON line: a pattern for the lines that are like it. A value that is not looked at (`fields/roles.ts`
 * gives its name no meaning, and no format reads it) may be any of its type; one that is only passed on (an id, an attempt, an
 * amount) may be any that is passed on in the same way; everything else must be as it is written.
 *
 * What a pattern lets through is JSON: a line that `JSON.parse` would refuse must not look like one that it takes. Patterns
 * never try one thing in two ways, so they are linear in the line.
 */
import { isObject, type JsonObject, MAX_DEPTH, MAX_KEYS, PAYLOAD_ROLES } from '../fields/collect.js';
import { type Role, roleOf } from '../fields/roles.js';

/** The fields whose values are passed on. */
export type PassedField = 'host' | 'pid' | 'jobs' | 'bareId' | 'attempt' | 'durationMs' | 'progress';

export interface Passed {
  readonly field: PassedField;
  /** What the field is multiplied with. */
  readonly factor: number;
  /** What stands there in the line that was cut. */
  readonly value: string | number;
}

/** What a group of the pattern catches. */
export type Caught = Passed | 'time';

export interface Cut {
  /** Source of a regular expression for the whole line. */
  readonly pattern: string;
  /** What its groups catch. */
  readonly groups: readonly Caught[];
  /** Whether the last pair of the line is as it is written. */
  readonly hasEnd: boolean;
}

/** What reading looks at, besides fields of a role. */
export interface Looks {
  /** Key of the time, in the outermost object. */
  readonly timeKey: string;
  /** Keys of the outermost object that decide on format, time, level and message. */
  readonly keys: ReadonlySet<string>;
  /** Keys looked at in an object that is a job. */
  readonly jobKeys: ReadonlySet<string>;
}

/** Without bounds such as `{1,64}`, which make a pattern twice as slow: what is too long is sorted out afterwards. */
const PLAIN = String.raw`[^"\\\x00-\x1f]*`;
const TEXT = String.raw`"${PLAIN}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})${PLAIN})*"`;
const WHOLE = String.raw`(?:0|[1-9]\d*)`;
const DECIMAL = String.raw`${WHOLE}(?:\.\d+)?`;
const NUMBER = String.raw`-?${DECIMAL}(?:[eE][+-]?\d+)?`;
/** An id: with a digit in it, or it may be a word for nothing. */
const ID = String.raw`[A-Za-z_:.@/#-]*\d[\w:.@/#-]*`;

const FIELDS: Readonly<Partial<Record<Role, PassedField>>> = {
  host: 'host',
  pid: 'pid',
  job: 'jobs',
  jobs: 'jobs',
  'job-object': 'jobs',
  'bare-id': 'bareId',
  attempt: 'attempt',
  duration: 'durationMs',
  'duration-seconds': 'durationMs',
  progress: 'progress',
};
/** Objects in which something is looked for by rules of their own. */
const READ_INSIDE: ReadonlySet<Role | null> = new Set<Role | null>(['queue', 'worker', 'progress', 'error']);
const UNREAD_INSIDE: ReadonlySet<Role | null> = new Set<Role | null>(['request', 'job-shape', 'skip']);

/** How the fields around a value are read: as those of a record, of a job, or not at all. */
type Around =
  | { readonly as: 'record'; readonly depth: number; readonly only?: ReadonlySet<Role> | undefined }
  | { readonly as: 'job' }
  | { readonly as: 'unread' };

const UNREAD: Around = { as: 'unread' };

class Unusual extends Error {}

/** Undefined where the line is too unusual: not as `JSON.stringify` writes it, or with fields whose order decides. */
export function cutStencil(line: string, object: JsonObject, looks: Looks): Cut | undefined {
  if (JSON.stringify(object) !== line) return undefined;
  const groups: Caught[] = [];
  /** Fields that some value of the line belongs to. */
  const given = new Set<PassedField>();

  function give(field: PassedField): void {
    // Which of the two counts is not for this place to say.
    if (given.has(field)) throw new Unusual();
    given.add(field);
  }

  function objectPattern(holder: JsonObject, around: Around): string {
    const entries = Object.entries(holder);
    if (entries.length > MAX_KEYS) throw new Unusual();
    const parts = entries.map(([key, value]) => `${literal(JSON.stringify(key))}:${valuePattern(key, value, around)}`);
    return `\\{${parts.join(',')}\\}`;
  }

  function valuePattern(key: string, value: unknown, around: Around): string {
    if (around.as === 'unread') return unread(value);
    if (around.as === 'job') {
      if (key === 'id') return passed('jobs', 1, value);
      return looks.jobKeys.has(key) ? asWritten(value) : unread(value);
    }
    const { depth, only } = around;
    if (depth === 0) {
      if (key === looks.timeKey) return timePattern(value);
      if (looks.keys.has(key)) return asWritten(value);
    }
    const role = roleOf(key);
    if (isObject(value)) return innerPattern(key, value, role, depth, only);
    if (role === null || role === 'skip' || (only !== undefined && !only.has(role) && role !== 'jobs'))
      return unread(value);
    const field = FIELDS[role];
    if (field !== undefined) {
      give(field);
      return role === 'jobs' ? asWritten(value) : passed(field, role === 'duration-seconds' ? 1000 : 1, value);
    }
    return role === 'request' || role === 'job-shape' ? unread(value) : asWritten(value);
  }

  function innerPattern(
    key: string,
    value: JsonObject,
    role: Role | null,
    depth: number,
    only: ReadonlySet<Role> | undefined,
  ): string {
    if (depth >= MAX_DEPTH) return unread(value);
    if (role === 'skip' && (key === 'message' || key === 'msg')) return asWritten(value);
    if (UNREAD_INSIDE.has(role)) return unread(value);
    if (role === 'job-object') {
      for (const field of ['jobs', 'attempt', 'progress'] as const) give(field);
      return objectPattern(value, { as: 'job' });
    }
    if (role === 'progress') give('progress');
    if (role === 'worker' || key === 'host') give('host');
    if (role === 'worker' || key === 'process') give('pid');
    if (READ_INSIDE.has(role) || key === 'host' || key === 'process') return asWritten(value);
    return objectPattern(value, { as: 'record', depth: depth + 1, only: role === 'payload' ? PAYLOAD_ROLES : only });
  }

  function unread(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return TEXT;
      case 'number':
        return NUMBER;
      case 'boolean':
        return '(?:true|false)';
      default:
        if (isObject(value)) return objectPattern(value, UNREAD);
        return Array.isArray(value) ? `\\[${value.map(unread).join(',')}\\]` : asWritten(value);
    }
  }

  function timePattern(value: unknown): string {
    if (typeof value !== 'number' && typeof value !== 'string') throw new Unusual();
    return typeof value === 'number' ? caught(DECIMAL, value, 'time') : `"${caught(PLAIN, value, 'time')}"`;
  }

  function passed(field: PassedField, factor: number, value: unknown): string {
    const what = (text: string | number): Passed => ({ field, factor, value: text });
    const isId = field === 'jobs' || field === 'bareId';
    const isWhole = isId || field === 'attempt' || field === 'pid';
    if (typeof value === 'string' && isId) return `"${caught(ID, value, what(value))}"`;
    if (typeof value === 'string' && field === 'host') return `"${caught(PLAIN, value, what(value))}"`;
    // An attempt or a progress in words: seldom more than a few of them.
    if (typeof value !== 'number' || field === 'host') return asWritten(value);
    return caught(isWhole ? WHOLE : DECIMAL, value, what(value));
  }

  /** A group for the value, if it is one that the pattern lets through; else the value as it is written. */
  function caught(pattern: string, value: string | number, what: Caught): string {
    if (new RegExp(`^${pattern}$`).test(String(value))) {
      groups.push(what);
      return `(${pattern})`;
    }
    if (what === 'time') throw new Unusual();
    return literal(typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : String(value));
  }

  try {
    const pattern = `^${objectPattern(object, { as: 'record', depth: 0 })}$`;
    const last = Object.keys(object).at(-1) ?? '';
    const hasEnd = looks.keys.has(last) && last !== looks.timeKey;
    return groups.includes('time') ? { pattern, groups, hasEnd } : undefined;
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

const asWritten = (value: unknown): string => literal(JSON.stringify(value));

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
