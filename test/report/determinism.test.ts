/** The same analysis gives the same bytes: on any machine, at any time, from any order of keys. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Analysis, analysisSchema } from '../../src/model/analysis.js';
import { renderHtml, renderJson, renderMarkdown, renderTerminal, renderTimelineCsv } from '../../src/report/index.js';
import { FIXTURES, fixture } from './fixtures/load.js';

const zoneBefore = process.env.TZ;
afterEach(() => {
  if (zoneBefore === undefined) delete process.env.TZ;
  else process.env.TZ = zoneBefore;
});

function all(analysis: Analysis): string[] {
  const options = { tz: 'Europe/Berlin' };
  return [
    renderHtml(analysis, options),
    renderMarkdown(analysis, options),
    renderTerminal(analysis, options),
    renderTimelineCsv(analysis),
    renderJson(analysis),
  ];
}

describe.each(FIXTURES)('%s', (name) => {
  it('does not depend on the zone of the machine', () => {
    process.env.TZ = 'UTC';
    const first = all(fixture(name));
    for (const zone of ['Asia/Kathmandu', 'America/St_Johns']) {
      process.env.TZ = zone;
      expect(all(fixture(name))).toEqual(first);
    }
  });

  it('does not depend on the order in which keys were set', () => {
    const shuffled = analysisSchema.parse(fixture(name));
    expect(renderJson(reversedKeys(shuffled))).toBe(renderJson(fixture(name)));
  });

  it('leaves the analysis as it was', () => {
    const analysis = fixture(name);
    const before = structuredClone(analysis);
    all(analysis);
    expect(analysis).toEqual(before);
  });
});

function reversedKeys<T>(value: T): T;
function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => reversedKeys(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]: [string, unknown]) => [key, reversedKeys(one)]),
  );
}
