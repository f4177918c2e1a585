/** Shapes of lines that were not understood, so that the report can show what kind of line was passed over. */

import { ownString } from './own-string.js';

const MAX_KEPT = 2000;
const MAX_SHAPE = 160;

export interface ShapeBook {
  add(text: string, line: number): void;
  /** The most frequent first, at most 20. */
  top(): { readonly shape: string; readonly count: number; readonly firstLine: number }[];
}

export function createShapeBook(): ShapeBook {
  const shapes = new Map<string, { count: number; firstLine: number }>();
  return {
    add(text, line) {
      const shape = shapeOf(text);
      const known = shapes.get(shape);
      if (known) known.count++;
      else if (shapes.size < MAX_KEPT) shapes.set(ownString(shape), { count: 1, firstLine: line });
    },
    top() {
      return [...shapes]
        .map(([shape, { count, firstLine }]) => ({ shape, count, firstLine }))
        .sort((a, b) => b.count - a.count || a.firstLine - b.firstLine)
        .slice(0, 20);
    },
  };
}

/** A line without what differs from one to the next: uuids are U, quoted texts S, numbers N. */
export function shapeOf(text: string): string {
  return text
    .slice(0, 2 * MAX_SHAPE)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, 'U')
    .replace(/"[^"]*"|'[^']*'/g, 'S')
    .replace(/\d+/g, 'N')
    .slice(0, MAX_SHAPE);
}
