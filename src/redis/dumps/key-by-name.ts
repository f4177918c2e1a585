/** What a key is by its name alone, where nothing tells the type of its value. */
import { parseQueueKey, type QueueKey } from '../keyspace.js';
import type { RdbKind } from '../rdb/index.js';

export interface NamedKey {
  readonly kind: RdbKind;
  readonly key: QueueKey;
}

/** Undefined for keys that say nothing about a queue. Any key with two colons may be a job's. */
export function keyByName(name: string): NamedKey | undefined {
  for (const kind of ['list', 'set', 'zset', 'stream', 'string', 'hash'] as const) {
    const key = parseQueueKey(name, kind);
    if (key !== undefined) return { kind, key };
  }
  return undefined;
}
