/** An outage with tens of thousands of jobs: the page stays one that a browser opens at once; the lists are whole in the CSV files. */
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import {
  renderHtml,
  renderJobsCsv,
  renderMarkdown,
  renderReconcileCsv,
  renderTerminal,
} from '../../src/report/index.js';
import { manyJobs } from './fixtures/many.js';

type Node = DefaultTreeAdapterMap['node'];
const countNodes = (node: Node): number =>
  1 + ('childNodes' in node ? node.childNodes.reduce((sum, child) => sum + countNodes(child), 0) : 0);

const JOBS = 50_000;
const MOST_NODES = 20_000;
const MOST_BYTES = 5_000_000;

describe(`${JOBS} affected jobs`, () => {
  const analysis = manyJobs(JOBS);

  it('give a page of few nodes that says how many are left out, and where they are', () => {
    const html = renderHtml(analysis);
    expect(Buffer.byteLength(html)).toBeLessThan(MOST_BYTES);
    expect(countNodes(parse(html))).toBeLessThan(MOST_NODES);
    expect(html).toContain('49670 more rows are in jobs.csv');
    expect(html).toContain('50,000');
  });

  it('give text that a person can scroll through', () => {
    expect(Buffer.byteLength(renderMarkdown(analysis))).toBeLessThan(MOST_BYTES);
    expect(renderTerminal(analysis).split('\n').length).toBeLessThan(1500);
  });

  it('are all in jobs.csv and reconcile.csv', () => {
    const ids = (text: string): number =>
      new Set(
        text
          .split('\r\n')
          .slice(1, -1)
          .map((line) => line.split(',')[1]),
      ).size;
    expect(ids(renderJobsCsv(analysis))).toBe(JOBS);
    expect(ids(renderReconcileCsv(analysis))).toBe(JOBS);
  });
});
