/** Which queues a log of commands has named so far, and what the keys of their jobs are called. */
import { DEFAULT_PREFIX, guessJobKey, type JobName, type QueueName, splitBase, splitJobKey } from '../keyspace.js';

/** A log that names more queues than this is not one of BullMQ's. */
const MAX_QUEUES = 100_000;

/** A worker's token since BullMQ 3.3.5; before, and in Bull, a uuid alone. No other program writes this into a `:lock`. */
const WORKER_TOKEN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:\d+$/;

export class QueueNames {
  readonly #knownPrefix: string | undefined;
  readonly #start: string;
  readonly #bases = new Map<string, QueueName>();

  /** @param knownPrefix what the analyst said, if anything. */
  constructor(knownPrefix: string | undefined) {
    this.#knownPrefix = knownPrefix;
    this.#start = `${knownPrefix ?? DEFAULT_PREFIX}:`;
  }

  /** Notes that `<prefix>:<queue>` is a queue. */
  note(base: string): QueueName {
    let name = this.#bases.get(base);
    if (name === undefined) {
      name = splitBase(base, this.#knownPrefix);
      if (this.#bases.size < MAX_QUEUES) this.#bases.set(base, name);
    }
    return name;
  }

  nameOf(base: string): QueueName {
    return this.#bases.get(base) ?? splitBase(base, this.#knownPrefix);
  }

  /** Whether a key is under a queue that was seen or under the usual prefix. */
  owns(base: string): boolean {
    return this.#bases.has(base) || base.startsWith(this.#start);
  }

  /**
   * The queue and id of a job's key; undefined where it is some other program's key, as far as can be told.
   *
   * @param token value of the job's lock, if at hand: one of BullMQ's form proves the queue.
   */
  cut(jobKey: string, token?: string): JobName | undefined {
    const cut = splitJobKey(jobKey, (base) => this.#bases.has(base));
    if (cut && this.#bases.has(cut.base)) return cut;
    const proven = token !== undefined && WORKER_TOKEN.test(token);
    if (!proven && !jobKey.startsWith(this.#start)) return undefined;
    const likely = cut ?? guessJobKey(jobKey, this.#start.slice(0, -1));
    return likely.base.includes(':') && likely.job !== '' ? likely : undefined;
  }
}
