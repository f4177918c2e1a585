/**
 * Reads an RDB file (Redis rdb.c: rdbLoadRioWithLoadingCtx), versions 1 to 15 of Redis and Valkey's own numbering.
 *
 * The parser is a generator that runs synchronously over the window and yields only when bytes run out. Whatever goes
 * wrong (cut off, damaged, a type of tomorrow) ends the reading; what was handed out until then stands.
 */
import { byteAt } from './byte-at.js';
import { CorruptRdb, UnknownRdbPart } from './corrupt.js';
import type { RdbFlavour, RdbHandler, RdbKey, RdbKind, RdbValueSink } from './handler.js';
import { skipModuleParts } from './module.js';
import { awaitString, type RdbInput, skipBytes, skipString } from './rdb-input.js';
import { RdbString } from './rdb-string.js';
import { readHash, readValue } from './read-value.js';
import { skipValue } from './skip-value.js';
import { HASH, HASH_LAYOUT, layoutOf } from './types.js';

const TWO_32 = 4294967296;
const MAGIC_BYTES = 9;
/** CRC64 stands at the end since this version. */
const FIRST_WITH_CHECKSUM = 5;
const MAX_NAMED_BYTES = 200;

const OPCODE = {
  enterpriseRamLru: 107,
  enterpriseSlot: 121,
  keyMetaOrSlotImport: 243,
  slotInfo: 244,
  function2: 245,
  functionPreGa: 246,
  moduleAux: 247,
  idle: 248,
  freq: 249,
  aux: 250,
  resizeDb: 251,
  expireMs: 252,
  expireSeconds: 253,
  selectDb: 254,
  eof: 255,
} as const;

export interface RdbMagic {
  readonly flavour: RdbFlavour;
  readonly version: number;
  /** As it stands in the file, such as `REDIS0010`. */
  readonly text: string;
}

export interface RdbResult {
  /** Absent: the file does not begin like an RDB. */
  readonly magic?: RdbMagic;
  readonly keys: number;
  /** Databases that hold a key, in file order. */
  readonly databases: readonly number[];
  /** `whole`: the end mark was reached. `unknown`: a type or opcode this reader has no layout for. */
  readonly ended: 'whole' | 'truncated' | 'corrupt' | 'unknown';
  /** `unchecked`: not reached. `absent`: an old version, or checksums were switched off. */
  readonly checksum: 'ok' | 'wrong' | 'absent' | 'unchecked';
  /** Offset where the reading ended, after the checksum if the file is whole. */
  readonly offset: number;
  /** What was wrong, as a plain half sentence. */
  readonly problem?: string;
  /** The key being read when it ended, or the last one before. Cut to 200 bytes; absent where its name was unreadable. */
  readonly lastKey?: string;
  /** Wanted parts of values that were damaged in themselves, or too long to be kept: how many, and the first of them. */
  readonly lostCount: number;
  readonly lost: readonly { readonly what: string; readonly offset: number }[];
  /** The reading ended within that key's value. */
  readonly insideKey: boolean;
}

/** The magic of an RDB at the start of `bytes`; undefined if it is none. */
export function rdbMagic(bytes: Uint8Array): RdbMagic | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAGIC_BYTES)).toString('latin1');
  const redis = /^REDIS(\d{4})$/.exec(text);
  if (redis) return { flavour: 'redis', version: Number(redis[1]), text };
  const valkey = /^VALKEY(\d{3})$/.exec(text);
  return valkey ? { flavour: 'valkey', version: Number(valkey[1]), text } : undefined;
}

/**
 * Reads from `input` up to the end of the RDB and leaves it there, so that commands appended to an RDB preamble can be
 * read on. Never throws on bad input. Errors of `handler` and `settle` pass through.
 *
 * @param settle awaited at every refill, so that a slow consumer can hold the reading back.
 */
export async function readRdb(
  input: RdbInput,
  handler: RdbHandler,
  settle: () => Promise<void> = async () => {},
): Promise<RdbResult> {
  const parser = new RdbParser(input, handler);
  const steps = parser.parse();
  try {
    while (!steps.next().done) {
      parser.rememberKey();
      await settle();
      if (!(await input.fill())) return parser.result('truncated', 'the file ends early');
    }
  } catch (error) {
    if (!(error instanceof CorruptRdb)) throw error;
    return parser.result(error instanceof UnknownRdbPart ? 'unknown' : 'corrupt', error.message);
  }
  return parser.result('whole', undefined);
}

