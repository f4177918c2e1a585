/**
 * The snapshot with which an append-only file of Redis 4 to 6 may begin (`aof-use-rdb-preamble`): what was there when the
 * log was last rewritten.
 */
import type { Damage, EvidenceSink } from '../../model/evidence.js';
import { QueueKeys } from '../queue-keys.js';
import { type RdbInput, rdbMagic, readRdb } from '../rdb/index.js';
import { damageOf, describeMagic, snapshotMoment } from '../rdb-reader.js';

const MAGIC_BYTES = 9;

export interface Preamble {
  /** What it is, in a few words. */
  readonly text: string;
  /** It was read to its end, where the commands begin. */
  readonly isWhole: boolean;
  /** When the saving began, ms on Redis' clock. */
  readonly startMs?: number;
  readonly records: number;
  /** Those of the records that BullMQ does not write. */
  readonly custom: number;
  readonly damage: readonly Damage[];
}

/** Reads the snapshot and leaves `input` behind it; undefined, and nothing read, where the file begins with commands. */
export async function readPreamble(
  input: RdbInput,
  sink: EvidenceSink,
  prefix: string | undefined,
): Promise<Preamble | undefined> {
  if (!input.has(MAGIC_BYTES)) await input.fill();
  const magic = rdbMagic(input.bytes.subarray(input.pos, input.end));
  if (magic === undefined) return undefined;
  const keys = new QueueKeys(sink, prefix);
  const result = await readRdb(input, keys, () => sink.settle());
  keys.finish();
  const moment = snapshotMoment(keys.savedAtSeconds, keys.lastStreamMs);
  sink.fact({
    type: 'snapshot',
    ...(moment ? { momentMs: moment } : {}),
    ...(keys.redisVersion === undefined ? {} : { redisVersion: keys.redisVersion }),
  });
  const isWhole = result.ended === 'whole';
  const lost = isWhole
    ? []
    : [{ what: 'the commands behind the damaged snapshot were not read', offset: result.offset }];
  return {
    text: `a snapshot as preamble (${describeMagic(magic, keys.redisVersion)}, ${result.keys} keys)`,
    isWhole,
    ...(moment ? { startMs: moment[0] } : {}),
    records: keys.told + keys.entries,
    custom: keys.customEvents.total,
    damage: [...damageOf(result), ...keys.book.remarks, ...lost],
  };
}
