/** Evidence as it is sent around: packed. The same answer, and every cited line can be printed again. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Analysis, analysisSchema } from '../../src/model/analysis.js';
import { zipOf } from '../intake/pack.js';
import { filesUnder, ROOT } from '../project/tree.js';
import { bullmortem, scratch } from './command.js';

const folder = scratch();
const SAMPLE = 'samples/incidents/starved/evidence';

function analyse(input: string): { analysis: Analysis; report: string } {
  const [json, md] = [join(folder, `${input.length}.json`), join(folder, `${input.length}.md`)];
  expect(bullmortem(['analyze', input, '-o', json, '-o', md, '--quiet'], { cwd: folder }).code).toBe(0);
  return { analysis: analysisSchema.parse(JSON.parse(readFileSync(json, 'utf8'))), report: readFileSync(md, 'utf8') };
}

describe('packed evidence', () => {
  execFileSync('tar', ['-C', join(ROOT, SAMPLE), '-czf', join(folder, 'evidence.tar.gz'), '.']);
  const files = filesUnder(SAMPLE).map((file) => ({
    name: file.slice(SAMPLE.length + 1),
    content: readFileSync(join(ROOT, file)),
  }));
  writeFileSync(join(folder, 'incident-evidence.zip'), zipOf(files));
  const plain = analyse(join(ROOT, SAMPLE));

  it.each(['evidence.tar.gz', 'incident-evidence.zip'])('%s gives the same findings', (name) => {
    const before = readdirSync(folder);
    const { analysis } = analyse(name);
    const brief = ({ findings }: Analysis) =>
      findings.map(({ id, boundary, cause, status, jobs, witness }) => ({
        id,
        boundary,
        cause,
        status,
        jobs,
        lines: witness.map(({ ref }) => [ref.line, ref.entry]),
      }));
    expect(brief(analysis)).toEqual(brief(plain.analysis));
    expect(analysis.totals).toEqual(plain.analysis.totals);
    expect(analysis.sources.map(({ path }) => path.replace(/^.*!\//, '')).sort()).toEqual(
      [...plain.analysis.sources.map(({ path }) => path), name].sort(),
    );
    expect(readdirSync(folder).filter((file) => !before.includes(file) && !/\.(?:md|json)$/.test(file))).toEqual([]);
  });

  it('the commands of the report print the cited lines', () => {
    const printed = (report: string, cwd: string): string[] =>
      [...report.matchAll(/^.*\bsed -n '.*$/gm)].map(([command]) =>
        execFileSync('sh', ['-c', command], { cwd, encoding: 'utf8' }),
      );
    const wanted = printed(plain.report, join(ROOT, SAMPLE));
    expect(wanted.join('')).toContain('\n');
    expect(printed(analyse('evidence.tar.gz').report, folder)).toEqual(wanted);
  });
});
