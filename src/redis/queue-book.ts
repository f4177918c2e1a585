/**
 * Which queues a snapshot holds, as far as was seen.
 *
 * Keys come in hash order, so a job may be seen before anything shows that its queue exists. What hangs on that (keys
 * that can be cut at several places, locks, counters) waits here, in bounded number, for the end of the database.
 */
import { DEFAULT_PREFIX, guessJobKey, type JobName, type QueueName, splitBase, splitJobKey } from './keyspace.js';
import { oneLine } from './to-events.js';

const MAX_WAITING = 20_000;
const MAX_REMARKS = 50;

interface KnownQueue {
  readonly name: QueueName;
  /** Keys of the queue itself that were seen, to notice one that comes twice. */
  readonly seen: Set<string>;
}

/** Something that can only be told once the queues are known. */
export interface Waiting {
  /** Key of a job, to be cut; or `<prefix>:<queue>`. */
  readonly of: { readonly jobKey: string } | { readonly base: string };
  /** Without a queue that fits: told all the same, or only under the usual prefix. */
  readonly orphan: 'told' | 'told-under-prefix';
  readonly tell: (name: QueueName, job: string) => void;
}

/** A plain sentence about what looks wrong. */
export interface Remark {
  readonly what: string;
  readonly offset: number;
}

export class QueueBook {
  readonly remarks: Remark[] = [];
  readonly #knownPrefix: string | undefined;
  #db = 0;
  #queues = new Map<string, KnownQueue>();
  #waiting: Waiting[] = [];

  /** @param knownPrefix what the analyst said, if anything. */
  constructor(knownPrefix: string | undefined) {
    this.#knownPrefix = knownPrefix;
  }

  /** Queues of one name in two databases are two queues; what waited is told first. */
  enterDatabase(db: number): void {
    if (db === this.#db) return;
    this.settle();
    this.#queues = new Map();
    this.#db = db;
  }

  has(base: string): boolean {
    return this.#queues.has(base);
  }

  nameOf(base: string): QueueName {
    return this.#queues.get(base)?.name ?? splitBase(base, this.#knownPrefix, this.#db);
  }

  /** Notes that a queue exists and, where given, that `part` of it was seen. */
  note(base: string, offset: number, part?: string): QueueName {
    let known = this.#queues.get(base);
    if (known === undefined) {
      known = { name: splitBase(base, this.#knownPrefix, this.#db), seen: new Set() };
      this.#queues.set(base, known);
    }
    if (part !== undefined) {
      if (known.seen.has(part)) {
        this.#remark(`the key ${base}:${part} stands twice in database ${this.#db}; both were kept`, offset);
      }
      known.seen.add(part);
    }
    return known.name;
  }

  /** Cuts a job's key if that is certain by now. */
  cut(jobKey: string): JobName | undefined {
    return splitJobKey(jobKey, (base) => this.#queues.has(base));
  }

  /** Tells at once if the queue is known, else at the end of the database. */
  whenKnown(waiting: Waiting): void {
    if (this.#tellIfKnown(waiting)) return;
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(waiting);
    else this.#tellOrphan(waiting);
  }

  /** Tells what waited. */
  settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) if (!this.#tellIfKnown(one)) this.#tellOrphan(one);
  }

  #tellIfKnown({ of, tell }: Waiting): boolean {
    const cut = 'base' in of ? { base: of.base, job: '' } : this.cut(of.jobKey);
    const known = cut && this.#queues.get(cut.base);
    if (!cut || !known) return false;
    tell(known.name, cut.job);
    return true;
  }

  #tellOrphan({ of, orphan, tell }: Waiting): void {
    const prefix = this.#knownPrefix ?? DEFAULT_PREFIX;
    const text = 'base' in of ? of.base : of.jobKey;
    if (orphan === 'told-under-prefix' && !text.startsWith(`${prefix}:`)) return;
    const cut = 'base' in of ? { base: of.base, job: '' } : (this.cut(text) ?? guessJobKey(text, prefix));
    tell(this.nameOf(cut.base), cut.job);
  }

  #remark(what: string, offset: number): void {
    if (this.remarks.length < MAX_REMARKS) this.remarks.push({ what: oneLine(what), offset });
  }
}
