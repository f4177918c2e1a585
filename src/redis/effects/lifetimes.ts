/**
 * Settings of workers that show in what they write: the life of a lock, the interval of sweeps, the version of the
 * library; and what schedulers make. Told as facts of the queue, each distinct value once.
 */
import type { MetaFact } from '../../model/fact.js';
import type { QueueName } from '../keyspace.js';

export type LearnedField = 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'version' | 'library' | 'scheduler';

/** No group of workers has more settings than this; a log that shows more is hostile. */
const MAX_VALUES = 20;
const MAX_QUEUES = 10_000;

/**
 * A life measured between two commands of one script falls short of the setting where the clock went on in between
 * (Redis up to 7.0 does not stop it during a script). Settings are round numbers: 1999 ms stands for 2000.
 */
const SHORTFALL_MS = 2;
const ROUND_MS = 100;

interface QueueLearnings {
  readonly name: QueueName;
  readonly fields: Map<LearnedField, Map<string, number>>;
}

export class Lifetimes {
  readonly #queues = new Map<string, QueueLearnings>();

  /** A value as it stands in a command. `offset`: where it was seen first. */
  note(base: string, name: QueueName, field: LearnedField, value: string, offset: number): void {
    const values = this.#values(base, name, field);
    if (values && !values.has(value) && values.size < MAX_VALUES) values.set(value, offset);
  }

  /**
   * A duration measured between two commands of one script.
   *
   * @returns the setting it stands for; undefined if it is no duration.
   */
  measure(base: string, name: QueueName, field: LearnedField, measuredMs: number, offset: number): number | undefined {
    if (!Number.isSafeInteger(measuredMs) || measuredMs <= 0) return undefined;
    const round = Math.ceil(measuredMs / ROUND_MS) * ROUND_MS;
    const ms = round - measuredMs <= SHORTFALL_MS ? round : measuredMs;
    const values = this.#values(base, name, field);
    if (values === undefined) return ms;
    for (let more = 0; more <= SHORTFALL_MS; more++) if (values.has(String(ms + more))) return ms + more;
    for (let less = 1; less <= SHORTFALL_MS; less++) values.delete(String(ms - less));
    if (values.size < MAX_VALUES) values.set(String(ms), offset);
    return ms;
  }

  /** The durations learned so far, ms. */
  durations(base: string, field: LearnedField): number[] {
    const values = this.#queues.get(base)?.fields.get(field);
    return values === undefined ? [] : [...values.keys()].map(Number);
  }

  facts(): MetaFact[] {
    return [...this.#queues.values()].flatMap(({ name, fields }) =>
      [...fields].flatMap(([field, values]) =>
        [...values].map(([value, offset]): MetaFact => ({ type: 'meta', ...name, field, value, offset })),
      ),
    );
  }

  #values(base: string, name: QueueName, field: LearnedField): Map<string, number> | undefined {
    let queue = this.#queues.get(base);
    if (queue === undefined) {
      if (this.#queues.size === MAX_QUEUES) return undefined;
      queue = { name, fields: new Map() };
      this.#queues.set(base, queue);
    }
    let values = queue.fields.get(field);
    if (values === undefined) {
      values = new Map();
      queue.fields.set(field, values);
    }
    return values;
  }
}
