/** Cited keys and stream entries of a snapshot, read again: decoded, because what is packed together has no bytes of its own. */
import { createHash, type Hash } from 'node:crypto';
import type { Ref } from '../model/analysis.js';
import {
  RdbInput,
  type RdbKey,
  type RdbStreamEntry,
  type RdbValueSink,
  rdbMagic,
  readRdb,
} from '../redis/rdb/index.js';
import type { Content } from './verify-content.js';
import { digestOf, type FoundRecord, placeKey } from './verify-place.js';

const MAGIC_BYTES = 9;
const BLOCK_BYTES = 256 * 1024;
const MAX_SHOWN = 600;

export interface CitedKeys {
  readonly found: ReadonlyMap<string, FoundRecord>;
  /** Where commands may follow; 0 where there is no snapshot. */
  readonly endOfSnapshot: number;
}

/** Every place has been read: nothing more of the snapshot is needed. */
class AllFound extends Error {}

export async function readCitedKeys(content: Content, refs: readonly Ref[]): Promise<CitedKeys> {
  const magic = await content.read(0, MAGIC_BYTES);
  if (rdbMagic(magic) === undefined) return { found: new Map(), endOfSnapshot: 0 };
  const reading = new CitedKeyReading(refs);
  // A key's record stands for itself: reading may begin at any of them, behind the magic that tells the version.
  const start = reading.firstOffset ?? MAGIC_BYTES;
  const shift = start - MAGIC_BYTES;
  try {
    const result = await readRdb(new RdbInput(blocksOf(content, magic, start)), {
      key: (key) => reading.key(key, key.offset + shift),
    });
    return { found: reading.found, endOfSnapshot: result.ended === 'whole' ? result.offset + shift : 0 };
  } catch (error) {
    if (!(error instanceof AllFound)) throw error;
    return { found: reading.found, endOfSnapshot: Number.POSITIVE_INFINITY };
  }
}

async function* blocksOf(content: Content, magic: Buffer, start: number): AsyncGenerator<Uint8Array, void> {
  yield Uint8Array.from(magic);
  for (let at = start; ; ) {
    const block = await content.read(at, BLOCK_BYTES);
    if (block.length === 0) return;
    yield block;
    at += block.length;
  }
}

class CitedKeyReading {
  readonly found = new Map<string, FoundRecord>();
  readonly #atOffset = new Map<number, Ref[]>();
  readonly #byName = new Map<string, Ref[]>();
  readonly #last: number;
  readonly firstOffset: number | undefined;

  constructor(refs: readonly Ref[]) {
    for (const ref of refs) {
      if (ref.offset !== undefined) add(this.#atOffset, ref.offset, ref);
      else if (ref.key !== undefined) add(this.#byName, ref.key, ref);
    }
    const offsets = [...this.#atOffset.keys()];
    this.#last = offsets.reduce((last, offset) => Math.max(last, offset), 0);
    if (this.#byName.size === 0 && offsets.length > 0)
      this.firstOffset = offsets.reduce((first, offset) => Math.min(first, offset));
  }

  key(key: RdbKey, offset: number): RdbValueSink | undefined {
    if (this.#byName.size === 0 && offset > this.#last) throw new AllFound();
    const name = this.#byName.size > 0 ? key.name.text() : undefined;
    const refs = [...(this.#atOffset.get(offset) ?? []), ...(name === undefined ? [] : (this.#byName.get(name) ?? []))];
    if (name !== undefined) this.#byName.delete(name);
    return refs.length === 0 ? undefined : this.#sinkOf(key, refs);
  }

  #sinkOf(key: RdbKey, refs: readonly Ref[]): RdbValueSink {
    const text = `${key.name.text()}: `;
    const entries = new Map<string, Ref[]>();
    const whole: Ref[] = [];
    for (const ref of refs) {
      if (ref.entry === undefined) whole.push(ref);
      else add(entries, ref.entry, ref);
    }
    const note = (to: readonly Ref[], record: Record): void => {
      const found = record.found();
      for (const ref of to) this.found.set(placeKey(ref), found);
    };
    if (whole.length === 0)
      return {
        streamEntry: (entry) => {
          const cited = entries.get(`${entry.ms}-${entry.seq}`);
          if (cited === undefined) return;
          const record = new Record(text);
          record.entry(entry);
          note(cited, record);
        },
      };
    const all = new Record(text);
    all.part(key.name.raw(), `${key.kind} ${key.expiresAtMs ?? ''}`);
    return {
      string: (value) => all.part(value.raw()),
      listItem: (item) => all.part(item.raw()),
      setMember: (member) => all.part(member.raw()),
      zsetMember: (member, score) => all.part(member.raw(), String(score)),
      hashField: (field) => {
        all.part(field.raw());
        return true;
      },
      hashValue: (value, expiresAtMs) => all.part(value.raw(), String(expiresAtMs ?? '')),
      streamEntry: (entry) => all.entry(entry),
      end: () => note(whole, all),
    };
  }
}

function add<K>(map: Map<K, Ref[]>, key: K, ref: Ref): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [ref]);
  else known.push(ref);
}

/** Parts of a value, each with its length before it, so that no two values look alike. */
class Record {
  readonly #hash: Hash = createHash('sha256');
  #shown: string;

  constructor(shown: string) {
    this.#shown = shown;
  }

  part(bytes: Buffer, beside = ''): void {
    this.#hash.update(`${bytes.length}:${beside}:`).update(bytes);
    if (this.#shown.length < MAX_SHOWN) this.#shown += `${bytes.toString('utf8', 0, MAX_SHOWN)} `;
  }

  entry(entry: RdbStreamEntry): void {
    this.part(Buffer.from(`${entry.ms}-${entry.seq}${entry.deleted ? ' deleted' : ''}`));
    for (let n = 0; n < entry.size; n++) {
      this.part(entry.field(n).raw());
      this.part(entry.value(n).raw());
    }
  }

  found(): FoundRecord {
    return { digest: digestOf(this.#hash.copy()), shows: this.#shown.slice(0, MAX_SHOWN).trim() };
  }
}
