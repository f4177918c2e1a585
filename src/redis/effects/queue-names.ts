/** Which queues a log of commands has named so far, and what the keys of their jobs are called. */
import {
  DEFAULT_PREFIX,
  guessJobKey,
  type JobName,
  parseQueueKey,
  type QueueName,
  splitBase,
  splitJobKey,
} from '../keyspace.js';

/** A log that names more queues than this is not one of BullMQ's. */
const MAX_QUEUES = 100_000;

const EVENTS = ':events';

/** A worker's token since BullMQ 3.3.5. No other program writes this into a key that ends in `:lock`. */
const WORKER_TOKEN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:\d+$/;

/** The key of an events stream. */
export interface EventsKey {
  readonly key: string;
  readonly base: string;
  readonly name: QueueName;
}

export class QueueNames {
  readonly #knownPrefix: string | undefined;
  readonly #start: string;
  readonly #bases = new Map<string, QueueName>();
  readonly #isBase = (base: string): boolean => this.#bases.has(base);

  /** @param knownPrefix what the analyst said, if anything. */
  constructor(knownPrefix: string | undefined) {
    this.#knownPrefix = knownPrefix;
    this.#start = `${knownPrefix ?? DEFAULT_PREFIX}:`;
  }

  /** Notes that `<prefix>:<queue>` is a queue. */
  note(base: string, name?: QueueName): QueueName {
    const known = this.#bases.get(base);
    if (known !== undefined) return known;
    const made = name ?? splitBase(base, this.#knownPrefix);
    if (this.#bases.size < MAX_QUEUES) this.#bases.set(base, made);
    return made;
  }

  nameOf(base: string): QueueName {
    return this.#bases.get(base) ?? splitBase(base, this.#knownPrefix);
  }

  /** Whether a key is under a queue that was seen or under the usual prefix. */
  owns(base: string): boolean {
    return this.#bases.has(base) || base.startsWith(this.#start);
  }

  /** Takes the key of an events stream apart; undefined if it is some other key. */
  eventsKey(key: string): EventsKey | undefined {
    if (parseQueueKey(key, 'stream')?.what !== 'events') return undefined;
    const base = key.slice(0, -EVENTS.length);
    return { key, base, name: this.nameOf(base) };
  }

  /**
   * The queue and id of a job's key; undefined where it is some other program's key, as far as can be told.
   *
   * @param token value of the job's lock, if at hand: one of BullMQ's form proves the queue.
   */
  cut(jobKey: string, token?: string): JobName | undefined {
    const cut = splitJobKey(jobKey, this.#isBase);
    if (cut && this.#bases.has(cut.base)) return cut;
    const proven = token !== undefined && WORKER_TOKEN.test(token);
    if (!proven && !jobKey.startsWith(this.#start)) return undefined;
    const likely = cut ?? guessJobKey(jobKey, this.#start.slice(0, -1));
    return likely.base.includes(':') && likely.job !== '' ? likely : undefined;
  }
}
