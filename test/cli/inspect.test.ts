/** `inspect`: what each input is, and what of it was not understood. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/logs/team/read-config.js';
import { type Analysis, analysisSchema } from '../../src/model/analysis.js';
import { type Inspection, inspectionSchema } from '../../src/model/inspection.js';
import { ROOT } from '../project/tree.js';
import { bullmortem, scratch } from './command.js';

const folder = scratch();
const sample = join(ROOT, 'samples/incidents/starved/evidence');

function inspect(...args: string[]): { inspection: Inspection; code: number | null; stderr: string } {
  const out = join(folder, 'inspection.json');
  const { code, stderr } = bullmortem(['inspect', ...args, '-o', out, '--quiet'], { cwd: folder });
  return { inspection: inspectionSchema.parse(JSON.parse(readFileSync(out, 'utf8'))), code, stderr };
}

const OWN_WORDS = Array.from({ length: 6 }, (_, n) => [
  `2024-01-15 10:3${n}:00.123 INFO engaging unit ${40 + n} of mail`,
  `2024-01-15 10:3${n}:01.123 INFO GET /health 200`,
  `2024-01-15 10:3${n}:02.123 INFO unit ${40 + n} sealed`,
]).flat();
writeFileSync(join(folder, 'own.log'), `${OWN_WORDS.join('\n')}\n2024-01-15 10:40:00.000 INFO job 7 started\n`);

describe('inspect', () => {
  it('tells of each input what it is and why, its window, records, events and workers', () => {
    const { inspection, code } = inspect(sample);
    expect(code).toBe(0);
    expect(inspection.inputs.map(({ path, kind, format }) => [path, kind, format])).toEqual([
      ['logs/mailer-1.log', 'log', 'pino'],
      ['logs/mailer-2.log', 'log', 'pino'],
      ['redis/dump.rdb', 'redis', 'rdb'],
    ]);
    const log = inspection.inputs[1];
    expect(log).toMatchObject({
      records: 19,
      understood: 19,
      from: '2026-11-30T15:37:52.698Z',
      workers: ['mailer-b41e'],
      assumed: [],
    });
    expect(log?.kinds).toContainEqual({ kind: 'lock-missing', count: 2 });
    // Learned from their place in the jobs that went well: they are understood.
    expect(inspection.words.map(({ value }) => value).sort()).toEqual(['invoice sent', 'sending invoice']);
    expect(inspection.config).toBeUndefined();
  });

  it('prints the same for a terminal', () => {
    const { stdout, code } = bullmortem(['inspect', sample]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^logs\/mailer-1\.log\n {2}taken for {3}log: pino\n {2}because {5}34 of 34 records/);
    expect(stdout).toContain('handler-returned: "invoice sent", by their place in 10 jobs that went well');
  });

  it('says which zone was assumed', () => {
    expect(inspect('own.log').inspection.inputs[0]?.assumed).toEqual([{ name: 'zone', value: 'UTC' }]);
    expect(bullmortem(['inspect', 'own.log'], { cwd: folder }).stdout).toContain('zone UTC assumed');
    expect(inspect('own.log', '--assume-tz', '+02:00').inspection.inputs[0]).toMatchObject({
      assumed: [],
      from: '2024-01-15T08:30:00.123Z',
    });
  });

  it('gives what was not understood as a configuration that is accepted and changes nothing as it is', () => {
    const { inspection } = inspect('own.log');
    expect(inspection.notUnderstood.map(({ records, example, ref }) => [records, example, ref.line])).toEqual([
      [6, 'engaging unit 40 of mail', 1],
      [6, 'unit 40 sealed', 3],
    ]);
    const text = JSON.stringify(inspection.config);
    expect(readConfig(text)).toEqual({ config: inspection.config });
    const events = ({ inspection: { inputs } }: ReturnType<typeof inspect>) => inputs.map(({ kinds }) => kinds);
    writeFileSync(join(folder, 'pasted.json'), text);
    expect(events(inspect('own.log', '--config', 'pasted.json'))).toEqual(events(inspect('own.log')));
  });

  it('what it prints can be pasted as it is, and with kinds put in tells the runs', () => {
    const { stdout } = bullmortem(['inspect', 'own.log'], { cwd: folder });
    const pasted = stdout.slice(stdout.indexOf('\n{\n'));
    expect(readConfig(pasted)).toHaveProperty('config');
    const config = pasted.replace('"ignore"', '"handler-started"').replace('"ignore"', '"acknowledged"');
    writeFileSync(join(folder, 'own.json'), config);
    const out = join(folder, 'own-analysis.json');
    expect(bullmortem(['analyze', 'own.log', '--config', 'own.json', '-o', out], { cwd: folder }).code).toBe(0);
    const analysis: Analysis = analysisSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
    expect(analysis.totals).toMatchObject({ jobs: 7, executions: 7 });
  });

  it('ends as the contract says', () => {
    mkdirSync(join(folder, 'none'));
    writeFileSync(join(folder, 'none', 'x.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]));
    const end = (...args: string[]) => bullmortem(['inspect', ...args, '--quiet'], { cwd: folder }).code;
    expect(end('own.log')).toBe(0);
    expect(end('own.log', 'gone.log')).toBe(4);
    expect(end('none')).toBe(3);
    expect(end('gone.log')).toBe(3);
    expect(end('own.log', '-o', 'x.md')).toBe(2);
    expect(end('own.log', '--nope')).toBe(2);
    writeFileSync(join(folder, 'bad.json'), '{"x":1}');
    expect(end('own.log', '--config', 'bad.json')).toBe(2);
  });

  it('lets nothing of the evidence act on the terminal', () => {
    const name = 'evil\u001b[31m\u202e.log';
    writeFileSync(join(folder, name), '2024-01-15T10:30:00.123Z INFO unit 7 \u009b31m\u202e</script> \u0007 sealed\n');
    const { stdout, stderr } = bullmortem(['inspect', name], { cwd: folder });
    expect(stdout).toContain('sealed');
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});
