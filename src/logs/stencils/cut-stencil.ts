/**
 * Cuts the stencil of a JSON line: holes where a value is not looked at (`fields/roles.ts` gives its name no meaning, and no
 * format reads it) or is only passed on (an id, an attempt, an amount); everything else stays as it is written.
 */
import { MAX_DEPTH, MAX_KEYS, PAYLOAD_ROLES } from '../fields/collect.js';
import { type Role, roleOf } from '../fields/roles.js';
import { fill, type Hole } from './holes.js';
import { skipString, skipValue } from './json-bytes.js';
import type { Step } from './stencil-tree.js';

/** The fields whose values are passed on. */
export type PassedField = 'jobs' | 'bareId' | 'attempt' | 'durationMs' | 'progress';

export interface Passed {
  readonly field: PassedField;
  /** Number of its hole. */
  readonly hole: number;
  /** What stands there in the line that was cut. */
  readonly value: string;
  /** What the field is multiplied with. */
  readonly factor: number;
}

export interface Cut {
  readonly steps: readonly Step[];
  readonly passed: readonly Passed[];
  /** Number of the hole of the record's time. */
  readonly time: number;
}

/** What reading looks at, besides fields of a role. */
export interface Looks {
  /** Key of the time, outermost object. */
  readonly timeKey: string;
  /** Keys of the outermost object that decide on format, time, level and message. */
  readonly keys: ReadonlySet<string>;
  /** Keys looked at in an object that is a job. */
  readonly jobKeys: ReadonlySet<string>;
}

const FIELDS: Readonly<Partial<Record<Role, PassedField>>> = {
  job: 'jobs',
  jobs: 'jobs',
  'job-object': 'jobs',
  'bare-id': 'bareId',
  attempt: 'attempt',
  duration: 'durationMs',
  'duration-seconds': 'durationMs',
  progress: 'progress',
};
const HOLES: Readonly<Record<PassedField, Hole>> = {
  jobs: 'id',
  bareId: 'id',
  attempt: 'whole',
  durationMs: 'number',
  progress: 'number',
};
/** Roles of objects in which something is looked for by its own rules; those stay as they are. */
const READ_INSIDE: ReadonlySet<Role | null> = new Set<Role | null>(['queue', 'worker', 'progress', 'error']);
const UNREAD_INSIDE: ReadonlySet<Role | null> = new Set<Role | null>(['request', 'job-shape', 'skip']);

/** How the fields around a value are read. */
interface Around {
  readonly depth: number;
  readonly only?: ReadonlySet<Role>;
  readonly isJob?: true;
}

/** Undefined where the line is too unusual; `line` is a JSON object in printable ASCII. */
export function cutStencil(line: string, looks: Looks): Cut | undefined {
  return new Cutter(line, looks).cut();
}

const QUOTE = 34;
const OPEN_LIST = 91;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

class Cutter {
  readonly #line: string;
  readonly #looks: Looks;
  readonly #bytes: Uint8Array;
  readonly #steps: Step[] = [];
  readonly #passed: Passed[] = [];
  /** Fields that some value of the line belongs to. */
  readonly #given = new Set<PassedField>();
  #time = -1;
  /** Offset of the text that is in no step yet. */
  #from = 0;

  constructor(line: string, looks: Looks) {
    this.#line = line;
    this.#looks = looks;
    this.#bytes = Uint8Array.from(`${line}\n`, (char) => char.charCodeAt(0));
  }

