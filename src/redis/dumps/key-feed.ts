/**
 * Keys of a dump that is not an RDB, told through the same recognition as those of an RDB: `QueueKeys` takes strings in
 * place, a dump has them as text or bytes.
 */
import type { QueueKeys } from '../queue-keys.js';
import type { RdbKind, RdbStreamState, RdbValueSink } from '../rdb/index.js';
import { RdbString } from '../rdb/rdb-string.js';

export interface FedKey {
  readonly db: number;
  readonly name: Buffer;
  readonly kind: RdbKind;
  /** ms UTC on Redis' clock. */
  readonly expiresAtMs?: number | undefined;
  /** Byte offset of the key in the source. */
  readonly offset: number;
}

export interface FedEntry {
  readonly ms: number;
  readonly seq: number;
  readonly deleted: boolean;
  /** Name, value, name, value … */
  readonly flat: readonly Buffer[];
}

const stringOf = (bytes: Buffer): RdbString => {
  const string = new RdbString();
  string.setRaw(bytes, 0, bytes.length);
  return string;
};

/** Takes the value of one key, part by part. */
export class ValueFeed {
  readonly #sink: RdbValueSink;

  constructor(sink: RdbValueSink) {
    this.#sink = sink;
  }

  string(value: Buffer): void {
    this.#sink.string?.(stringOf(value));
  }

  listItem(item: Buffer): void {
    this.#sink.listItem?.(stringOf(item));
  }

  setMember(member: Buffer): void {
    this.#sink.setMember?.(stringOf(member));
  }

  zsetMember(member: Buffer, score: number): void {
    this.#sink.zsetMember?.(stringOf(member), score);
  }

  hashField(name: Buffer, value: Buffer): void {
    if (this.#sink.hashField?.(stringOf(name))) this.#sink.hashValue?.(stringOf(value), undefined);
  }

  streamEntry({ ms, seq, deleted, flat }: FedEntry): void {
    const at = (index: number) => stringOf(flat[index] ?? Buffer.alloc(0));
    this.#sink.streamEntry?.({
      ...{ ms, seq, deleted, size: flat.length >> 1 },
      field: (index) => at(2 * index),
      value: (index) => at(2 * index + 1),
    });
  }

  streamState(state: RdbStreamState): void {
    this.#sink.streamState?.(state);
  }

  end(): void {
    this.#sink.end?.();
  }
}

/** Begins a key. Undefined: it says nothing about a queue. */
export function openKey(keys: QueueKeys, { db, name, kind, expiresAtMs, offset }: FedKey): ValueFeed | undefined {
  const sink = keys.key({ name: stringOf(name), db, kind, type: -1, expiresAtMs, offset });
  return sink && new ValueFeed(sink);
}
