/**
 * Entries of an events stream that BullMQ did not write: publishers may add events of their own names. They are no
 * evidence, but are counted so that a report can say what was left aside.
 */
import type { ReadReport } from '../model/evidence.js';
import { oneLine } from './to-events.js';

const MAX_NAMES = 1000;
const MAX_NAME_LENGTH = 60;
const MAX_SHAPES = 20;

export class CustomEvents {
  total = 0;
  readonly #names = new Map<string, { count: number; first: number }>();

  /** @param seq sequence part of the entry's id. */
  count(event: string, seq: number): void {
    this.total++;
    this.#add(oneLine(event, MAX_NAME_LENGTH), 1, seq);
  }

  /** Adds what was counted in one stream. */
  add(other: CustomEvents): void {
    this.total += other.total;
    for (const [name, { count, first }] of other.#names) this.#add(name, count, first);
  }

  #add(name: string, count: number, first: number): void {
    const counted = this.#names.get(name);
    if (counted) counted.count += count;
    else if (this.#names.size < MAX_NAMES) this.#names.set(name, { count, first });
  }

  /** Most frequent first. */
  shapes(): ReadReport['unknownShapes'] {
    return [...this.#names]
      .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
      .slice(0, MAX_SHAPES)
      .map(([name, { count, first }]) => ({
        shape: `events stream: event ${JSON.stringify(name)}`,
        count,
        firstLine: first,
      }));
  }
}
