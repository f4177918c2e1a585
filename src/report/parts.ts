/**
 * The small vocabulary of view models: sections say what is a word, what is an identifier and what is a badge; how each is
 * written in HTML, Markdown or on a terminal is the outputs' business. Values are raw here and stay raw until then.
 */
import type { Status } from '../model/analysis.js';

export interface Part {
  readonly text: string;
  readonly style: 'text' | 'code' | 'strong' | 'badge';
  /** Colour family of a badge. */
  readonly tone: Tone;
  /** Fragment of the same page, HTML only. */
  readonly href: string | undefined;
}

export type Tone = Status | 'plain';
export type Cell = readonly Part[];

export interface Column {
  readonly title: string;
  readonly numeric: boolean;
}

export interface TableView {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** What was left out, '' where nothing was. */
  readonly more: string;
}

export const STATUS_WORDS = {
  shown: 'shown',
  likely: 'likely',
  possible: 'possible',
  'cannot-tell': 'cannot tell',
} as const satisfies Record<Status, string>;

export const text = (value: string): Part => ({ text: value, style: 'text', tone: 'plain', href: undefined });
export const code = (value: string): Part => ({ text: value, style: 'code', tone: 'plain', href: undefined });
export const strong = (value: string): Part => ({ text: value, style: 'strong', tone: 'plain', href: undefined });
export const badge = (status: Status): Part => ({
  text: STATUS_WORDS[status],
  style: 'badge',
  tone: status,
  href: undefined,
});

/** A part that leads to a place of the same page where the output can link. */
export const linked = (part: Part, anchor: string): Part => ({ ...part, href: `#${anchor}` });

/** A cell of one text, or an empty one. */
export const cell = (value: string | undefined): Cell => (value === undefined || value === '' ? [] : [text(value)]);
/** A cell of one identifier, or an empty one. */
export const codeCell = (value: string | undefined): Cell => (value === undefined || value === '' ? [] : [code(value)]);

/** Identifiers with commas between, the rest counted. */
export function codeList(values: readonly string[], cap = Number.POSITIVE_INFINITY): Cell {
  const parts: Part[] = [];
  for (const value of values.slice(0, cap)) {
    if (parts.length > 0) parts.push(text(', '));
    parts.push(code(value));
  }
  if (values.length > cap) parts.push(text(` and ${values.length - cap} more`));
  return parts;
}

/** Column headings; a leading `#` marks a column of numbers. */
export function columns(...titles: readonly string[]): Column[] {
  return titles.map((title) =>
    title.startsWith('#') ? { title: title.slice(1), numeric: true } : { title, numeric: false },
  );
}

/** A table whose rows are cut at the cap, with the number left out and where to find it. */
export const table = (
  caption: string,
  heads: readonly Column[],
  rows: readonly (readonly Cell[])[],
  cap: number,
  restIn: string,
): TableView => tableOf(caption, heads, rows, (row) => row, cap, restIn);

/** The same of things of which there may be very many: rows are made only of those that are shown. */
export function tableOf<T>(
  caption: string,
  heads: readonly Column[],
  things: readonly T[],
  toRow: (thing: T) => readonly Cell[],
  cap: number,
  restIn: string,
): TableView {
  const left = things.length - cap;
  return {
    caption,
    columns: heads,
    rows: things.slice(0, cap).map(toRow),
    more: left > 0 ? `${left} more ${left === 1 ? 'row is' : 'rows are'} in ${restIn}.` : '',
  };
}
