/**
 * The lane chart as SVG, drawn from numbers. Every text goes through `escaped`; nothing else from evidence reaches the markup.
 * Texts cannot meet: lane names and run names stand in the gutter on lines of their own, tick labels are spaced by the axis,
 * and marks that would touch move up a level or are counted.
 */
import Handlebars from 'handlebars';
import type { Bar, Lane, LaneChart, Mark } from '../sections/lane-chart.js';
import { type Legend, legendOf } from './lane-legend.js';
import { type PlacedMark, placeMarks } from './place-marks.js';
import { fitWidth } from './text-width.js';

const WIDTH = 920;
const GUTTER = 176;
const RIGHT = 46;
const TOP = 20;
const HEADER = 18;
const LEVEL = 14;
const BAR = 13;
const LEASE = 5;
const ROW_GAP = 9;
const LANE_GAP = 8;
const AXIS = 26;
const LEGEND_LINE = 20;
const GLYPH = 5;
const NAME_COLUMNS = 23;
/** Widest a character of the labels gets, px; labels are set in a monospace face so that this holds. */
const CHARACTER = 6.8;

const escaped = (value: string): string => Handlebars.escapeExpression(value);
const px = (value: number): string => String(Math.round(value * 10) / 10);

type Scale = (ms: number) => number;

/** @param id a prefix for ids, unique in the page and made by us */
export function laneSvg(chart: LaneChart, id: string): string {
  const plot = WIDTH - GUTTER - RIGHT;
  const span = chart.axis.toMs - chart.axis.fromMs;
  const x: Scale = (ms) =>
    GUTTER + (Math.min(Math.max(ms, chart.axis.fromMs), chart.axis.toMs) - chart.axis.fromMs) * (plot / span);
  const body: string[] = [];
  let y = TOP;
  for (const lane of chart.lanes) {
    const drawn = laneBody(lane, y, x);
    body.push(drawn.markup);
    y += drawn.height + LANE_GAP;
  }
  const legend = legendBody(legendOf(chart), y + AXIS + 8);
  const height = y + AXIS + 8 + legend.height;
  return [
    `<svg class="lanes" viewBox="0 0 ${WIDTH} ${px(height)}" width="${WIDTH}" height="${px(height)}" role="img" aria-labelledby="${id}-title ${id}-desc">`,
    `<title id="${id}-title">${escaped(chart.title)}</title>`,
    `<desc id="${id}-desc">${escaped(chart.description)}</desc>`,
    overlapBody(chart, y, x),
    axisBody(chart, y, x),
    ...body,
    legend.markup,
    '</svg>',
  ].join('\n');
}

function laneBody(lane: Lane, top: number, x: Scale): { markup: string; height: number } {
  const marks = placeMarks(lane.marks, x);
  const header = Math.max(HEADER, levels(marks) * LEVEL + 4);
  const parts = [
    `<line class="lane-rule" x1="0" x2="${WIDTH - RIGHT}" y1="${px(top)}" y2="${px(top)}"/>`,
    `<text class="lane-name" x="4" y="${px(top + 13)}">${escaped(fitWidth(lane.name, NAME_COLUMNS, '…'))}<title>${escaped(lane.name)}</title></text>`,
    ...marks.map((mark) => markBody(mark, top + header - 8)),
  ];
  let y = top + header;
  for (const bar of lane.bars) {
    const row = barBody(bar, y, x);
    parts.push(row.markup);
    y += row.height;
  }
  return { markup: parts.join('\n'), height: y - top };
}

function barBody(bar: Bar, top: number, x: Scale): { markup: string; height: number } {
  const marks = placeMarks(
    bar.marks.filter((mark) => mark.kind !== 'progress'),
    x,
  );
  const strip = marks.length === 0 ? 2 : levels(marks) * LEVEL;
  const y = top + strip;
  const heldTo = bar.unlockedFromMs ?? bar.seenToMs;
  const parts = [
    `<text class="run-name" x="16" y="${px(y + 11)}">${escaped(bar.name)}</text>`,
    `<g><title>${escaped(`${bar.name}, ${bar.label}`)}</title>`,
    box('run', x(bar.fromMs), x(heldTo), y, BAR),
    bar.unlockedFromMs === undefined ? '' : box('run-unlocked', x(bar.unlockedFromMs), x(bar.seenToMs), y, BAR),
    bar.seenToMs === bar.toMs ? '' : box('run-unseen', x(bar.seenToMs), x(bar.toMs), y, BAR),
    '</g>',
    ...bar.marks.filter((mark) => mark.kind === 'progress').map((mark) => progressBody(mark, y, x)),
    leaseBody(bar, y + BAR + 3, x),
    ...marks.map((mark) => markBody(mark, y - 8)),
  ];
  return { markup: parts.filter((part) => part !== '').join('\n'), height: strip + BAR + 3 + LEASE + ROW_GAP };
}

