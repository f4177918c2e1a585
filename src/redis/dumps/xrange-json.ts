/**
 * An events stream as JSON, in the shapes in which people save it:
 *
 *   [["<id>", ["event", "active", "jobId", "1"]], …]      XRANGE of redis-cli --json, ioredis
 *   [["<id>", {"event": "active", "jobId": "1"}], …]
 *   [{"id": "<id>", "message": {"event": "active"}}, …]   node-redis
 *   {"<key>": [["<id>", […]], …]}                         XREAD in RESP3
 *   [["<key>", [["<id>", […]], …]]]                       XREAD in RESP2
 *
 * Read with stream-json at any size: an entry is told and forgotten as soon as it closes, so memory stays that of one
 * entry, and what stood before a damage is kept.
 */
import { jsonParser, type Token } from 'stream-json/parser.js';
import type { Damage, Detection, SourceReader } from '../../model/evidence.js';
import { CustomEvents } from '../custom-events.js';
import { parseQueueKey, splitBase } from '../keyspace.js';
import { PrefixGate } from '../prefix-gate.js';
import { ByteWindow } from '../rdb/window.js';
import { entryToEvent } from '../to-events.js';
import { JsonPieces } from './json-pieces.js';
import { parseStreamId } from './stream-id.js';

/** Where an entry object of node-redis or a dump tool keeps its fields. */
const FIELD_MEMBERS = ['message', 'fields', 'values', 'items'] as const;
/** A document of another kind would pile up values that are no entries. */
const MAX_LOOSE_VALUES = 100_000;
/** XREAD of several keys needs seven levels. */
const MAX_DEPTH = 64;

/** The first entry of a document, after its opening brackets and, for XREAD, the key. */
const FIRST_ENTRY =
  /^\s*(?:\[\s*|\{\s*)(?:\[\s*)?(?:"(?:[^"\\]|\\.){0,500}"\s*[:,]\s*\[\s*)?[[{]\s*(?:"id"\s*:\s*)?"\d{1,16}-\d{1,16}"/;

function detect(head: Uint8Array): Detection | undefined {
  const first = head.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
  if (first !== 0x5b && first !== 0x7b) return undefined;
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 16 * 1024)).toString('utf8');
  if (!FIRST_ENTRY.test(text.replace(/^\uFEFF/, ''))) return undefined;
  const isEvents = /"event"/.test(text);
  return {
    format: 'xrange-json',
    score: isEvents ? 0.95 : 0.5,
    reason: 'JSON array whose entries begin with a stream id, as XRANGE answers',
  };
}

/** A JSON array or object that is still open. */
interface Frame {
  readonly isArray: boolean;
  readonly items: unknown[];
  readonly members: Map<string, unknown>;
  /** Key of the member being read. */
  key: string;
  /** Byte offset of the entry's id, if this is an entry. */
  offset: number;
}

interface Entry {
  readonly ms: number;
  readonly seq: number;
  readonly offset: number;
  readonly fields: ReadonlyMap<string, string>;
}

type OnEntry = (entry: Entry, key: string | undefined) => void;

/** Puts the parser's tokens together, and gives every entry away instead of keeping it. */
class EntryAssembler {
  readonly #stack: Frame[] = [];
  readonly #onEntry: OnEntry;
  readonly #offsetOf: (text: string) => number;
  #loose = 0;

  /** @param offsetOf where a string that was just read stands in the file. */
  constructor(onEntry: OnEntry, offsetOf: (text: string) => number) {
    this.#onEntry = onEntry;
    this.#offsetOf = offsetOf;
  }

  get isOpen(): boolean {
    return this.#stack.length > 0;
  }

  take(token: Token): void {
    switch (token.name) {
      case 'startArray':
      case 'startObject':
        if (this.#stack.length >= MAX_DEPTH) throw new Error('it is nested deeper than stream entries are');
        this.#stack.push({ isArray: token.name === 'startArray', items: [], members: new Map(), key: '', offset: -1 });
        break;
      case 'endArray':
      case 'endObject': {
        const frame = this.#stack.pop();
        if (frame) this.#close(frame);
        break;
      }
      case 'keyValue': {
        const frame = this.#stack.at(-1);
        if (frame) frame.key = token.value;
        break;
      }
      case 'stringValue':
      case 'numberValue':
        this.#put(token.value);
        break;
      case 'trueValue':
      case 'falseValue':
      case 'nullValue':
        this.#put(String(token.value));
        break;
      default:
    }
  }

  #close(frame: Frame): void {
    const entry = toEntry(frame);
    if (entry) this.#onEntry(entry, this.#enclosingKey());
    else this.#put(frame.isArray ? frame.items : frame.members);
  }

