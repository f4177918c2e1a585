/**
 * Streams (Redis rdb.c and t_stream.c; types 15, 19, 21, and 26, 27 of later servers).
 *
 * Entries lie in nodes of about a hundred. A node's first entry, the master, names the fields, and the others say only
 * what differs. An entry that was deleted or trimmed stays in its node with a flag until the whole node goes, so a
 * snapshot holds entries that XRANGE no longer shows: they are handed out too.
 */
import { CorruptPart, CorruptRdb } from './corrupt.js';
import type { RdbGroup, RdbStreamEntry, RdbStreamId, RdbStreamState, RdbValueSink } from './handler.js';
import { Listpack } from './listpack.js';
import { awaitString, type RdbInput, skipBytes, skipString } from './rdb-input.js';
import { RdbString } from './rdb-string.js';

const TWO_32 = 4294967296;
const ID_BYTES = 16;
const FLAG_DELETED = 1;
const FLAG_SAME_FIELDS = 2;

/** Reads a stream; `sink` undefined passes over it. */
export function* readStream(
  input: RdbInput,
  version: 1 | 2 | 3 | 4 | 5,
  sink: RdbValueSink | undefined,
): Generator<undefined, void> {
  while (!input.tryPlainLength()) yield;
  yield* readNodes(input, input.length, sink);
  const state = yield* readState(input, version);
  sink?.streamState?.(state);
  while (!input.tryPlainLength()) yield;
  for (let left = input.length; left > 0; left--) {
    const group = yield* readGroup(input, version, sink?.streamGroup !== undefined);
    if (group) sink?.streamGroup?.(group);
  }
  if (version >= 4) yield* skipProducers(input);
}

function* readNodes(input: RdbInput, count: number, sink: RdbValueSink | undefined): Generator<undefined, void> {
  if (!sink?.streamEntry) {
    for (let i = 0; i < 2 * count; i++) {
      if (!input.trySkipString()) yield* skipString(input);
    }
    return;
  }
  const key = new RdbString();
  const node = new RdbString();
  const entry = new StreamEntry();
  for (let i = 0; i < count; i++) {
    if (!input.tryString(key) && !(yield* awaitString(input, key))) throw new CorruptRdb('a stream node has no id');
    const id = key.raw();
    if (id.length !== ID_BYTES) throw new CorruptRdb('the id of a stream node is not 16 bytes long');
    const ms = id.readUInt32BE(0) * TWO_32 + id.readUInt32BE(4);
    const seq = id.readUInt32BE(8) * TWO_32 + id.readUInt32BE(12);
    if (!input.tryString(node) && !(yield* awaitString(input, node))) continue;
    try {
      entry.readNode(ms, seq, node.raw(), sink);
    } catch (error) {
      if (!(error instanceof CorruptPart)) throw error;
      input.giveUp(error.message);
    }
  }
}

/** Walks the entries of a node, showing itself as each of them in turn. */
class StreamEntry implements RdbStreamEntry {
  ms = 0;
  seq = 0;
  deleted = false;
  size = 0;
  #masterFields: RdbString[] = [];
  #ownFields: RdbString[] = [];
  #values: RdbString[] = [];
  #sameFields = true;
  readonly #number = new RdbString();
  readonly #none = new RdbString();

