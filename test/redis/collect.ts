/** Runs a reader over bytes cut in any way, and keeps what it tells. */
import type { EvidenceEvent } from '../../src/model/event.js';
import type { Blocks, ReadOptions, ReadReport, SourceReader } from '../../src/model/evidence.js';
import type { Fact } from '../../src/model/fact.js';
import { RdbInput, type RdbResult, readRdb } from '../../src/redis/rdb/index.js';
import { rdbJson } from './rdb-json.mjs';

/** The bytes in blocks of the given sizes, which repeat. Each block is a buffer of its own, as a file stream gives it. */
export async function* blocks(bytes: Uint8Array, sizes: readonly number[] = [bytes.length || 1]): Blocks {
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = Math.max(1, sizes[i % sizes.length] ?? 1);
    yield Uint8Array.from(bytes.subarray(at, at + size));
    at += size;
  }
}

export interface Collected {
  readonly events: EvidenceEvent[];
  readonly facts: Fact[];
  readonly report: ReadReport;
}

/** What a reader tells about some bytes. */
export async function collect(
  reader: SourceReader,
  source: Uint8Array | Blocks,
  options: Partial<ReadOptions> = {},
): Promise<Collected> {
  const events: EvidenceEvent[] = [];
  const facts: Fact[] = [];
  const report = await reader.read(
    source instanceof Uint8Array ? blocks(source) : source,
    {
      event: (event) => events.push(event),
      fact: (fact) => facts.push(fact),
      presence: () => {},
      settle: async () => {},
    },
    { fileName: 'dump.rdb', ...options },
  );
  return { events, facts, report };
}

export interface DumpedKey {
  readonly db: number;
  readonly key: string;
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Every key of an RDB as plain JSON, and how the reading ended. */
export async function dump(
  bytes: Uint8Array,
  sizes?: readonly number[],
): Promise<{ keys: DumpedKey[]; aux: [string, string][]; functions: string[]; result: RdbResult }> {
  const { handler, keys, aux, functions } = rdbJson();
  const result = await readRdb(new RdbInput(blocks(bytes, sizes)), handler);
  return { keys, aux, functions, result };
}
