/**
 * Reads values that somebody wants, element by element: only the element at hand has to be in the window, so a sorted
 * set of a million members needs no more memory than one of ten.
 */
import { CorruptPart, CorruptRdb } from './corrupt.js';
import type { RdbValueSink } from './handler.js';
import { Listpack } from './listpack.js';
import type { Packed } from './packed.js';
import { awaitString, type RdbInput, skipBytes, skipString } from './rdb-input.js';
import { RdbString } from './rdb-string.js';
import { skipScore, skipValue } from './skip-value.js';
import { readStream } from './stream.js';
import type { RdbLayout } from './types.js';
import { Ziplist } from './ziplist.js';

const TWO_32 = 4294967296;
/** Nodes of a quicklist (type 18): one raw element, or a listpack. */
const PLAIN = 1;
const PACKED = 2;

type PackedLayout = Extract<RdbLayout, { of: 'packed' }>;

const ZIPLIST_NODE: PackedLayout = { of: 'packed', kind: 'list', Reader: Ziplist };
const LISTPACK_NODE: PackedLayout = { of: 'packed', kind: 'list', Reader: Listpack };

/**
 * Reads the fields and values of a hash into `sink`.
 *
 * @param text holds each of them in turn.
 * @returns what is left to do, which yields whenever more bytes are wanted; undefined if the hash was read. Most of a
 * queue's values are hashes, and making a generator for each would take as long as reading it.
 */
export function readHash(input: RdbInput, text: RdbString, sink: RdbValueSink): Generator<undefined, void> | undefined {
  if (!input.tryPlainLength()) return readPairs(input, undefined, text, sink);
  const left = readWholePairs(input, input.length, text, sink);
  if (left > 0) return readPairs(input, left, text, sink);
  sink.end?.();
  return undefined;
}

/** Reads one value into `sink`. Yields whenever more bytes are wanted. */
export function* readValue(input: RdbInput, layout: RdbLayout, sink: RdbValueSink): Generator<undefined, void> {
  switch (layout.of) {
    case 'string': {
      const value = new RdbString();
      if (input.tryString(value) || (yield* awaitString(input, value))) sink.string?.(value);
      break;
    }
    case 'strings':
      if (layout.kind === 'hash') return yield* readPairs(input, undefined, new RdbString(), sink);
      while (!input.tryPlainLength()) yield;
      yield* readStrings(input, input.length, layout.kind, sink);
      break;
    case 'scored':
      yield* readScored(input, layout.scores, sink);
      break;
    case 'packed': {
      if (layout.fieldExpiry === 'with-minimum') yield* skipBytes(input, 8);
      const blob = new RdbString();
      if (input.tryString(blob) || (yield* awaitString(input, blob))) {
        unpack(input, blob, layout, sink);
      }
      break;
    }
    case 'ziplists':
    case 'quicklist-nodes':
      yield* readNodes(input, layout.of, sink);
      break;
    case 'expiring-hash':
      yield* readExpiringHash(input, layout.form, sink);
      break;
    case 'stream':
      yield* readStream(input, layout.version, sink);
      break;
    case 'module':
      yield* skipValue(input, layout);
      break;
  }
  sink.end?.();
}

function* readStrings(
  input: RdbInput,
  count: number,
  kind: 'list' | 'set',
  sink: RdbValueSink,
): Generator<undefined, void> {
  const item = new RdbString();
  for (let left = count; left > 0; left--) {
    if (!input.tryString(item) && !(yield* awaitString(input, item))) continue;
    if (kind === 'list') sink.listItem?.(item);
    else sink.setMember?.(item);
  }
}

/** Reads the pairs of a hash and ends it. `count`: of pairs; undefined where that is to be read first. */
function* readPairs(
  input: RdbInput,
  count: number | undefined,
  text: RdbString,
  sink: RdbValueSink,
): Generator<undefined, void> {
  if (count === undefined) while (!input.tryPlainLength()) yield;
  let left = count ?? input.length;
  while (left > 0) {
    yield* readPair(input, text, sink, undefined);
    left = readWholePairs(input, left - 1, text, sink);
  }
  sink.end?.();
}

/**
 * Reads fields and values as long as the next pair is in the window whole; returns how many are left. A plain loop, as
 * these are most of a queue's bytes.
 */
function readWholePairs(input: RdbInput, count: number, text: RdbString, sink: RdbValueSink): number {
  for (let left = count; left > 0; left--) {
    const start = input.pos;
    if (!input.tryString(text)) return left;
    const valueStart = input.pos;
    if (!input.trySkipString()) {
      input.pos = start;
      return left;
    }
    if (sink.hashField?.(text) !== true) continue;
    const end = input.pos;
    input.pos = valueStart;
    if (input.tryString(text)) sink.hashValue?.(text, undefined);
    else {
      input.giveUp(input.unreadable ?? 'a value is unreadable');
      input.pos = end;
    }
  }
  return 0;
}

function* readPair(
  input: RdbInput,
  text: RdbString,
  sink: RdbValueSink,
  expiresAtMs: number | undefined,
): Generator<undefined, void> {
  let wanted = false;
  if (input.tryString(text) || (yield* awaitString(input, text))) wanted = sink.hashField?.(text) === true;
  if (!wanted) {
    if (!input.trySkipString()) yield* skipString(input);
  } else if (input.tryString(text) || (yield* awaitString(input, text))) sink.hashValue?.(text, expiresAtMs);
}

function* readScored(input: RdbInput, scores: 'text' | 'binary', sink: RdbValueSink): Generator<undefined, void> {
  while (!input.tryPlainLength()) yield;
  const member = new RdbString();
  for (let left = input.length; left > 0; left--) {
    let score = tryMemberAndScore(input, scores, member);
    while (score === undefined) {
      if (input.unreadable !== undefined) break;
      yield;
      score = tryMemberAndScore(input, scores, member);
    }
    if (score !== undefined) sink.zsetMember?.(member, score);
    else {
      yield* awaitString(input, member);
      yield* skipScore(input, scores);
    }
  }
}

