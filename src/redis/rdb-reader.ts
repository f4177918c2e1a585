/** The source reader for RDB files. */
import type { Damage, Detection, ReadReport, SourceReader } from '../model/evidence.js';
import { AskedSnapshot } from './job-writes/asked-snapshot.js';
import { QueueKeys } from './queue-keys.js';
import { RdbInput, type RdbMagic, type RdbResult, rdbMagic, readRdb } from './rdb/index.js';

/** Valkey can wrap an RDB into a compressed envelope that begins so. */
const VALKEY_ENVELOPE = 'VKCS';

/** The commands of an append-only file, in RESP, or its timestamp annotation. */
const AOF_START = /^(\*\d|#TS:)/;
const AOF_START_BYTES = 4;

function detect(head: Uint8Array): Detection | undefined {
  const magic = rdbMagic(head);
  if (magic) return { format: 'rdb', score: 1, reason: `starts with ${magic.text}` };
  const start = Buffer.from(head.subarray(0, 4)).toString('latin1');
  if (start === VALKEY_ENVELOPE)
    return { format: 'rdb', score: 1, reason: `starts with ${start} (compressed by Valkey)` };
  return undefined;
}

export const rdbReader: SourceReader = {
  name: 'rdb',
  detect,
  async read(blocks, sink, options) {
    const input = new RdbInput(blocks);
    const asked = options.askedJob && new AskedSnapshot(options.askedJob, sink);
    const keys = new QueueKeys(asked?.sink ?? sink, options.prefix);
    const result = await readRdb(input, asked?.around(keys) ?? keys, () => sink.settle());
    keys.finish();
    if (result.magic) asked?.finish(isWhole(result));
    const moment = snapshotMoment(keys.savedAtSeconds, keys.lastStreamMs);
    if (result.magic) {
      sink.fact({
        type: 'snapshot',
        ...(moment ? { momentMs: moment } : {}),
        ...(keys.redisVersion === undefined ? {} : { redisVersion: keys.redisVersion }),
      });
    }
    const damage = [...damageOf(result), ...keys.book.remarks, ...(await trailing(input, result))];
    return report(result, keys, damage);
  },
};

/**
 * The moment a snapshot shows, [earliest, latest] ms on Redis' clock. `ctime` is the start of the saving in whole seconds;
 * what a stream already holds had happened before.
 */
export function snapshotMoment(
  ctime: number | undefined,
  lastStreamMs: number | undefined,
): [number, number] | undefined {
  if (ctime === undefined) return undefined;
  const from = Math.max(ctime * 1000, lastStreamMs ?? 0);
  return [from, Math.max(from, ctime * 1000 + 1000)];
}

/** Every key was read, so that what it does not hold was not there. */
export const isWhole = (result: RdbResult): boolean => result.ended === 'whole' && result.lostCount === 0;

export function damageOf(result: RdbResult): Damage[] {
  const { offset } = result;
  const damage: Damage[] = [];
  if (result.checksum === 'wrong') {
    damage.push({ what: 'the checksum at the end does not match: the file was changed after it was written', offset });
  }
  damage.push(...result.lost.map((lost) => ({ what: `${lost.what}; the rest was kept`, offset: lost.offset })));
  const more = result.lostCount - result.lost.length;
  if (more > 0) damage.push({ what: `${more} more parts of values could not be read`, offset });
  if (result.ended === 'whole') return damage;
  const key =
    result.lastKey === undefined ? 'a key whose name was not kept' : `the key ${JSON.stringify(result.lastKey)}`;
  const where =
    result.keys === 0 && !result.insideKey
      ? 'before the first key'
      : `${result.insideKey ? 'while reading' : 'after'} ${key}`;
  const kept = `${result.keys} keys before it were read`;
  const problem = result.problem ?? 'unknown';
  const verdict =
    result.ended === 'truncated'
      ? `cut off ${where}: ${problem}`
      : result.ended === 'unknown'
        ? `stopped ${where}: ${problem}, and its length cannot be told`
        : `damaged ${where}: ${problem}`;
  damage.push({ what: `${verdict}; ${kept}`, offset });
  return damage;
}

/** What stands behind the end of the RDB; the source is read to its end so that its hash covers all of it. */
async function trailing(input: RdbInput, result: RdbResult): Promise<Damage[]> {
  const { offset } = result;
  if (result.ended === 'whole' && !input.has(AOF_START_BYTES)) await input.fill();
  const start = input.bytes.toString('latin1', input.pos, Math.min(input.end, input.pos + AOF_START_BYTES));
  const left = await input.drain();
  const damage: Damage[] = [];
  if (result.ended === 'whole' && left > 0) {
    const what = AOF_START.test(start)
      ? `${left} bytes of commands (append-only file) follow the snapshot and were not read`
      : `${left} bytes stand after the end mark and were not read`;
    damage.push({ what, offset });
  } else if (result.ended !== 'whole' && result.ended !== 'truncated' && left > 0) {
    damage.push({ what: `${left} bytes from there on were not read`, offset });
  }
  if (input.sourceError !== undefined) {
    damage.push({ what: `the source broke off: ${input.sourceError}`, offset: input.offset });
  }
  return damage;
}

function report(result: RdbResult, keys: QueueKeys, damage: readonly Damage[]): ReadReport {
  const records = keys.told + keys.entries;
  return {
    kind: result.magic ? 'redis' : 'unknown',
    format: 'rdb',
    reason: result.magic
      ? `starts with ${describeMagic(result.magic, keys.redisVersion)}; ${keys.told} of ${result.keys} keys belong to queues`
      : 'does not start like an RDB',
    records,
    understood: records - keys.customEvents.total,
    damage,
    limits: keys.gate.limits(),
    assumptions: [],
    unknownShapes: keys.customEvents.shapes(),
  };
}

export function describeMagic({ text, flavour }: RdbMagic, version: string | undefined): string {
  if (version === undefined) return text;
  return `${text} (${flavour === 'valkey' ? 'Valkey' : 'Redis'} ${version})`;
}