  #put(value: unknown): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) return;
    const mayBeId = frame.isArray ? frame.items.length === 0 : frame.key === 'id';
    if (mayBeId && typeof value === 'string' && parseStreamId(value)) frame.offset = this.#offsetOf(value);
    if (frame.isArray) frame.items.push(value);
    else frame.members.set(frame.key, value);
    if (this.#stack.length === 1 && ++this.#loose > MAX_LOOSE_VALUES) {
      throw new Error('it holds something else than stream entries');
    }
  }

  /** The stream's key: the name of the member that holds the entries, or the string before them. */
  #enclosingKey(): string | undefined {
    const around = this.#stack.at(-2);
    if (around === undefined) return undefined;
    if (!around.isArray) return around.key;
    const before = around.items[0];
    return typeof before === 'string' ? before : undefined;
  }
}

function toEntry(frame: Frame): Entry | undefined {
  const id = frame.isArray ? frame.items[0] : frame.members.get('id');
  const parts = typeof id === 'string' ? parseStreamId(id) : undefined;
  if (parts === undefined) return undefined;
  const content = frame.isArray
    ? frame.items[1]
    : FIELD_MEMBERS.map((member) => frame.members.get(member)).find((member) => member !== undefined);
  const fields = toFields(content);
  return fields && { ...parts, offset: frame.offset, fields };
}

function toFields(content: unknown): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  if (Array.isArray(content)) {
    for (let i = 0; i + 1 < content.length; i += 2) {
      const name: unknown = content[i];
      const value: unknown = content[i + 1];
      if (typeof name === 'string' && typeof value === 'string' && !fields.has(name)) fields.set(name, value);
    }
    return fields;
  }
  if (!(content instanceof Map)) return undefined;
  for (const [name, value] of content) {
    if (typeof name === 'string' && typeof value === 'string') fields.set(name, value);
  }
  return fields;
}

/** `<prefix>:<queue>`, if the document names the key of an events stream. */
function baseOf(key: string | undefined): string | undefined {
  const found = key === undefined ? undefined : parseQueueKey(key, 'stream');
  return found?.what === 'events' ? found.base : undefined;
}

/** Feeds the document to the parser. Returns what is wrong with it, if anything. */
async function parse(input: ByteWindow, onEntry: OnEntry, settle: () => Promise<void>): Promise<Damage | undefined> {
  const pieces = new JsonPieces(input, ']');
  const assembler = new EntryAssembler(onEntry, (text) => pieces.offsetOf(text));
  const parser = jsonParser({ packValues: true, streamValues: false, jsonStreaming: true });
  let ended = false;
  let isFirst = true;
  while (!ended) {
    // One byte more than there is: whatever comes next.
    input.has(input.end - input.pos + 1);
    ended = !(await input.fill());
    await settle();
    for (let text = pieces.next(ended); text !== undefined; text = pieces.next(ended)) {
      if (isFirst) text = text.replace(/^\uFEFF/, '');
      isFirst = false;
      try {
        const tokens = parser(text);
        if (typeof tokens === 'symbol') continue;
        for (const token of tokens.values) assembler.take(token);
      } catch (error) {
        return {
          what: `not JSON from here on: ${error instanceof Error ? error.message : error}`,
          offset: input.offset,
        };
      }
    }
  }
  if (input.sourceError !== undefined)
    return { what: `the source broke off: ${input.sourceError}`, offset: input.offset };
  if (assembler.isOpen) return { what: 'the JSON ends early; the entries before were kept', offset: input.offset };
  return undefined;
}

/** Reads an events stream saved as JSON. Events carry a queue only where the document names the stream's key. */
export const xrangeJsonReader: SourceReader = {
  name: 'xrange-json',
  detect,
  async read(blocks, sink, options) {
    const input = new ByteWindow(blocks);
    const custom = new CustomEvents();
    const gate = new PrefixGate(options.prefix);
    let entries = 0;
    const damage = await parse(
      input,
      ({ ms, seq, offset, fields }, key) => {
        entries++;
        const base = baseOf(key);
        if (base !== undefined && !gate.covers(`${base}:`)) {
          gate.leave(base);
          return;
        }
        const name = base === undefined ? {} : { name: splitBase(base, options.prefix) };
        const place = { ...name, ms, seq, offset, deleted: false };
        const event = entryToEvent(place, (field) => fields.get(field));
        if (event) sink.event(event);
        else custom.count(fields.get('event') ?? '', seq);
      },
      () => sink.settle(),
    );
    await input.drain();
    return {
      kind: 'redis',
      format: 'xrange-json',
      reason: 'JSON whose entries begin with a stream id, as XRANGE answers',
      records: entries,
      understood: entries - custom.total,
      damage: damage ? [damage] : [],
      limits: gate.limits(),
      assumptions: [],
      unknownShapes: custom.shapes(),
    };
  },
};
