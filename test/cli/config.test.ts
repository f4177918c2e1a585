/** `--config`, found and named; refused with exit code 2. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analysisSchema } from '../../src/model/analysis.js';
import { bullmortem, scratch } from './command.js';

const folder = scratch();
const log = join(folder, 'worker.log');
writeFileSync(
  log,
  ['engaging unit 42', 'unit 42 sealed'].map((text, n) => `2024-01-15T10:30:0${n}.123Z INFO ${text}\n`).join(''),
);
const CONFIG = JSON.stringify({
  events: [
    { kind: 'handler-started', pattern: '^engaging unit (?<job>\\d+)$' },
    { kind: 'acknowledged', pattern: '^unit (?<job>\\d+) sealed$' },
  ],
});

function analyse(cwd: string, ...options: string[]) {
  const out = join(folder, 'out.json');
  const ran = bullmortem(['analyze', log, '-o', out, ...options], { cwd });
  return { ...ran, analysis: ran.code === 0 ? analysisSchema.parse(JSON.parse(readFileSync(out, 'utf8'))) : undefined };
}

function folderWithConfig(name: string, text: string): string {
  const at = join(folder, name);
  mkdirSync(at);
  writeFileSync(join(at, 'bullmortem.config.json'), text);
  return at;
}

describe('the configuration', () => {
  const withOne = folderWithConfig('with', CONFIG);

  it('is taken where it is named, and its hash stands in the analysis', () => {
    const named = analyse(folder, '--config', join(withOne, 'bullmortem.config.json'));
    const hash = createHash('sha256').update(CONFIG).digest('hex');
    expect(named.analysis?.run.options).toEqual([`--config sha256:${hash}`]);
    expect(named.analysis?.totals).toMatchObject({ jobs: 1, executions: 1 });
    expect(named.stderr).not.toContain('bullmortem.config.json of the working directory');
  });

  it('is found in the working directory, and that is said', () => {
    const found = analyse(withOne);
    expect(found.stderr).toContain('read with bullmortem.config.json of the working directory');
    expect(found.analysis?.totals.executions).toBe(1);
    expect(analyse(withOne, '--quiet').stderr).toBe('');
  });

  it('is left out where that is wished, and sought nowhere else', () => {
    for (const ran of [analyse(withOne, '--no-config'), analyse(folder)]) {
      expect(ran.analysis?.run.options ?? []).toEqual([]);
      expect(ran.analysis?.totals.executions ?? 0).toBe(0);
    }
  });

  it('that is not understood ends with 2, path and reason on one line', () => {
    const bad = folderWithConfig('bad', '{"events":[{"kind":"ignore","pattern":"(?=a)"}]}');
    const ran = analyse(bad);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(
      /^bullmortem: the configuration bullmortem\.config\.json is not understood: events\[0\]\.pattern: .*no look-around.*\(--no-config leaves it out\)\n$/,
    );
    expect(analyse(bad, '--config', join(folder, 'none.json'))).toMatchObject({ code: 2 });
    expect(bullmortem(['audit', log, '--config', join(bad, 'bullmortem.config.json')])).toMatchObject({ code: 2 });
  });
});