function leaseBody({ lease }: Bar, y: number, x: Scale): string {
  if (lease === undefined) return '';
  const words = {
    'ran out': 'lock held, then ran out',
    released: 'lock held, then released',
    deleted: 'lock held, then deleted',
    'at least': 'lock held at least so long',
  };
  const end =
    lease.end === 'ran out' || lease.end === 'deleted'
      ? `<path class="lease-end" d="M${px(x(lease.toMs))} ${px(y - 2)}v${LEASE + 4}"/>`
      : '';
  return `<g><title>${escaped(words[lease.end])}</title>${box(lease.end === 'at least' ? 'lease lease-open' : 'lease', x(lease.fromMs), x(lease.toMs), y, LEASE)}${end}</g>`;
}

function progressBody(mark: Mark, y: number, x: Scale): string {
  return `<path class="m-progress" d="M${px(x(mark.atMs))} ${px(y + 2)}v${BAR - 4}"><title>${escaped(mark.label)}</title></path>`;
}

function box(kind: string, from: number, to: number, y: number, height: number): string {
  return `<rect class="${kind}" x="${px(from)}" y="${px(y)}" width="${px(Math.max(to - from, 2))}" height="${height}" rx="2"/>`;
}

function markBody(mark: PlacedMark, baseline: number): string {
  const y = baseline - mark.level * LEVEL;
  const title = mark.labels.slice(0, 4).join('; ') + (mark.count > 4 ? `; ${mark.count - 4} more` : '');
  const digits = mark.count > 99 ? '99+' : String(mark.count);
  const count =
    mark.count > 1 ? `<text class="count" x="${px(mark.x + GLYPH + 3)}" y="${px(y + 4)}">×${digits}</text>` : '';
  return `<g class="mark m-${mark.kind}"><title>${escaped(title)}</title>${glyph(mark.kind, mark.x, y)}${count}</g>`;
}

function glyph(kind: Mark['kind'], x: number, y: number): string {
  const at = `${px(x)} ${px(y)}`;
  switch (kind) {
    case 'returned':
      return `<circle cx="${px(x)}" cy="${px(y)}" r="${GLYPH - 0.8}"/>`;
    case 'acknowledged':
      return `<path d="M${at}m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z"/>`;
    case 'stalled':
      return `<path d="M${at}m-5.5-4.5h11l-5.5 9.5z"/>`;
    case 'lock-error':
      return `<path d="M${at}m-4-4l8 8m0-8l-8 8"/>`;
    case 'process':
      return `<rect x="${px(x - 4.5)}" y="${px(y - 4.5)}" width="9" height="9"/>`;
    case 'redis':
      return `<path d="M${at}m-5.5 4.5h11l-5.5-9.5z"/>`;
    case 'progress':
      return `<path d="M${at}m0-5v10"/>`;
  }
}

function overlapBody(chart: LaneChart, bottom: number, x: Scale): string {
  let labelEnd = 0;
  return chart.overlaps
    .map(({ fromMs, toMs, label }) => {
      const [left, right] = [x(fromMs), x(toMs)];
      const half = (label.length * CHARACTER) / 2;
      const middle = Math.min(Math.max((left + right) / 2, GUTTER + half), WIDTH - half);
      const fits = middle - half > labelEnd;
      if (fits) labelEnd = middle + half;
      const text = fits
        ? `<text class="overlap-label" x="${px(middle)}" y="12" text-anchor="middle">${escaped(label)}</text>`
        : '';
      return `<g><title>${escaped(label)}</title><rect class="overlap" x="${px(left)}" y="${TOP - 4}" width="${px(Math.max(right - left, 1.5))}" height="${px(bottom - TOP)}"/>${text}</g>`;
    })
    .join('\n');
}

function axisBody(chart: LaneChart, y: number, x: Scale): string {
  const ticks = chart.axis.ticks.map((tick, index) => {
    const at = px(x(tick));
    return `<path class="grid" d="M${at} ${TOP}V${px(y)}"/><text class="tick" x="${at}" y="${px(y + 16)}" text-anchor="middle">${escaped(chart.tickLabels[index] ?? '')}</text>`;
  });
  return [...ticks, `<path class="axis" d="M${GUTTER} ${px(y)}H${WIDTH - RIGHT}"/>`].join('\n');
}

function legendBody(entries: readonly Legend[], top: number): { markup: string; height: number } {
  let [left, y] = [GUTTER, top];
  const items = entries.map((entry) => {
    const width = 30 + entry.text.length * CHARACTER;
    if (left + width > WIDTH) [left, y] = [GUTTER, y + LEGEND_LINE];
    const markup = legendItem(entry, left, y);
    left += width;
    return markup;
  });
  return { markup: items.join('\n'), height: y - top + LEGEND_LINE };
}

function legendItem({ kind, text }: Legend, left: number, y: number): string {
  const sample =
    kind === 'run' || kind === 'run-unlocked' || kind === 'run-unseen' || kind === 'lease'
      ? box(kind, left, left + 14, kind === 'lease' ? y + 4 : y, kind === 'lease' ? LEASE : BAR)
      : `<g class="mark m-${kind}">${glyph(kind, left + 7, y + 6.5)}</g>`;
  return `${sample}<text class="legend" x="${px(left + 19)}" y="${px(y + 10.5)}">${escaped(text)}</text>`;
}

function levels(marks: readonly PlacedMark[]): number {
  return marks.reduce((most, mark) => Math.max(most, mark.level + 1), 0);
}
