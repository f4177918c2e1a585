/** Counts lines that are not MONITOR's by what they look like. */
import type { ReadReport } from '../../model/evidence.js';
import { oneLine } from '../to-events.js';

const MAX_SHAPES = 200;
const MAX_LENGTH = 60;
const MAX_TOLD = 20;

export class UnknownLines {
  readonly #shapes = new Map<string, { count: number; firstLine: number }>();

  count(text: string, line: number): void {
    const shape = oneLine(text, MAX_LENGTH).replace(/\d+/g, '0');
    const counted = this.#shapes.get(shape);
    if (counted) counted.count++;
    else if (this.#shapes.size < MAX_SHAPES) this.#shapes.set(shape, { count: 1, firstLine: line });
  }

  /** Most frequent first. */
  shapes(): ReadReport['unknownShapes'] {
    return [...this.#shapes]
      .map(([shape, { count, firstLine }]) => ({ shape, count, firstLine }))
      .sort((a, b) => b.count - a.count || a.firstLine - b.firstLine)
      .slice(0, MAX_TOLD);
  }
}
