/** Which keys of a command belong to the job that was asked for, in any reading of its name. */
import type { JobReading } from '../../model/asked-job.js';
import { QUEUE_SETS, type QueueSet } from '../../model/fact.js';

/** Where a write goes: to a key of the job itself, or to one of its queue. */
export type Target =
  | { readonly key: 'hash' | 'lock'; readonly jobKey: string; readonly id: string }
  | { readonly key: QueueSet; readonly base: string };

const LOCK = ':lock';
const SETS: ReadonlyMap<string, QueueSet> = new Map(QUEUE_SETS.map((set) => [set, set]));

export class AskedKeys {
  /** Ids of the job in all readings. */
  readonly ids: readonly string[];
  readonly #readings: readonly JobReading[];

  constructor(readings: readonly JobReading[]) {
    this.#readings = readings;
    this.ids = [...new Set(readings.map(({ id }) => id))];
  }

  /** What a key is to the job; undefined for any other key. */
  target(key: string): Target | undefined {
    if (key.endsWith(LOCK)) {
      const id = this.ids.find((one) => this.#isUnder(key, `:${one}${LOCK}`, one));
      if (id !== undefined) return { key: 'lock', jobKey: key.slice(0, -LOCK.length), id };
    }
    for (const id of this.ids) if (this.#isUnder(key, `:${id}`, id)) return { key: 'hash', jobKey: key, id };
    const colon = key.lastIndexOf(':');
    const set = SETS.get(key.slice(colon + 1));
    const base = key.slice(0, Math.max(colon, 0));
    return set !== undefined && this.idsIn(base).length > 0 ? { key: set, base } : undefined;
  }

  /** Ids that the job may have in this queue. */
  idsIn(base: string): readonly string[] {
    return this.ids.filter((id) => this.#mayBeIn(base, id));
  }

  #isUnder(key: string, end: string, id: string): boolean {
    return key.endsWith(end) && this.#mayBeIn(key.slice(0, -end.length), id);
  }

  /** Whether a `<prefix>:<queue>` fits what was said of the queue. The prefix may have been left out, or be another's. */
  #mayBeIn(base: string, id: string): boolean {
    if (!base.includes(':')) return false;
    return this.#readings.some(
      (reading) =>
        reading.id === id && (reading.queue === undefined || lastSegment(reading.queue) === lastSegment(base)),
    );
  }
}

const lastSegment = (name: string): string => name.slice(name.lastIndexOf(':') + 1);