/** Member and score together, because the member is only seen in place. Undefined: not there whole. */
function tryMemberAndScore(input: RdbInput, scores: 'text' | 'binary', member: RdbString): number | undefined {
  const start = input.pos;
  if (!input.tryString(member)) return undefined;
  if (scores === 'binary') {
    if (!input.has(8)) {
      input.retryFrom(start);
      return undefined;
    }
    input.pos += 8;
    return input.bytes.readDoubleLE(input.pos - 8);
  }
  if (!input.has(1)) {
    input.retryFrom(start);
    return undefined;
  }
  const length = input.byte();
  if (length === 255) return Number.NEGATIVE_INFINITY;
  if (length === 254) return Number.POSITIVE_INFINITY;
  if (length === 253) return Number.NaN;
  if (!input.has(length)) {
    input.retryFrom(start);
    return undefined;
  }
  input.pos += length;
  return Number(input.bytes.toString('latin1', input.pos - length, input.pos));
}

function* readNodes(
  input: RdbInput,
  of: 'ziplists' | 'quicklist-nodes',
  sink: RdbValueSink,
): Generator<undefined, void> {
  while (!input.tryPlainLength()) yield;
  const node = new RdbString();
  for (let left = input.length; left > 0; left--) {
    let container = PACKED;
    if (of === 'quicklist-nodes') {
      while (!input.tryPlainLength()) yield;
      container = input.length;
      if (container !== PLAIN && container !== PACKED) {
        throw new CorruptRdb(`a list node is of unknown kind ${container}`);
      }
    }
    if (!input.tryString(node) && !(yield* awaitString(input, node))) continue;
    if (container === PLAIN) sink.listItem?.(node);
    else unpack(input, node, of === 'ziplists' ? ZIPLIST_NODE : LISTPACK_NODE, sink);
  }
}

function* readExpiringHash(
  input: RdbInput,
  form: 'relative' | 'absolute' | 'trailing',
  sink: RdbValueSink,
): Generator<undefined, void> {
  let minimum = 0;
  if (form === 'relative') {
    while (!input.has(8)) yield;
    minimum = input.bytes.readInt32LE(input.pos + 4) * TWO_32 + input.bytes.readUInt32LE(input.pos);
    input.pos += 8;
  }
  while (!input.tryPlainLength()) yield;
  const text = new RdbString();
  for (let left = input.length; left > 0; left--) {
    if (form === 'trailing') {
      yield* readTrailingExpiry(input, text, sink);
      continue;
    }
    while (!input.tryPlainLength()) yield;
    const ttl = input.length;
    const expiresAtMs = form === 'relative' ? minimum + ttl - 1 : ttl;
    yield* readPair(input, text, sink, ttl === 0 ? undefined : expiresAtMs);
  }
}

/** Valkey writes the expiry behind the value, which is only seen in place: both must be in the window at once. */
function* readTrailingExpiry(input: RdbInput, text: RdbString, sink: RdbValueSink): Generator<undefined, void> {
  let wanted = false;
  if (input.tryString(text) || (yield* awaitString(input, text))) wanted = sink.hashField?.(text) === true;
  for (;;) {
    const start = input.pos;
    if (wanted && input.tryString(text)) {
      if (input.has(8)) {
        const high = input.bytes.readInt32LE(input.pos + 4);
        const expiresAtMs = high * TWO_32 + input.bytes.readUInt32LE(input.pos);
        input.pos += 8;
        sink.hashValue?.(text, expiresAtMs < 0 ? undefined : expiresAtMs);
        return;
      }
      input.retryFrom(start);
    }
    if (!wanted || input.unreadable !== undefined) {
      if (input.unreadable !== undefined) input.giveUp(input.unreadable);
      yield* skipString(input);
      yield* skipBytes(input, 8);
      return;
    }
    yield;
  }
}

/** Hands out what a packed collection holds, up to where it is damaged. */
function unpack(input: RdbInput, blob: RdbString, layout: PackedLayout, sink: RdbValueSink): void {
  try {
    const packed = new layout.Reader(blob.raw());
    if (layout.kind === 'list' || layout.kind === 'set') unpackItems(packed, layout.kind, sink);
    else unpackPairs(packed, layout, sink);
  } catch (error) {
    if (!(error instanceof CorruptPart)) throw error;
    input.giveUp(error.message);
  }
}

function unpackItems(packed: Packed, kind: 'list' | 'set', sink: RdbValueSink): void {
  const item = new RdbString();
  while (packed.next(item)) {
    if (kind === 'list') sink.listItem?.(item);
    else sink.setMember?.(item);
  }
}

function unpackPairs(packed: Packed, { kind, fieldExpiry }: PackedLayout, sink: RdbValueSink): void {
  const first = new RdbString();
  const second = new RdbString();
  const third = new RdbString();
  while (packed.next(first)) {
    if (!packed.next(second)) throw new CorruptPart('a collection of pairs ends within a pair');
    if (kind === 'zset') {
      const score = second.number();
      if (score === undefined) throw new CorruptPart('a score is not a number');
      sink.zsetMember?.(first, score);
      continue;
    }
    let expiresAtMs = 0;
    if (fieldExpiry) {
      if (!packed.next(third)) throw new CorruptPart('a hash with expiring fields ends within a field');
      expiresAtMs = third.number() ?? 0;
    }
    if (sink.hashField?.(first)) sink.hashValue?.(second, expiresAtMs > 0 ? expiresAtMs : undefined);
  }
}
