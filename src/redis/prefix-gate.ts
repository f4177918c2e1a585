/**
 * The key prefix that the analyst named (`--prefix`): queues under any other are left out, and counted, so that the report
 * says what was not looked at. Without it every queue is taken that its keys show.
 */
import type { ReadLimit } from '../model/evidence.js';
import { type QueueKey, splitBase } from './keyspace.js';

const MAX_PREFIXES = 1000;
const MAX_TOLD = 20;

export class PrefixGate {
  readonly #start: string | undefined;
  /** Keys that were left out, by prefix. */
  readonly #left = new Map<string, number>();

  /** @param prefix what the analyst said, if anything. */
  constructor(prefix: string | undefined) {
    this.#start = prefix === undefined ? undefined : `${prefix}:`;
  }

  /** Whether a key is under the prefix. */
  covers(key: string): boolean {
    return this.#start === undefined || key.startsWith(this.#start);
  }

  /** The same for a key that was recognised; one that is left out is counted. */
  takes(key: QueueKey): boolean {
    if (!('base' in key)) return this.covers(key.jobKey);
    if (this.covers(`${key.base}:`)) return true;
    this.leave(key.base);
    return false;
  }

  /** Counts a key of a queue that is left out. */
  leave(base: string): void {
    const { prefix } = splitBase(base);
    const count = this.#left.get(prefix);
    if (count !== undefined || this.#left.size < MAX_PREFIXES) this.#left.set(prefix, (count ?? 0) + 1);
  }

  limits(): ReadLimit[] {
    return [...this.#left]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, MAX_TOLD)
      .map(([prefix, count]) => ({
        what: 'queues under another prefix',
        detail: `${count} keys or records of queues under the prefix ${prefix} were left out, because --prefix names another`,
      }));
  }
}
