/**
 * One key of a dump, fed to the recognition of keys. What its value is follows from its type where the tool tells it, else
 * from its name and the form of the value: `<queue>:completed` is a sorted set, `<job>:failed` with texts a hash.
 */
import { parseQueueKey } from '../../keyspace.js';
import type { QueueKeys } from '../../queue-keys.js';
import type { RdbKind, RdbStreamState } from '../../rdb/index.js';
import { openKey, type ValueFeed } from '../key-feed.js';
import { parseStreamId } from '../stream-id.js';
import type { Built } from './child-stream.js';
import { streamEntries } from './stream-entries.js';

const KINDS: ReadonlyMap<string, RdbKind> = new Map([
  ...(['string', 'list', 'set', 'zset', 'hash', 'stream'] as const).map((kind) => [kind, kind] as const),
  ['sortedset', 'zset'],
]);

export interface KeyOptions {
  readonly toBytes: (text: string) => Buffer;
  /** Pairs in arrays are score and member, not member and score. */
  readonly scoreFirst: boolean;
}

/** A number as a score is printed; undefined for other text. */
export function scoreOf(text: Built): number | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const infinite = /^([+-]?)inf(?:inity)?$/i.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const score = Number(text);
  return Number.isNaN(score) ? undefined : score;
}

export class KeyValue {
  readonly #keys: QueueKeys;
  readonly #options: KeyOptions;
  #key = '';
  #db = 0;
  #offset = -1;
  #type: RdbKind | undefined;
  #feed: ValueFeed | undefined;
  #kind: RdbKind | undefined;
  /** Members of a stream beside its entries. */
  readonly #state = new Map<string, string>();

  constructor(keys: QueueKeys, options: KeyOptions) {
    this.#keys = keys;
    this.#options = options;
  }

  begin(key: string, db: number, offset: number): void {
    this.#key = key;
    this.#db = db;
    this.#offset = offset;
    this.#type = undefined;
    this.#feed = undefined;
    this.#kind = undefined;
    this.#state.clear();
  }

  set type(type: string) {
    this.#type = KINDS.get(type);
  }

  /** Whether an array or object under this key may say something about a queue. */
  isWanted(isArray: boolean): boolean {
    const kinds = this.#type !== undefined ? [this.#type] : isArray ? LISTS : MAPS;
    return kinds.some((kind) => parseQueueKey(this.#key, kind) !== undefined);
  }

  get isStream(): boolean {
    return (this.#kind ?? this.#type) === 'stream' || (this.#type === undefined && this.#key.endsWith(':events'));
  }

  string(value: string, expiresAtMs: number | undefined): void {
    if (this.#type !== undefined && this.#type !== 'string') return;
    if (parseQueueKey(this.#key, 'string') === undefined) return;
    const feed = this.#open('string', expiresAtMs);
    feed?.string(this.#options.toBytes(value));
    feed?.end();
    this.#feed = undefined;
  }

  /** An element of the value. `name`: in an object, its member's. */
  element(name: string, value: Built): void {
    if (this.#kind === undefined) {
      this.#kind = this.#type ?? this.#kindBy(name, value);
      this.#feed = this.#open(this.#kind, undefined);
    }
    const feed = this.#feed;
    if (feed === undefined) return;
    const { toBytes } = this.#options;
    switch (this.#kind) {
      case 'list':
        if (typeof value === 'string') feed.listItem(toBytes(value));
        break;
      case 'set':
        if (typeof value === 'string') feed.setMember(toBytes(value));
        break;
      case 'hash':
        if (typeof value === 'string') feed.hashField(toBytes(name), toBytes(value));
        break;
      case 'zset':
        this.#zsetMember(feed, name, value);
        break;
      case 'stream':
        if (typeof value === 'string') this.state(name, value);
        else for (const entry of streamEntries(value, toBytes)) feed.streamEntry(entry);
        break;
      default:
    }
  }

  /** A member that tells something about the stream as a whole. */
  state(name: string, value: string): void {
    this.#state.set(name.toLowerCase(), value);
  }

  end(): void {
    const state = this.#kind === 'stream' ? this.#streamState() : undefined;
    if (state !== undefined) this.#feed?.streamState(state);
    this.#feed?.end();
    this.#feed = undefined;
  }

  #open(kind: RdbKind, expiresAtMs: number | undefined): ValueFeed | undefined {
    const name = this.#options.toBytes(this.#key);
    return openKey(this.#keys, { db: this.#db, name, kind, expiresAtMs, offset: this.#offset });
  }

  #kindBy(name: string, value: Built): RdbKind {
    const kinds = name === '' ? LISTS : MAPS;
    const found = kinds.find((kind) => parseQueueKey(this.#key, kind) !== undefined);
    if (found === 'zset' && name !== '' && scoreOf(value) === undefined) return 'hash';
    return found ?? (name === '' ? 'list' : 'hash');
  }

  #zsetMember(feed: ValueFeed, name: string, value: Built): void {
    let member: Built = name;
    let score: Built = value;
    if (value instanceof Map) {
      member = value.get('member') ?? value.get('value');
      score = value.get('score');
    } else if (Array.isArray(value)) {
      [member, score] = this.#options.scoreFirst ? [value[1], value[0]] : value;
    }
    const number = scoreOf(score);
    if (typeof member === 'string' && number !== undefined) feed.zsetMember(this.#options.toBytes(member), number);
  }

  #streamState(): RdbStreamState | undefined {
    const text = (...names: string[]) =>
      names.map((name) => this.#state.get(name)).find((value) => value !== undefined);
    const length = scoreOf(text('length', 'len'));
    const last = parseStreamId(text('lastid') ?? '');
    if (length === undefined || last === undefined) return undefined;
    const first = parseStreamId(text('firstid') ?? '');
    const maxDeleted = parseStreamId(text('maxdelentryid', 'maxdeletedid') ?? '');
    const entriesAdded = scoreOf(text('entriesadded', 'addedentriescount'));
    return {
      ...{ length, last },
      ...(first === undefined ? {} : { first }),
      ...(maxDeleted === undefined ? {} : { maxDeleted }),
      ...(entriesAdded === undefined ? {} : { entriesAdded }),
    };
  }
}

/** In the order in which a name decides: a queue's own names before that of any job. */
const LISTS: readonly RdbKind[] = ['list', 'set', 'zset', 'stream'];
const MAPS: readonly RdbKind[] = ['stream', 'zset', 'hash'];
