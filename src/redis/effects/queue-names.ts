/** Which queues a log of commands has named so far, and what the keys of their jobs are called. */
import {
  DEFAULT_PREFIX,
  guessJobKey,
  isRelayKey,
  type JobName,
  parseQueueKey,
  type QueueName,
  splitBase,
  splitJobKey,
} from '../keyspace.js';
import { PrefixGate } from '../prefix-gate.js';

/** A log that names more queues than this is not one of BullMQ's. */
const MAX_QUEUES = 100_000;

const EVENTS = ':events';

/** A worker's token since BullMQ 3.3.5. No other program writes this into a key that ends in `:lock`. */
const WORKER_TOKEN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:\d+$/;

/** The key of an events stream, in one database. */
export interface EventsKey {
  readonly db: number;
  readonly key: string;
  readonly base: string;
  readonly name: QueueName;
}

export class QueueNames {
  readonly gate: PrefixGate;
  readonly #knownPrefix: string | undefined;
  readonly #start: string;
  readonly #databases = new Map<number, Map<string, QueueName>>();
  #db = 0;
  #bases = new Map<string, QueueName>();
  /** `<db> <base>` of the queues of Bull. */
  readonly #bulls = new Set<string>();
  readonly #isBase = (base: string): boolean => this.#bases.has(base);

  /** @param knownPrefix what the analyst said, if anything. */
  constructor(knownPrefix: string | undefined) {
    this.gate = new PrefixGate(knownPrefix);
    this.#knownPrefix = knownPrefix;
    this.#start = `${knownPrefix ?? DEFAULT_PREFIX}:`;
    this.#databases.set(0, this.#bases);
  }

  get db(): number {
    return this.#db;
  }

  /** Queues of one name in two databases are two queues. */
  enterDatabase(db: number): void {
    if (db === this.#db) return;
    this.#db = db;
    let bases = this.#databases.get(db);
    if (bases === undefined) {
      bases = new Map();
      this.#databases.set(db, bases);
    }
    this.#bases = bases;
  }

  /** Notes that `<prefix>:<queue>` is a queue. */
  note(base: string, name?: QueueName): QueueName {
    const known = this.#bases.get(base);
    if (known !== undefined) return known;
    const made = name ?? splitBase(base, this.#knownPrefix, this.#db);
    if (this.#bases.size < MAX_QUEUES) this.#bases.set(base, made);
    return made;
  }

  /** Notes that a queue is one of Bull. */
  noteBull(base: string): void {
    this.#bulls.add(`${this.#db} ${base}`);
  }

  get hasBull(): boolean {
    return this.#bulls.size > 0;
  }

  isBull(base: string): boolean {
    return this.#bulls.has(`${this.#db} ${base}`);
  }

  nameOf(base: string): QueueName {
    return this.#bases.get(base) ?? splitBase(base, this.#knownPrefix, this.#db);
  }

  /** Whether a key is under a queue that was seen or under the usual prefix. */
  owns(base: string): boolean {
    return this.#bases.has(base) || base.startsWith(this.#start);
  }

  /** Whether the queue is looked at at all; one that is left out is counted. */
  takes(base: string): boolean {
    if (this.#bases.has(base) || this.gate.covers(`${base}:`)) return true;
    this.gate.leave(base);
    return false;
  }

  /** Takes the key of an events stream apart; undefined if it is some other key. */
  eventsKey(key: string): EventsKey | undefined {
    if (parseQueueKey(key, 'stream')?.what !== 'events') return undefined;
    const base = key.slice(0, -EVENTS.length);
    return this.takes(base) ? { db: this.#db, key, base, name: this.nameOf(base) } : undefined;
  }

  /**
   * The queue and id of a job's key; undefined where it is some other program's key, as far as can be told.
   *
   * @param token value of the job's lock, if at hand: one of BullMQ's form proves the queue.
   */
  cut(jobKey: string, token?: string): JobName | undefined {
    if (isRelayKey(jobKey) || !this.gate.covers(jobKey)) return undefined;
    const cut = splitJobKey(jobKey, this.#isBase);
    if (cut && this.#bases.has(cut.base)) return cut;
    const proven = token !== undefined && WORKER_TOKEN.test(token);
    if (!proven && !jobKey.startsWith(this.#start)) return undefined;
    const likely = cut ?? guessJobKey(jobKey, this.#start.slice(0, -1));
    return likely.base.includes(':') && likely.job !== '' ? likely : undefined;
  }
}