  cut(): Cut | undefined {
    const end = this.#object(0, { depth: 0 });
    if (end !== this.#line.length || this.#time < 0) return undefined;
    this.#steps.push({ text: this.#line.slice(this.#from), hole: 'end' });
    return { steps: this.#steps, passed: this.#passed, time: this.#time };
  }

  /** Offset behind the object at `at`; -1 where no stencil is possible. */
  #object(at: number, around: Around): number {
    const keys = new Set<string>();
    let next = this.#spaces(at + 1);
    if (this.#bytes[next] === CLOSE_OBJECT) return next + 1;
    for (;;) {
      const keyEnd = skipString(this.#bytes, next);
      const key = this.#line.slice(next + 1, keyEnd - 1);
      // Of a repeated key the last counts, and not all of too many.
      if (keyEnd < 0 || key.includes('\\') || keys.has(key) || keys.size >= MAX_KEYS) return -1;
      keys.add(key);
      const end = this.#value(key, this.#spaces(this.#spaces(keyEnd) + 1), around);
      if (end < 0) return -1;
      const after = this.#spaces(end);
      if (this.#bytes[after] === CLOSE_OBJECT) return after + 1;
      next = this.#spaces(after + 1);
    }
  }

  #spaces(at: number): number {
    let end = at;
    while (this.#bytes[end] === 32) end++;
    return end;
  }

  #value(key: string, at: number, around: Around): number {
    const end = skipValue(this.#bytes, at);
    if (end < 0) return -1;
    const first = this.#bytes[at] ?? 0;
    const isPlain = first === QUOTE || first === 45 || (first >= 48 && first <= 57);
    if (around.depth === 0) {
      if (key === this.#looks.timeKey) return this.#timeHole(at, end, first);
      if (this.#looks.keys.has(key)) return end;
    }
    if (around.isJob) {
      if (key === 'id' && isPlain) return this.#pass('jobs', 1, at, end);
      return this.#looks.jobKeys.has(key) ? end : this.#hole(first === OPEN_OBJECT ? 'object' : 'unread', at, end);
    }
    const role = roleOf(key);
    if (first === OPEN_OBJECT) return this.#inner(key, role, at, end, around);
    const isUnread = role === null || role === 'skip' || (around.only !== undefined && !around.only.has(role));
    if (isUnread && role !== 'jobs') return this.#hole('unread', at, end);
    const field = FIELDS[role ?? 'skip'];
    if (field !== undefined) {
      const isGivenTwice = this.#given.has(field);
      this.#given.add(field);
      // Which of the two counts is not for this place to say.
      if (isGivenTwice) return -1;
      return isPlain && role !== 'jobs' ? this.#pass(field, role === 'duration-seconds' ? 1000 : 1, at, end) : end;
    }
    return isPlain && (role === 'request' || role === 'job-shape') ? this.#hole('scalar', at, end) : end;
  }

  #inner(key: string, role: Role | null, at: number, end: number, { depth, only }: Around): number {
    if (depth >= MAX_DEPTH) return this.#hole('object', at, end);
    if (role === 'skip' && (key === 'message' || key === 'msg')) return end;
    if (UNREAD_INSIDE.has(role)) return this.#hole('object', at, end);
    if (role === 'job-object') {
      for (const field of ['jobs', 'attempt', 'progress'] as const) {
        if (this.#given.has(field)) return -1;
        this.#given.add(field);
      }
      return this.#object(at, { depth: depth + 1, isJob: true });
    }
    if (role === 'progress' && this.#given.has('progress')) return -1;
    if (role === 'progress') this.#given.add('progress');
    if (READ_INSIDE.has(role) || key === 'host' || key === 'process') return end;
    const inside = role === 'payload' ? PAYLOAD_ROLES : only;
    return this.#object(at, inside === undefined ? { depth: depth + 1 } : { depth: depth + 1, only: inside });
  }

  #timeHole(at: number, end: number, first: number): number {
    if (first === OPEN_LIST || first === OPEN_OBJECT) return -1;
    const number = this.#steps.length;
    const timeEnd = first === QUOTE ? this.#inText('text', at, end) : this.#hole('number', at, end);
    if (this.#steps.length > number) this.#time = number;
    return timeEnd;
  }

  #pass(field: PassedField, factor: number, at: number, end: number): number {
    const hole = HOLES[field];
    const isText = this.#bytes[at] === QUOTE;
    // An attempt or a progress in words: seldom more than a few of them.
    if (isText && hole !== 'id') return end;
    const number = this.#steps.length;
    const passedEnd = isText ? this.#inText('id', at, end) : this.#hole(hole === 'id' ? 'whole' : hole, at, end);
    const value = this.#line.slice(isText ? at + 1 : at, isText ? end - 1 : end);
    if (this.#steps.length > number) this.#passed.push({ field, hole: number, value, factor });
    return passedEnd;
  }

  #inText(hole: Hole, at: number, end: number): number {
    this.#hole(hole, at + 1, end - 1);
    return end;
  }

  /** Makes a hole of the value, if it is one that fills it; else it stays as it is written. */
  #hole(hole: Hole, at: number, end: number): number {
    if (fill(hole, this.#bytes, at) !== end) return end;
    this.#steps.push({ text: this.#line.slice(this.#from, at), hole });
    this.#from = end;
    return end;
  }
}
