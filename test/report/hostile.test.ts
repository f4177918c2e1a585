/**
 * Nothing that evidence wrote may act. Each report of a poisoned analysis must have the very skeleton (tags, headings, list
 * items, table cells) of the report of the clean one: what broke out anywhere would show as a difference.
 */
import { describe, expect, it } from 'vitest';
import {
  renderHtml,
  renderJobsCsv,
  renderJson,
  renderMarkdown,
  renderReconcileCsv,
  renderTerminal,
  renderTimelineCsv,
} from '../../src/report/index.js';
import { hostile, PAYLOADS } from './fixtures/hostile.js';
import { fixture } from './fixtures/load.js';
import { htmlSkeleton, markdownSkeleton, strayMarkup } from './skeleton.js';

const NAMES = ['starved', 'several'] as const;
/** Every payload comes to stand in every kind of place over these turns. */
const TURNS = Array.from({ length: Math.ceil(PAYLOADS.length / 5) }, (_, index) => index * 5);
const CONTROLS =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}/u;

describe.each(NAMES)('%s, poisoned', (name) => {
  const clean = fixture(name);
  const cleanHtml = htmlSkeleton(renderHtml(clean));
  const cleanMarkdown = markdownSkeleton(renderMarkdown(clean));

  it.each(TURNS)('HTML keeps its skeleton (turn %i)', (turn) => {
    const html = renderHtml(hostile(clean, turn, { times: false }));
    expect(htmlSkeleton(html)).toEqual(cleanHtml);
    expect(html).not.toMatch(CONTROLS);
    expect(html.length).toBeLessThan(2_000_000);
  });

  it.each(TURNS)('Markdown keeps its skeleton (turn %i)', (turn) => {
    const text = renderMarkdown(hostile(clean, turn, { times: false }));
    expect(markdownSkeleton(text)).toEqual(cleanMarkdown);
    expect(strayMarkup(text)).toEqual([]);
    expect(text).not.toMatch(CONTROLS);
  });

  it.each(TURNS)('the terminal gets no control characters (turn %i)', (turn) => {
    const poisoned = hostile(clean, turn, { times: true });
    expect(renderTerminal(poisoned)).not.toMatch(CONTROLS);
    const coloured = renderTerminal(poisoned, { color: true });
    expect(coloured.replace(/\u001b\[\d+m/g, '')).not.toMatch(CONTROLS);
  });

  it.each(TURNS)('CSV holds no formula and one record a line (turn %i)', (turn) => {
    const poisoned = hostile(clean, turn, { times: true });
    for (const text of [renderJobsCsv(poisoned), renderTimelineCsv(poisoned), renderReconcileCsv(poisoned)]) {
      const lines = text.split('\r\n');
      const cells = lines.slice(0, -1).map(csvCells);
      const width = cells[0]?.length;
      expect(cells.every((row) => row.length === width)).toBe(true);
      for (const cell of cells.flat()) expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/);
      expect(text.replaceAll('\r\n', '')).not.toMatch(CONTROLS);
    }
  });

  it.each(TURNS)('JSON gives every value back and no raw control character (turn %i)', (turn) => {
    const poisoned = hostile(clean, turn, { times: true });
    const text = renderJson(poisoned);
    expect(JSON.parse(text)).toEqual(poisoned);
    expect(text.replaceAll('\n', '')).not.toMatch(CONTROLS);
  });

  it('survives times that are no times', () => {
    const poisoned = hostile(clean, 0, { times: true });
    expect(renderHtml(poisoned)).toContain('</html>');
    expect(strayMarkup(renderMarkdown(poisoned))).toEqual([]);
  });
});

it('cuts an id of a megabyte, says how long it was and keeps two of them apart', () => {
  const [a, b] = ['x', 'y'].map((letter) => 'a'.repeat(500_000) + letter + 'b'.repeat(500_000));
  const analysis = fixture('starved');
  const [finding] = analysis.findings;
  const [job] = finding?.jobs ?? [];
  if (finding === undefined || job === undefined || a === undefined || b === undefined) throw new Error('fixture');
  finding.jobs = [
    { ...job, id: a },
    { ...job, id: b },
  ];
  for (const render of [renderHtml, renderMarkdown, renderTerminal]) {
    const text = render(analysis).replace(/\s+/g, ' ');
    expect(text).toContain('1000001 characters');
    expect(text.length).toBeLessThan(100_000);
    expect(new Set(text.match(/sha256 [0-9a-f]{8}/g)).size).toBe(2);
  }
});

/** Cells of one CSV line by RFC 4180; throws on a quote out of place. */
function csvCells(line: string): string[] {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (;;) {
    const match = cell.exec(line);
    if (match === null) throw new Error(`not RFC 4180: ${line.slice(0, 200)}`);
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return cells;
  }
}