  field(index: number): RdbString {
    return (this.#sameFields ? this.#masterFields : this.#ownFields)[index] ?? this.#none;
  }

  value(index: number): RdbString {
    return this.#values[index] ?? this.#none;
  }

  readNode(ms: number, seq: number, bytes: Buffer, sink: RdbValueSink): void {
    const list = new Listpack(bytes);
    const live = this.#integer(list);
    const deleted = this.#integer(list);
    const masterSize = this.#integer(list);
    for (let i = 0; i < masterSize; i++) this.#string(list, this.#masterFields, i);
    if (this.#integer(list) !== 0) throw new CorruptPart('the master entry of a stream node has no end');
    for (let left = live + deleted; left > 0; left--) {
      const flags = this.#integer(list);
      this.ms = ms + this.#integer(list);
      this.seq = seq + this.#integer(list);
      this.deleted = (flags & FLAG_DELETED) !== 0;
      this.#sameFields = (flags & FLAG_SAME_FIELDS) !== 0;
      this.size = this.#sameFields ? masterSize : this.#integer(list);
      for (let i = 0; i < this.size; i++) {
        if (!this.#sameFields) this.#string(list, this.#ownFields, i);
        this.#string(list, this.#values, i);
      }
      if (this.#integer(list) !== (this.#sameFields ? this.size + 3 : 2 * this.size + 4)) {
        throw new CorruptPart('a stream entry states another size than it has');
      }
      sink.streamEntry?.(this);
    }
    if (!list.atEnd) throw new CorruptPart('a stream node holds more entries than it states');
  }

  #integer(list: Listpack): number {
    const value = list.next(this.#number) ? this.#number.number() : undefined;
    if (value === undefined) throw new CorruptPart('a stream node holds something else where a number belongs');
    return value;
  }

  #string(list: Listpack, pool: RdbString[], index: number): void {
    let string = pool[index];
    if (string === undefined) {
      string = new RdbString();
      pool.push(string);
    }
    if (!list.next(string)) throw new CorruptPart('a stream node ends within an entry');
  }
}

function tryId(input: RdbInput): RdbStreamId | undefined {
  const start = input.pos;
  if (!input.tryPlainLength()) return undefined;
  const ms = input.length;
  if (!input.tryPlainLength()) {
    input.retryFrom(start);
    return undefined;
  }
  return { ms, seq: input.length };
}

function* readId(input: RdbInput): Generator<undefined, RdbStreamId> {
  for (;;) {
    const id = tryId(input);
    if (id) return id;
    yield;
  }
}

function* readState(input: RdbInput, version: number): Generator<undefined, RdbStreamState> {
  while (!input.tryPlainLength()) yield;
  const length = input.length;
  const last = yield* readId(input);
  if (version < 2) return { length, last };
  const first = yield* readId(input);
  const maxDeleted = yield* readId(input);
  while (!input.tryPlainLength()) yield;
  return { length, last, first, maxDeleted, entriesAdded: input.length };
}

function rawId(bytes: Buffer, at: number): RdbStreamId {
  return {
    ms: bytes.readUInt32BE(at) * TWO_32 + bytes.readUInt32BE(at + 4),
    seq: bytes.readUInt32BE(at + 8) * TWO_32 + bytes.readUInt32BE(at + 12),
  };
}

function msAt(bytes: Buffer, at: number): number {
  return bytes.readInt32LE(at + 4) * TWO_32 + bytes.readUInt32LE(at);
}

/** A consumer group with its pending entries; undefined if not `wanted`. */
function* readGroup(input: RdbInput, version: number, wanted: boolean): Generator<undefined, RdbGroup | undefined> {
  const name = yield* readName(input);
  const last = yield* readId(input);
  let entriesRead: number | undefined;
  if (version >= 2) {
    while (!input.tryPlainLength()) yield;
    if (Number.isSafeInteger(input.length)) entriesRead = input.length;
  }
  const pending: RdbGroup['pending'][number][] = [];
  while (!input.tryPlainLength()) yield;
  for (let left = input.length; left > 0; left--) {
    while (!input.has(ID_BYTES + 8)) yield;
    const id = rawId(input.bytes, input.pos);
    const deliveredMs = msAt(input.bytes, input.pos + ID_BYTES);
    input.pos += ID_BYTES + 8;
    while (!input.tryPlainLength()) yield;
    if (wanted) pending.push({ ...id, deliveredMs, deliveries: input.length });
  }
  const consumers: RdbGroup['consumers'][number][] = [];
  while (!input.tryPlainLength()) yield;
  for (let left = input.length; left > 0; left--) {
    const consumer = yield* readConsumer(input, version, wanted);
    if (wanted) consumers.push(consumer);
  }
  if (version >= 5) yield* readIds(input, false);
  if (!wanted) return undefined;
  return { name, last, pending, consumers, ...(entriesRead === undefined ? {} : { entriesRead }) };
}

function* readConsumer(
  input: RdbInput,
  version: number,
  wanted: boolean,
): Generator<undefined, RdbGroup['consumers'][number]> {
  const name = yield* readName(input);
  const times = version >= 3 ? 16 : 8;
  while (!input.has(times)) yield;
  const seenMs = msAt(input.bytes, input.pos);
  const activeMs = times === 16 ? msAt(input.bytes, input.pos + 8) : undefined;
  input.pos += times;
  const pending = yield* readIds(input, wanted);
  return { name, seenMs, pending, ...(activeMs === undefined ? {} : { activeMs }) };
}

function* readName(input: RdbInput): Generator<undefined, string> {
  const name = new RdbString();
  if (input.tryString(name) || (yield* awaitString(input, name))) return name.text();
  return '';
}

function* readIds(input: RdbInput, wanted: boolean): Generator<undefined, RdbStreamId[]> {
  while (!input.tryPlainLength()) yield;
  const count = input.length;
  const ids: RdbStreamId[] = [];
  if (!wanted) {
    yield* skipBytes(input, ID_BYTES * count);
    return ids;
  }
  for (let i = 0; i < count; i++) {
    while (!input.has(ID_BYTES)) yield;
    ids.push(rawId(input.bytes, input.pos));
    input.pos += ID_BYTES;
  }
  return ids;
}

/** Idempotent producers, since stream version 4: duration, maximum, then per producer its name and entries. */
function* skipProducers(input: RdbInput): Generator<undefined, void> {
  while (!input.tryPlainLength()) yield;
  while (!input.tryPlainLength()) yield;
  while (!input.tryPlainLength()) yield;
  for (let producers = input.length; producers > 0; producers--) {
    yield* skipString(input);
    while (!input.tryPlainLength()) yield;
    for (let entries = input.length; entries > 0; entries--) {
      yield* skipString(input);
      yield* readId(input);
    }
  }
  while (!input.tryPlainLength()) yield;
  while (!input.tryPlainLength()) yield;
}
