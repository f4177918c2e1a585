/**
 * Analyses that released versions wrote. Whatever a later version adds, it must still read and render them: a postmortem of last
 * year is opened again. Nothing in `schema-history/` is ever rewritten; a version adds a folder of its own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analysisSchema } from '../src/model/analysis.js';
import { ROOT } from './project/tree.js';
import { allReports } from './report/all-reports.js';

const history = join(ROOT, 'test/schema-history');
const stored = readdirSync(history).flatMap((version) =>
  readdirSync(join(history, version)).map((file) => [version, file] as const),
);

const version: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

it('has analyses of this version', () => {
  expect(stored.filter(([of]) => of === version).length).toBeGreaterThan(3);
});

describe.each(stored)('%s %s', (_, file) => {
  const text = readFileSync(join(history, _, file), 'utf8');

  it('is read, and written as it was', () => {
    const analysis = analysisSchema.parse(JSON.parse(text));
    expect(JSON.parse(JSON.stringify(analysis))).toEqual(JSON.parse(text));
  });

  it('renders in every kind of report, with each finding and check in it', () => {
    const analysis = analysisSchema.parse(JSON.parse(text));
    for (const [output, report] of allReports(analysis)) {
      expect(report.length, output).toBeGreaterThan(100);
      const told = report.replace(/<script>.*<\/script>/s, '');
      expect(told, output).not.toMatch(/undefined|\[object Object\]/);
    }
    const reports = new Map(allReports(analysis));
    for (const { id } of analysis.findings) expect(reports.get('report.html')).toContain(id);
    for (const { asks } of analysis.proof ?? []) expect(reports.get('report.html')).toContain(asks.slice(1, 20));
  });
});
