/**
 * Incidents that people reported, rebuilt with invented values: the whole program, from their files to the verdict, against what
 * the maintainers answered. What they say is not bent to what comes out.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Analysis, Finding } from '../../src/model/analysis.js';
import { analyze } from '../../src/pipeline/analyze.js';
import { type Incident, readIncidents } from './read-incident.js';

const folder = mkdtempSync(join(tmpdir(), 'field-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function analysisOf({ name, files, given }: Incident): Promise<Analysis> {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), text);
  }
  const { analysis } = await analyze([join(folder, name)], { version: '0.0.0', given });
  return analysis;
}

const isFirm = ({ status, boundary }: Finding): boolean =>
  (status === 'shown' || status === 'likely') && boundary !== 'none' && boundary !== 'undetermined';
const textOf = ({ boundary, cause, status, summary }: Finding): string => `${boundary}/${cause} ${status}: ${summary}`;

describe.each([...readIncidents(), ...readIncidents('questions')])('$name', (incident) => {
  it('ends in the verdict of those who knew', async () => {
    const { findings, nextEvidence, limits } = await analysisOf(incident);
    const said = findings.map(textOf).join('\n');
    expect(limits.filter(({ what }) => what.endsWith(' failed'))).toEqual([]);
    for (const expected of incident.expected) {
      const found = findings.find(
        ({ boundary, jobs }) => expected.boundaries.includes(boundary) && jobs.some(({ id }) => id === expected.job),
      );
      expect(found, `${expected.job}: ${said || 'silent'}`).toBeDefined();
      if (found === undefined) continue;
      const { duplicate, progressRegressed } = found.jobs.find(({ id }) => id === expected.job) ?? {};
      if (expected.causes.length > 0) expect(expected.causes, said).toContain(found.cause);
      expect(expected.statuses, said).toContain(found.status);
      expect(expected.duplicates, said).toContain(duplicate);
      if (expected.regressed) expect(progressRegressed).toBe(true);
      const asked = [
        ...found.wouldDecide,
        ...found.hypotheses.flatMap(({ missing }) => missing),
        ...nextEvidence.map(({ what }) => what),
      ];
      // Caution that names nothing helps nobody.
      if (found.status !== 'shown' && found.boundary !== 'none') expect(asked, said).not.toEqual([]);
      for (const pattern of expected.missing) expect(asked.join('\n')).toMatch(pattern);
    }
    const others = findings.filter(
      (finding) =>
        isFirm(finding) &&
        !incident.expected.some(
          ({ job, boundaries }) => boundaries.includes(finding.boundary) && finding.jobs.some(({ id }) => id === job),
        ),
    );
    expect(others.map(textOf)).toEqual([]);
  });
});
