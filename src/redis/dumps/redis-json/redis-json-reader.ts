/** The source reader for dumps of whole databases as JSON. */
import type { Assumption, Damage, SourceReader } from '../../../model/evidence.js';
import { QueueKeys } from '../../queue-keys.js';
import { ByteWindow } from '../../rdb/window.js';
import { snapshotMoment } from '../../rdb-reader.js';
import { JsonPieces } from '../json-pieces.js';
import { Notes } from '../notes.js';
import { ChildStream } from './child-stream.js';
import { dumpKeys } from './dump-keys.js';
import { parseDump } from './parse-dump.js';
import { type Shape, shapeOf } from './shape.js';

const HEAD_BYTES = 64 * 1024;
const MAX_DAMAGE = 50;

const LAYOUTS: Readonly<Record<Shape['layout'], string>> = {
  records: 'one object a key, as HDT3213/rdb, redis-rdb-cli and redis-dump write them',
  flat: 'one object a database, as redis-rdb-tools and librdb write them',
  typed: 'keys with type and value, as the npm package redis-dump writes them',
};

const textOf = (head: Uint8Array): string =>
  Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES)).toString('utf8');

export const redisJsonReader: SourceReader = {
  name: 'redis-json',
  detect(head) {
    const first = head.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
    if (first !== 0x5b && first !== 0x7b) return undefined;
    const shape = shapeOf(textOf(head));
    return shape && { format: 'redis-json', score: shape.score, reason: `JSON with ${LAYOUTS[shape.layout]}` };
  },
  async read(blocks, sink, options) {
    const input = new ByteWindow(blocks);
    input.has(HEAD_BYTES);
    await input.fill();
    const shape = shapeOf(textOf(input.bytes.subarray(input.pos, input.end)));
    if (shape === undefined) {
      await input.drain();
      const damage = [{ what: 'it is not laid out as any known dump of Redis' }];
      return { ...EMPTY, kind: 'unknown', reason: 'does not look like a dump of Redis', damage };
    }
    const keys = new QueueKeys(sink, options.prefix);
    const notes = new Notes();
    const damage: Damage[] = [];
    const damaged = (what: string, offset: number, line?: number) => {
      if (damage.length < MAX_DAMAGE) damage.push({ what, offset, ...(line === undefined ? {} : { line }) });
    };
    const { isLines } = shape;
    const pieces = new JsonPieces(input, isLines ? '\n' : '}');
    const note = (what: string, detail: string, offset: number) => notes.limit(what, detail, { offset });
    const offsetOf = (key: string) => pieces.offsetOf(key);
    const assumptions: Assumption[] = [];
    const usedFileTime = () => {
      if (assumptions.length === 0)
        assumptions.push({ name: 'moment', value: 'a dump was taken when its file was written' });
    };
    const context = { keys, dumpedMs: options.modifiedMs, offsetOf, note, usedFileTime };
    const { handler, level } = dumpKeys(shape, context);
    await parseDump({ input, pieces, isLines, settle: () => sink.settle(), damaged }, new ChildStream(handler, level));
    await input.drain();
    keys.finish();
    const moment = snapshotMoment(keys.savedAtSeconds, keys.lastStreamMs);
    const { redisVersion } = keys;
    sink.fact({
      type: 'snapshot',
      ...(moment === undefined ? {} : { momentMs: moment }),
      ...(redisVersion === undefined ? {} : { redisVersion }),
    });
    const records = keys.told + keys.entries;
    return {
      ...EMPTY,
      reason: `JSON with ${LAYOUTS[shape.layout]}; ${keys.told} keys belong to queues`,
      records,
      understood: records - keys.customEvents.total,
      damage: [...damage, ...keys.book.remarks],
      limits: [...notes.limits(), ...keys.gate.limits()],
      assumptions,
      unknownShapes: keys.customEvents.shapes(),
    };
  },
};

const EMPTY = {
  kind: 'redis',
  format: 'redis-json',
  records: 0,
  understood: 0,
  assumptions: [],
  unknownShapes: [],
} as const;
