/** Gives each mark of a lane a place where it touches no other: a level up, or counted with its like. */
import type { Mark, MarkKind } from '../sections/lane-chart.js';

export interface PlacedMark {
  readonly kind: MarkKind;
  readonly x: number;
  readonly level: number;
  readonly count: number;
  readonly labels: readonly string[];
}

/** Room a mark takes with its count beside it, px. */
const ROOM = 14;
const ROOM_WITH_COUNT = 40;

export function placeMarks(marks: readonly Mark[], x: (ms: number) => number): PlacedMark[] {
  const free: number[] = [];
  return merged(marks, x).map((mark) => {
    const left = mark.x - ROOM / 2;
    const open = free.findIndex((end) => end <= left);
    const level = open === -1 ? free.length : open;
    free[level] = left + (mark.count > 1 ? ROOM_WITH_COUNT : ROOM);
    return { ...mark, level };
  });
}

/** Marks of one kind that would lie on each other become one with a count. */
function merged(marks: readonly Mark[], x: (ms: number) => number): Omit<PlacedMark, 'level'>[] {
  const kinds = new Map<MarkKind, { kind: MarkKind; x: number; count: number; labels: string[] }[]>();
  for (const mark of [...marks].sort((a, b) => a.atMs - b.atMs)) {
    const at = x(mark.atMs);
    const of = kinds.get(mark.kind) ?? [];
    const last = of.at(-1);
    if (last !== undefined && at - last.x < ROOM) {
      last.count += 1;
      last.labels.push(mark.label);
    } else of.push({ kind: mark.kind, x: at, count: 1, labels: [mark.label] });
    kinds.set(mark.kind, of);
  }
  return [...kinds.values()].flat().sort((a, b) => a.x - b.x);
}
