/**
 * Records as JSON: one object a line, or a document that holds them in an array. Exports of MongoDB (mongoexport), DynamoDB (to
 * S3, or `scan`) and dumps of Redis keys are such objects in wrappings of their own.
 */
import type { Damage } from '../../model/evidence.js';
import type { RecordPlace } from '../../model/idempotency-record.js';
import type { RecordCell } from '../cell.js';
import { type Gathering, gather } from '../gather.js';
import { MOST_DAMAGES, type RecordReadOptions, type RecordReadReport, type TakeRecord } from '../reader.js';
import { readDocument } from './document.js';
import { readLines } from './lines.js';
import { isObject, objectCells } from './object-cells.js';
import { isRecordKey, redisCells } from './redis-value.js';
import type { OnFault, OnValue } from './value-sink.js';

export type JsonLayout = 'lines' | 'document';

const MOST_NAMES = 2000;

export async function readJson(
  blocks: AsyncIterable<Uint8Array>,
  format: string,
  layout: JsonLayout,
  options: RecordReadOptions,
  take: TakeRecord,
): Promise<RecordReadReport> {
  const plain = new Layout(options, take, undefined);
  const redis = new Layout(options, take, 'a key of Redis stands once');
  const damage: Damage[] = [];
  let rejected = 0;
  const fault: OnFault = (what, line, offset) => {
    rejected++;
    if (damage.length < MOST_DAMAGES) damage.push({ what, line, offset });
  };
  const value: OnValue = (read, line, offset) => {
    if (!isObject(read)) fault('a value that is no object names no key', line, offset);
    else if (isRedisDump(read)) {
      if (isRecordKey(read.key))
        redis.add({ line, offset, redisKey: read.key }, (put) =>
          redisCells(read.key, redisValue(read.value ?? read.hash), expiryOf(read), put),
        );
    } else plain.add({ line, offset }, (put) => objectCells(read, put));
  };
  await (layout === 'lines' ? readLines(blocks, value, fault) : readDocument(blocks, value, fault));
  const finished = [plain.finish(), redis.finish()].flatMap((one) => (one === undefined ? [] : [one]));
  if (rejected > damage.length) damage.push({ what: `${rejected - damage.length} more values could not be read` });
  return {
    format,
    stores: finished.map((one) => one.store),
    rejected,
    salvaged: 0,
    damage,
    assumptions: finished.flatMap((one) => one.time.assumptions()),
    passedOver: [],
  };
}

type Put = (name: string, cell: RecordCell) => void;

/** Objects of one kind, whose members become columns in the order in which they are first seen. */
class Layout {
  readonly #names: string[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #gathering: Gathering;
  isUsed = false;

  constructor(options: RecordReadOptions, take: TakeRecord, uniqueKey: string | undefined) {
    const how = { ...options, mustLookLikeRecords: false, ...(uniqueKey === undefined ? {} : { uniqueKey }) };
    this.#gathering = gather(this.#names, how, take);
  }

  add(place: RecordPlace, fill: (put: Put) => void): void {
    this.isUsed = true;
    const cells: RecordCell[] = [];
    fill((name, cell) => {
      let index = this.#indexes.get(name);
      if (index === undefined) {
        if (this.#names.length >= MOST_NAMES) return;
        index = this.#names.length;
        this.#names.push(name);
        this.#indexes.set(name, index);
      }
      cells[index] = cell;
    });
    this.#gathering.row(cells, place);
  }

  finish() {
    return this.isUsed ? this.#gathering.finish() : undefined;
  }
}

interface RedisDumpEntry {
  readonly key: string;
  readonly [name: string]: unknown;
}

const REDIS_TYPES: readonly unknown[] = ['string', 'hash', 'list', 'set', 'zset', 'stream', 'aux'];

/** `{"key", "type", "value"}`, as dump tools of Redis write a key; some name the value by its type. */
function isRedisDump(value: Readonly<Record<string, unknown>>): value is RedisDumpEntry {
  if (typeof value.key !== 'string' || typeof value.type !== 'string') return false;
  return 'value' in value || (REDIS_TYPES.includes(value.type) && ('db' in value || 'hash' in value));
}

function redisValue(value: unknown): string | ReadonlyMap<string, string> {
  if (isObject(value))
    return new Map(Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? one : String(one)]));
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function expiryOf({ expiration, expiry, ttl }: RedisDumpEntry): string | undefined {
  const written = expiration ?? expiry ?? (typeof ttl === 'string' ? ttl : undefined);
  return written === undefined || written === null ? undefined : String(written);
}
