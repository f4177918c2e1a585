/**
 * The snapshot with which an append-only file of Redis 4 to 6 may begin (`aof-use-rdb-preamble`): what was there when the
 * log was last rewritten.
 */
import type { Blocks, Damage, EvidenceSink, ReadLimit, ReadOptions } from '../../model/evidence.js';
import { AskedSnapshot } from '../job-writes/asked-snapshot.js';
import { QueueKeys } from '../queue-keys.js';
import { type RdbInput, rdbMagic, readRdb } from '../rdb/index.js';
import { damageOf, describeMagic, isWhole, snapshotMoment } from '../rdb-reader.js';

const MAGIC_BYTES = 9;

/** Whether a source begins with a snapshot, and all of its blocks. */
export async function startsWithSnapshot(blocks: Blocks): Promise<[boolean, Blocks]> {
  const source = blocks[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let bytes = 0;
  let failure: { error: unknown } | undefined;
  while (bytes < MAGIC_BYTES && failure === undefined) {
    try {
      const next = await source.next();
      if (next.done) break;
      taken.push(next.value);
      bytes += next.value.length;
    } catch (error) {
      failure = { error };
    }
  }
  async function* all(): Blocks & AsyncGenerator<Uint8Array> {
    yield* taken.splice(0);
    // Told where the window expects it, behind the bytes that came before.
    if (failure) throw failure.error;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  return [rdbMagic(Buffer.concat(taken).subarray(0, MAGIC_BYTES)) !== undefined, all()];
}

export interface Preamble {
  /** What it is, in a few words. */
  readonly text: string;
  /** When the saving began, ms on Redis' clock. */
  readonly startMs?: number;
  readonly records: number;
  /** Those of the records that BullMQ does not write. */
  readonly custom: number;
  readonly damage: readonly Damage[];
  readonly limits: readonly ReadLimit[];
  /** All of it could be read. */
  readonly isWhole: boolean;
}

/** Reads the snapshot and leaves `input` behind it, or where it is damaged. */
export async function readPreamble(
  input: RdbInput,
  sink: EvidenceSink,
  prefix: string | undefined,
  askedJob: ReadOptions['askedJob'],
): Promise<Preamble> {
  const asked = askedJob && new AskedSnapshot(askedJob, sink);
  const keys = new QueueKeys(asked?.sink ?? sink, prefix);
  const result = await readRdb(input, asked?.around(keys) ?? keys, () => sink.settle());
  keys.finish();
  const moment = snapshotMoment(keys.savedAtSeconds, keys.lastStreamMs);
  sink.fact({
    type: 'snapshot',
    ...(moment ? { momentMs: moment } : {}),
    ...(keys.redisVersion === undefined ? {} : { redisVersion: keys.redisVersion }),
  });
  return {
    text: `a snapshot as preamble (${result.magic ? describeMagic(result.magic, keys.redisVersion) : 'unknown'}, ${result.keys} keys)`,
    ...(moment ? { startMs: moment[0] } : {}),
    records: keys.told + keys.entries,
    custom: keys.customEvents.total,
    damage: [...damageOf(result), ...keys.book.remarks],
    limits: keys.gate.limits(),
    isWhole: isWhole(result),
  };
}
