/** One call of a script, as the client sent it: kept until its last line is known, and taken apart only if that matters. */
import { MonitorLine } from './monitor-line.js';
import { type Packed, unpack } from './msgpack.js';
import { type ScriptName, type ScriptNames, scriptByKeys } from './script-names.js';

/** Of a longer line only the front is kept; its arguments are then not known. */
const MAX_KEPT = 1024 * 1024;
const START_CAPACITY = 64 * 1024;
/** Scripts that take the token right behind the job's id, unpacked. */
const TOKEN_BEHIND_ID: ReadonlySet<ScriptName> = new Set(['moveToDelayed', 'retryJob', 'moveJobFromActiveToWait']);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export class ScriptCall {
  name: ScriptName = 'other';
  keys: readonly string[] = [];
  readonly #names: ScriptNames;
  readonly #line = new MonitorLine();
  #bytes = Buffer.allocUnsafeSlow(START_CAPACITY);
  #argsAt = 0;
  #isParsed = false;
  #isOpen = false;

  constructor(names: ScriptNames) {
    this.#names = names;
  }

  /** Keeps the line `[from, to)`. A full text is learned at once, since its hash is used from then on. */
  take(bytes: Buffer, from: number, to: number): void {
    const length = Math.min(to - from, MAX_KEPT);
    if (length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(2 * length);
    bytes.copy(this.#bytes, 0, from, from + length);
    this.#isParsed = false;
    this.#isOpen = this.#line.take(this.#bytes, 0, length);
    this.name = 'other';
    this.keys = [];
    if (this.#isOpen && this.#line.parse(2) && this.#line.isVerb('eval')) this.#names.learn(this.#line.raw(1));
  }

  /** Address of the client. */
  get client(): string {
    return this.#line.source;
  }

  /** Finds out which script it is and what it was given. */
  parse(): this {
    if (this.#isParsed) return this;
    this.#isParsed = true;
    const line = this.#line;
    if (!this.#isOpen || !line.parse()) {
      line.count = 0;
      return this;
    }
    const keyCount = Number(line.text(2));
    if (!Number.isSafeInteger(keyCount) || keyCount < 0 || 3 + keyCount > line.count) {
      line.count = 0;
      return this;
    }
    this.#argsAt = 3 + keyCount;
    this.keys = Array.from({ length: keyCount }, (_, i) => line.text(3 + i));
    const known = line.isVerb('eval') ? this.#names.learn(line.raw(1)) : this.#names.bySha(line.text(1));
    this.name = known ?? scriptByKeys(this.keys, this.arg(0));
    return this;
  }

  arg(index: number): string {
    return this.#line.text(this.#argsAt + index);
  }

  /** An argument that is a whole number and nothing else; -1 where it is none. */
  number(index: number): number {
    return this.#line.number(this.#argsAt + index);
  }

  /** Whether the bytes of any argument hold this ASCII text. */
  mentions(ascii: string): boolean {
    for (let i = this.#argsAt; i < this.#line.count; i++) if (this.#line.raw(i).includes(ascii)) return true;
    return false;
  }

  /** An argument that is packed; undefined if it is not. */
  packed(index: number): Packed | undefined {
    return unpack(this.#line.raw(this.#argsAt + index));
  }

  /** The token of the job's owner that the script was given. */
  token(job: string): string | undefined {
    this.parse();
    if (this.name === 'extendLock') return this.arg(0);
    if (this.name === 'extendLocks') return this.#tokenOfRenewal(job);
    if (this.name === 'moveToWaitingChildren') return this.arg(0);
    const count = this.#line.count - this.#argsAt;
    for (let i = 0; i < count; i++) {
      if (TOKEN_BEHIND_ID.has(this.name)) {
        if (this.arg(i) === job) return this.arg(i + 1);
        continue;
      }
      const options = this.packed(i);
      const token = options instanceof Map ? options.get('token') : undefined;
      if (typeof token === 'string') return token;
    }
    return this.#tokenOfBull(job);
  }

  /** Bull's moveToFinished takes it unpacked: id, time, property, value, token (Bull 3 and 4). */
  #tokenOfBull(job: string): string | undefined {
    const isIts = this.arg(0) === job && (this.arg(2) === 'returnvalue' || this.arg(2) === 'failedReason');
    return isIts && UUID.test(this.arg(4)) ? this.arg(4) : undefined;
  }

  #tokenOfRenewal(job: string): string | undefined {
    const tokens = this.packed(1);
    const jobs = this.packed(2);
    if (!Array.isArray(tokens) || !Array.isArray(jobs)) return undefined;
    const token: unknown = tokens[jobs.indexOf(job)];
    return typeof token === 'string' ? token : undefined;
  }
}
