/**
 * Every incident of samples/incidents, analysed through the built command line. `expected.json` is the whole analysis:
 * `npm run golden` rewrites it and its diff is reviewed like code. `truth.json` is what the recorder knows, and it does not
 * change: a golden that contradicts it must not pass.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Analysis, Finding } from '../src/model/analysis.js';
import { ROOT } from './project/tree.js';

interface Truth {
  readonly label: {
    readonly jobs: Record<string, { boundary: string; cause: string[]; duplicate: string; executions: number }>;
    /** How far the clock of each worker was set ahead, in ms. */
    readonly skew?: Record<string, number>;
  };
}

const incidents = path.join(ROOT, 'samples', 'incidents');
const out = fs.mkdtempSync(path.join(os.tmpdir(), 'samples-'));
afterAll(() => fs.rmSync(out, { recursive: true, force: true }));

function analyze(name: string): string {
  const file = path.join(out, `${name}.json`);
  const evidence = path.join('samples', 'incidents', name, 'evidence');
  execFileSync(process.execPath, ['bin/bullmortem.js', 'analyze', evidence, '-o', file, '--quiet'], { cwd: ROOT });
  return fs.readFileSync(file, 'utf8');
}

const isFirm = ({ status, boundary }: Finding) =>
  (status === 'shown' || status === 'likely') && boundary !== 'none' && boundary !== 'undetermined';

describe.each(fs.readdirSync(incidents).sort())('sample %s', (name) => {
  let text = '';
  beforeAll(() => {
    text = analyze(name);
  });
  const truth: Truth = JSON.parse(fs.readFileSync(path.join(incidents, name, 'truth.json'), 'utf8'));

  it('gives the expected analysis', async () => {
    await expect(text).toMatchFileSnapshot(path.join(incidents, name, 'expected.json'));
  });

  it('says what happened, and nothing about the healthy jobs', () => {
    const analysis: Analysis = JSON.parse(text);
    const said = analysis.findings
      .filter(isFirm)
      .flatMap(({ boundary, cause, jobs }) =>
        jobs.map(({ id, duplicate, executions }) => ({ id, boundary, cause, duplicate, executions })),
      );
    expect(said.map(({ id }) => id).sort()).toEqual(Object.keys(truth.label.jobs).sort());
    for (const { id, boundary, cause, duplicate, executions } of said) {
      const really = truth.label.jobs[id];
      expect(really?.boundary.split('|'), id).toContain(boundary);
      expect(really?.cause, id).toContain(cause);
      expect({ duplicate, executions }, id).toEqual({ duplicate: really?.duplicate, executions: really?.executions });
    }
  });

  it.runIf(truth.label.skew)('finds how far each clock was ahead, within 100 ms', () => {
    const analysis: Analysis = JSON.parse(text);
    const ahead = Object.values(truth.label.skew ?? {}).sort((a, b) => a - b);
    const found = analysis.clocks.map(({ offsetMs }) => offsetMs).sort(([a], [b]) => a - b);
    expect(found).toHaveLength(ahead.length);
    for (const [n, [low, high]] of found.entries()) {
      expect(low).toBeGreaterThanOrEqual((ahead[n] ?? Number.NaN) - 100);
      expect(high).toBeLessThanOrEqual((ahead[n] ?? Number.NaN) + 100);
    }
  });
});
