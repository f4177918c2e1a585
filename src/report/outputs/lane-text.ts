/** The lane chart in plain characters, for Markdown fences and terminals. ASCII only: every terminal gives it one column. */
import type { Bar, Lane, LaneChart, Mark, MarkKind } from '../sections/lane-chart.js';
import { fitWidth, textWidth } from './text-width.js';

const GUTTER = 26;
const NAME = 17;
const TICK_ROOM = 14;

const SIGNS: Readonly<Record<MarkKind, string>> = {
  progress: '.',
  returned: 'R',
  acknowledged: 'A',
  stalled: 'S',
  'lock-error': 'E',
  process: 'P',
  redis: 'C',
};

const WORDS: Readonly<Record<MarkKind, string>> = {
  progress: 'progress',
  returned: 'returned',
  acknowledged: 'acknowledged',
  stalled: 'stalled',
  'lock-error': 'lock error',
  process: 'process event',
  redis: 'connection',
};

/** Lines of the chart, none wider than `width` characters except where names are. */
export function laneText(chart: LaneChart, width: number): string[] {
  const plot = Math.max(20, width - GUTTER - 1);
  const span = chart.axis.toMs - chart.axis.fromMs;
  const column = (ms: number): number =>
    Math.min(plot - 1, Math.max(0, Math.floor(((ms - chart.axis.fromMs) / span) * plot)));
  const used = new Set<string>();
  const lines = [
    ...axisLines(chart, plot, column),
    ...chart.lanes.flatMap((lane) => laneLines(lane, plot, column, used)),
  ];
  return [...lines, '', ...legend(used, width)].map((line) => line.trimEnd());
}

function axisLines(chart: LaneChart, plot: number, column: (ms: number) => number): string[] {
  const every = Math.max(1, Math.ceil((chart.axis.ticks.length * TICK_ROOM) / plot));
  const labels = new Array<string>(plot + TICK_ROOM).fill(' ');
  const pegs = new Array<string>(plot).fill(' ');
  chart.axis.ticks.forEach((tick, index) => {
    if (index % every !== 0) return;
    const at = column(tick);
    const label = chart.tickLabels[index] ?? '';
    if (at + label.length > plot) return;
    pegs[at] = '|';
    put(labels, at, label);
  });
  return [' '.repeat(GUTTER) + labels.join(''), ' '.repeat(GUTTER) + pegs.join('')];
}

function laneLines(lane: Lane, plot: number, column: (ms: number) => number, used: Set<string>): string[] {
  const short = fitWidth(lane.name, NAME, '~');
  const name = short + ' '.repeat(NAME + 1 - textWidth(short));
  const rows = lane.bars.flatMap((bar) => barLines(bar, plot, column, used));
  if (lane.marks.length > 0) rows.push(['marks', markCells(lane.marks, plot, column, used)]);
  if (rows.length === 0) rows.push(['', []]);
  return rows.map(
    ([label, cells], index) =>
      (index === 0 ? name : ' '.repeat(NAME + 1)) + label.padEnd(GUTTER - NAME - 1) + cells.join(''),
  );
}

function barLines(bar: Bar, plot: number, column: (ms: number) => number, used: Set<string>): [string, string[]][] {
  const run = new Array<string>(plot).fill(' ');
  const unlocked = bar.unlockedFromMs === undefined ? undefined : column(bar.unlockedFromMs);
  const seen = column(bar.seenToMs);
  for (let at = column(bar.fromMs); at <= column(bar.toMs); at++) {
    const sign = at > seen ? '?' : unlocked !== undefined && at >= unlocked ? '-' : '=';
    set(run, at, sign, used);
  }
  for (const mark of bar.marks) set(run, column(mark.atMs), SIGNS[mark.kind], used);
  run[column(bar.fromMs)] = '[';
  if (bar.seenToMs === bar.toMs && !bar.marks.some((mark) => column(mark.atMs) === column(bar.toMs)))
    run[column(bar.toMs)] = ']';
  const lines: [string, string[]][] = [[bar.name, run]];
  if (bar.lease !== undefined) {
    const lock = new Array<string>(plot).fill(' ');
    for (let at = column(bar.lease.fromMs); at <= column(bar.lease.toMs); at++) lock[at] = '~';
    used.add('~');
    if (bar.lease.end === 'ran out') set(lock, column(bar.lease.toMs), 'x', used);
    if (bar.lease.end === 'deleted') set(lock, column(bar.lease.toMs), 'd', used);
    lines.push(['  lock', lock]);
  }
  return lines;
}

function markCells(marks: readonly Mark[], plot: number, column: (ms: number) => number, used: Set<string>): string[] {
  const cells = new Array<string>(plot).fill(' ');
  for (const mark of marks) {
    const at = column(mark.atMs);
    const sign = SIGNS[mark.kind];
    set(cells, at, cells[at] === ' ' || cells[at] === sign ? sign : '*', used);
  }
  return cells;
}

function legend(used: ReadonlySet<string>, width: number): string[] {
  const all: readonly (readonly [string, string])[] = [
    ['=', 'handler ran'],
    ['-', 'ran without its lock'],
    ['?', 'end not seen'],
    ['~', 'lock held'],
    ['x', 'lock ran out'],
    ['d', 'lock deleted'],
    ...Object.entries(WORDS).map(([kind, word]) => [signOf(kind), word] as const),
    ['*', 'several'],
  ];
  const lines: string[] = [];
  for (const [sign, word] of all) {
    if (!used.has(sign)) continue;
    const item = `${sign} ${word}`;
    const last = lines.at(-1);
    if (last === undefined || last.length + item.length + 3 > width) lines.push(item);
    else lines[lines.length - 1] = `${last}   ${item}`;
  }
  return lines;
}

function signOf(kind: string): string {
  return Object.entries(SIGNS).find(([name]) => name === kind)?.[1] ?? '';
}

function set(cells: string[], at: number, sign: string, used: Set<string>): void {
  cells[at] = sign;
  used.add(sign);
}

function put(cells: string[], at: number, label: string): void {
  [...label].forEach((character, index) => {
    cells[at + index] = character;
  });
}
