/** The keys of a dump, in each of the three layouts. */

import type { QueueKeys } from '../../queue-keys.js';
import type { Built, ChildHandler } from './child-stream.js';
import { expiryOf } from './expiry.js';
import { KeyValue } from './key-value.js';
import type { Shape } from './shape.js';
import { escapedBytes, utf8Bytes } from './text-bytes.js';

/** Members of a record that hold the value, by type and tool. */
const VALUES: ReadonlySet<string> = new Set(['value', 'values', 'members', 'hash', 'entries']);
const EXPIRIES: ReadonlySet<string> = new Set(['expiry', 'expiration', 'ttl']);
const LOCK = /:lock$/;

const EXPIRY = 'expiry of a lock';
const LEFT_OUT = 'left out by the tool';

export interface DumpContext {
  readonly keys: QueueKeys;
  /** When the dump was written, ms UTC, as far as the file tells. */
  readonly dumpedMs: number | undefined;
  /** Where in the file a key stands that was just read. */
  readonly offsetOf: (key: string) => number;
  /** Something that the tool does not tell: a title, and a sentence. */
  readonly note: (what: string, detail: string, offset: number) => void;
  /** A time was reckoned from that of the file. */
  readonly usedFileTime: () => void;
}

/** The handler for a layout, and how many arrays or objects stand around what it handles. */
export function dumpKeys(
  shape: Shape,
  context: DumpContext,
): { readonly handler: ChildHandler; readonly level: number } {
  const around = shape.isArray ? 1 : 0;
  switch (shape.layout) {
    case 'flat':
      return { handler: new FlatKeys(context), level: around };
    case 'typed':
      return { handler: new RecordKeys(context, true), level: around + 1 };
    case 'records':
      return { handler: new RecordKeys(context, false), level: around };
  }
}

const offsetIn = ({ offsetOf }: DumpContext, key: string): number =>
  key.includes(':') ? offsetOf(JSON.stringify(key).slice(1, -1)) : -1;

/** One object a key. */
class RecordKeys implements ChildHandler {
  readonly #context: DumpContext;
  readonly #isTyped: boolean;
  readonly #value: KeyValue;
  #key: string | undefined;
  #db = 0;
  #offset = -1;
  #type = '';
  #text: string | undefined;
  #expiry: readonly [string, string] | undefined;

  /** @param isTyped the key is the name of the member in which the object stands. */
  constructor(context: DumpContext, isTyped: boolean) {
    this.#context = context;
    this.#isTyped = isTyped;
    this.#value = new KeyValue(context.keys, { toBytes: utf8Bytes, scoreFirst: isTyped });
  }

  begin(name: string): void {
    this.#key = undefined;
    this.#db = 0;
    this.#type = '';
    this.#text = undefined;
    this.#expiry = undefined;
    if (this.#isTyped) this.#begin(name);
  }

  scalar(name: string, value: string | undefined): void {
    if (value === undefined) return;
    if (name === 'key' && this.#key === undefined) this.#begin(value);
    else if (name === 'db') this.#db = Number(value) || 0;
    else if (name === 'value') this.#text = value;
    else if (EXPIRIES.has(name)) this.#expiry = [name, value];
    else if (name === 'type') {
      this.#type = value;
      this.#value.type = value;
    } else this.#value.state(name, value);
  }

  open(name: string, isArray: boolean): boolean {
    return this.#key !== undefined && VALUES.has(name) && this.#value.isWanted(isArray);
  }

  child(name: string, value: Built): void {
    this.#value.element(name, value);
  }

  descends(): boolean {
    return false;
  }

  close(): void {}

  end(): void {
    const text = this.#text;
    const key = this.#key;
    if (key === undefined) return;
    if (this.#type === 'aux') this.#context.keys.aux(key, text ?? '');
    else if (text === undefined) this.#value.end();
    else if (this.#type === 'stream' || (this.#type === '' && key.endsWith(':events'))) {
      const detail = `the tool wrote the stream ${key} as a DUMP payload, which was not read`;
      this.#context.note(LEFT_OUT, detail, this.#offset);
    } else this.#value.string(text, LOCK.test(key) ? this.#expiresAtMs(key) : undefined);
  }

  #begin(key: string): void {
    this.#key = key;
    this.#offset = offsetIn(this.#context, key);
    this.#value.begin(key, this.#db, this.#offset);
    if (this.#type !== '') this.#value.type = this.#type;
  }

  #expiresAtMs(key: string): number | undefined {
    if (this.#expiry === undefined) return undefined;
    const { atMs, isRelative } = expiryOf(...this.#expiry, this.#context.dumpedMs);
    if (isRelative) {
      if (atMs !== undefined) this.#context.usedFileTime();
      const what =
        atMs === undefined
          ? `the time to live of ${key} counts from the dump, whose time is not known: its expiry is unknown`
          : `the expiry of ${key} is reckoned from its time to live and the time of the file: it is not exact`;
      this.#context.note(EXPIRY, what, this.#offset);
    }
    return atMs;
  }
}

/** One object a database, with the keys as its members. These tools write no times to live. */
class FlatKeys implements ChildHandler {
  readonly #context: DumpContext;
  readonly #value: KeyValue;
  /** Databases in their order; the dump does not give their numbers. */
  #db = -1;
  #key = '';
  #offset = -1;
  #children = 0;

  constructor(context: DumpContext) {
    this.#context = context;
    this.#value = new KeyValue(context.keys, { toBytes: escapedBytes, scoreFirst: false });
  }

  begin(): void {
    this.#db++;
    if (this.#db !== 1) return;
    const detail = 'the tool does not tell the numbers of databases: they are counted from 0 in the order of the file';
    this.#context.note(LEFT_OUT, detail, -1);
  }

  scalar(name: string, value: string | undefined): void {
    if (value === undefined) return;
    this.#begin(name);
    if (LOCK.test(this.#key)) {
      this.#context.note(
        EXPIRY,
        'the tool wrote no times to live: whether locks had run out is not known',
        this.#offset,
      );
    }
    this.#value.string(value, undefined);
  }

  open(name: string, isArray: boolean): boolean {
    this.#begin(name);
    return name === '__aux__' || this.#value.isWanted(isArray);
  }

  child(name: string, value: Built): void {
    this.#children++;
    if (this.#key !== '__aux__') this.#value.element(name, value);
    else if (typeof value === 'string') this.#context.keys.aux(name, value);
  }

  descends(name: string): boolean {
    return name === 'entries' && this.#value.isStream;
  }

  close(): void {
    if (this.#key.endsWith(':events') && this.#children === 0) {
      this.#context.note(LEFT_OUT, `the tool left out what the stream ${this.#key} held`, this.#offset);
    }
    this.#value.end();
  }

  end(): void {}

  #begin(name: string): void {
    this.#key = escapedBytes(name).toString('utf8');
    this.#offset = offsetIn(this.#context, name);
    this.#children = 0;
    this.#value.begin(this.#key, Math.max(0, this.#db), this.#offset);
  }
}