class RdbParser implements RdbKey {
  // The key at hand, as handlers see it.
  readonly name = new RdbString();
  db = 0;
  kind: RdbKind = 'string';
  type = 0;
  expiresAtMs: number | undefined;
  offset = 0;

  #magic: RdbMagic | undefined;
  #keys = 0;
  #recordStart = 0;
  readonly #databases: number[] = [];
  #checksum: RdbResult['checksum'] = 'unchecked';
  #insideKey = false;
  /** `name` still shows the last key; after a refill only `#lastKey` does. */
  #nameIsFresh = false;
  #lastKey: string | undefined;
  readonly #part = new RdbString();
  readonly #input: RdbInput;
  readonly #handler: RdbHandler;

  constructor(input: RdbInput, handler: RdbHandler) {
    this.#input = input;
    this.#handler = handler;
  }

  /** Keeps the name of the last key as text, before the window moves from under it. */
  rememberKey(): void {
    if (!this.#nameIsFresh) return;
    this.#nameIsFresh = false;
    this.#lastKey = this.name.textUpTo(MAX_NAMED_BYTES);
  }

  result(ended: RdbResult['ended'], problem: string | undefined): RdbResult {
    this.rememberKey();
    return {
      keys: this.#keys,
      databases: this.#databases,
      ended,
      checksum: this.#checksum,
      offset: this.#input.offset,
      insideKey: this.#insideKey,
      lostCount: this.#input.lostCount,
      lost: this.#input.lost,
      ...(this.#magic ? { magic: this.#magic } : {}),
      ...(problem === undefined ? {} : { problem }),
      ...(this.#lastKey === undefined ? {} : { lastKey: this.#lastKey }),
    };
  }

  *parse(): Generator<undefined, void> {
    const input = this.#input;
    while (!input.has(MAGIC_BYTES)) yield;
    this.#magic = rdbMagic(input.bytes.subarray(input.pos, input.pos + MAGIC_BYTES));
    if (!this.#magic) throw new CorruptRdb('it does not start with REDIS and four digits');
    input.pos += MAGIC_BYTES;
    const { flavour, version } = this.#magic;
    this.#recordStart = input.offset;
    for (;;) {
      const rest = this.#readHashes();
      if (rest) {
        yield* rest;
        this.#endKey();
      }
      while (!input.has(1)) yield;
      const code = byteAt(input.bytes, input.pos);
      const layout = layoutOf(code, flavour);
      if (layout === undefined) {
        if (code === OPCODE.eof) break;
        const isPrefix = yield* this.#opcode(code);
        if (!isPrefix) {
          this.#recordStart = input.offset;
          this.expiresAtMs = undefined;
        }
        continue;
      }
      input.pos++;
      const named = input.tryString(this.name) || (yield* awaitString(input, this.name));
      const sink = this.#startKey(code, layout.kind, named);
      if (sink) yield* readValue(input, layout, sink);
      else if (layout.of !== 'string' || !input.trySkipString()) yield* skipValue(input, layout);
      this.#endKey();
    }
    input.pos++;
    yield* this.#verifyChecksum(version);
  }

  /**
   * Reads plain hashes, as nearly all keys of a queue are, up to another kind of key or the end of the window.
   *
   * A method of its own, as each rare kind of key that passed through the same code made V8 compile the inner loop again.
   *
   * @returns what is left to do for the hash at hand, or undefined after a whole one.
   */
  #readHashes(): Generator<undefined, void> | undefined {
    const input = this.#input;
    while (input.has(1) && byteAt(input.bytes, input.pos) === HASH) {
      const start = input.pos++;
      if (!input.tryString(this.name)) {
        input.retryFrom(start);
        return undefined;
      }
      const sink = this.#startKey(HASH, 'hash', true);
      const rest = sink ? readHash(input, this.#part, sink) : skipValue(input, HASH_LAYOUT);
      if (rest) return rest;
      this.#endKey();
    }
    return undefined;
  }

  /** Asks the handler about the key at hand. A name too long to be kept is no queue's. */
  #startKey(type: number, kind: RdbKind, named: boolean): RdbValueSink | undefined {
    this.offset = this.#recordStart;
    this.type = type;
    this.kind = kind;
    this.#nameIsFresh = named;
    if (!named) this.#lastKey = undefined;
    this.#insideKey = true;
    if (this.#databases[this.#databases.length - 1] !== this.db) this.#databases.push(this.db);
    return named ? this.#handler.key?.(this) : undefined;
  }

  #endKey(): void {
    this.#insideKey = false;
    this.#keys++;
    this.expiresAtMs = undefined;
    this.#recordStart = this.#input.offset;
  }

  *#verifyChecksum(version: number): Generator<undefined, void> {
    const input = this.#input;
    if (version < FIRST_WITH_CHECKSUM) {
      this.#checksum = 'absent';
      return;
    }
    const computed = input.checksum();
    while (!input.has(8)) yield;
    const half = (at: number) => input.bytes.readUInt32LE(at).toString(16).padStart(8, '0');
    const stored = half(input.pos + 4) + half(input.pos);
    input.pos += 8;
    this.#checksum = stored === '0000000000000000' ? 'absent' : stored === computed ? 'ok' : 'wrong';
  }

  /** Reads an opcode; returns whether it belongs to the key that follows. */
  *#opcode(code: number): Generator<undefined, boolean> {
    const input = this.#input;
    if (code < OPCODE.keyMetaOrSlotImport && code !== OPCODE.enterpriseRamLru && code !== OPCODE.enterpriseSlot) {
      throw new UnknownRdbPart(code < 128 ? `values of type ${code} are unknown` : `opcode ${code} is unknown`);
    }
    input.pos++;
    switch (code) {
      case OPCODE.expireMs:
        while (!input.has(8)) yield;
        this.expiresAtMs = input.bytes.readInt32LE(input.pos + 4) * TWO_32 + input.bytes.readUInt32LE(input.pos);
        input.pos += 8;
        return true;
      case OPCODE.expireSeconds:
        while (!input.has(4)) yield;
        this.expiresAtMs = input.bytes.readInt32LE(input.pos) * 1000;
        input.pos += 4;
        return true;
      case OPCODE.freq:
        yield* skipBytes(input, 1);
        return true;
      case OPCODE.idle:
      case OPCODE.enterpriseRamLru:
      case OPCODE.enterpriseSlot:
        while (!input.tryPlainLength()) yield;
        return true;
      case OPCODE.keyMetaOrSlotImport:
        return yield* this.#keyMetaOrSlotImport();
      case OPCODE.selectDb:
        while (!input.tryPlainLength()) yield;
        this.db = input.length;
        return false;
      case OPCODE.resizeDb:
        yield* this.#skipLengths(2);
        return false;
      case OPCODE.slotInfo:
        yield* this.#skipLengths(3);
        return false;
      case OPCODE.aux: {
        const name = yield* this.#text();
        const value = yield* this.#text();
        this.#handler.aux?.(name, value);
        return false;
      }
      case OPCODE.moduleAux:
        yield* this.#skipLengths(3);
        yield* skipModuleParts(input);
        return false;
      case OPCODE.function2: {
        const code = yield* this.#text();
        this.#handler.functionLibrary?.(code);
        return false;
      }
      default:
        yield* this.#functionPreGa();
        return false;
    }
  }

  *#keyMetaOrSlotImport(): Generator<undefined, boolean> {
    const input = this.#input;
    const isValkey = this.#magic?.flavour === 'valkey';
    if (isValkey) yield* skipString(input);
    while (!input.tryPlainLength()) yield;
    for (let left = input.length; left > 0; left--) {
      if (isValkey) {
        yield* this.#skipLengths(2);
      } else {
        yield* skipBytes(input, 4);
        yield* skipModuleParts(input);
      }
    }
    return !isValkey;
  }

  /** Release candidates of 7.0: name, engine, whether a description follows, the description, the code. */
  *#functionPreGa(): Generator<undefined, void> {
    const input = this.#input;
    yield* skipString(input);
    yield* skipString(input);
    while (!input.tryPlainLength()) yield;
    if (input.length > 0) yield* skipString(input);
    const code = yield* this.#text();
    this.#handler.functionLibrary?.(code);
  }

  *#skipLengths(count: number): Generator<undefined, void> {
    for (let i = 0; i < count; i++) while (!this.#input.tryPlainLength()) yield;
  }

  *#text(): Generator<undefined, string> {
    const text = new RdbString();
    return this.#input.tryString(text) || (yield* awaitString(this.#input, text)) ? text.text() : '';
  }
}
