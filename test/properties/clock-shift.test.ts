/**
 * The clock of one worker is set, its log is otherwise the same: where records tie that clock to Redis', no verdict changes. Every
 * sample, and some incidents from the field.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/model/analysis.js';
import { analyze } from '../../src/pipeline/analyze.js';
import { readIncidents } from '../field/read-incident.js';
import { ROOT } from '../project/tree.js';

const folder = mkdtempSync(join(tmpdir(), 'clocks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Incidents whose workers are both tied to the stream, by jobs that ran once. */
const TIED = new Set(['bullmq-596', 'cal-id-905', 'twenty-22995']);

const pad = (n: number, width = 2): string => String(n).padStart(width, '0');

/** Sets every time that a line begins with or names as its own. */
function shifted(text: string, shiftMs: number): string {
  return text
    .replace(/"time":(\d{13})/g, (_, ms: string) => `"time":${Number(ms) + shiftMs}`)
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{3})(\d*)Z/g, (iso, _, rest: string) =>
      new Date(Date.parse(iso) + shiftMs).toISOString().replace('Z', `${rest}Z`),
    )
    .replace(/(\d\d)\/(\d\d)\/(\d{4}), (\d{1,2}):(\d\d):(\d\d) (AM|PM)/g, (_, mo, day, year, hour, min, sec, half) => {
      const h = (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
      const at = new Date(Date.UTC(Number(year), Number(mo) - 1, Number(day), h, Number(min), Number(sec)) + shiftMs);
      const half12 = at.getUTCHours() < 12 ? 'AM' : 'PM';
      const date = `${pad(at.getUTCMonth() + 1)}/${pad(at.getUTCDate())}/${at.getUTCFullYear()}`;
      return `${date}, ${at.getUTCHours() % 12 || 12}:${pad(at.getUTCMinutes())}:${pad(at.getUTCSeconds())} ${half12}`;
    });
}

/** What the report claims, without lengths of time. */
const claimsOf = ({ findings }: Analysis): unknown =>
  findings
    .map(({ boundary, cause, status, jobs }) => ({
      boundary,
      cause,
      status,
      jobs: jobs.map(({ id, duplicate, executions, ended }) => ({ id, duplicate, executions, ended })),
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

async function claimsWith(evidence: string, given: Record<string, number>, log: string, shiftMs: number) {
  const copy = join(folder, `${shiftMs}-${log.replaceAll('/', '-')}`);
  cpSync(evidence, copy, { recursive: true });
  const path = join(copy, log);
  writeFileSync(path, shifted(readFileSync(path, 'utf8'), shiftMs));
  const { analysis } = await analyze([copy], { version: '0.0.0', given });
  rmSync(copy, { recursive: true });
  return claimsOf(analysis);
}

describe('a worker whose clock is set changes no verdict', () => {
  const samples = join(ROOT, 'samples/incidents');
  const incidents = readIncidents().filter(({ name }) => TIED.has(name));
  const cases = [
    ...readdirSync(samples)
      .sort()
      .map((name) => ({ name, evidence: join(samples, name, 'evidence'), given: {} })),
    ...incidents.map(({ name, files, given }) => {
      for (const { path, text } of files) {
        mkdirSync(dirname(join(folder, 'field', name, path)), { recursive: true });
        writeFileSync(join(folder, 'field', name, path), text);
      }
      return { name, evidence: join(folder, 'field', name), given };
    }),
  ];

  it.each(cases)('$name', async ({ evidence, given }) => {
    const { analysis } = await analyze([evidence], { version: '0.0.0', given });
    const logs = readdirSync(join(evidence, 'logs')).sort();
    expect(analysis.clocks.filter(({ basis }) => basis !== 'pairs')).toEqual([]);
    expect(analysis.findings.length).toBeGreaterThan(0);
    for (const [n, log] of logs.entries())
      expect(await claimsWith(evidence, given, `logs/${log}`, n % 2 === 0 ? 5000 : -5000), log).toEqual(
        claimsOf(analysis),
      );
  });
});
