/** `verify` on the command line: exit codes, and what it says of a record that has changed. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../project/tree.js';
import { bullmortem, scratch } from './command.js';

const folder = scratch();
const SAMPLE = join(ROOT, 'samples/incidents/starved/evidence');
const json = join(folder, 'analysis.json');

describe('verify', () => {
  expect(bullmortem(['analyze', SAMPLE, '-o', json, '--quiet']).code).toBe(0);

  it('ends with 0 where all holds', () => {
    const { code, stdout, stderr } = bullmortem(['verify', json, SAMPLE]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^All holds\n/);
  });

  it('ends with 1 and names the finding, the line and what stands there', () => {
    const copy = join(folder, 'copy');
    cpSync(SAMPLE, copy, { recursive: true });
    const log = join(copy, 'logs/mailer-1.log');
    const text = readFileSync(log, 'utf8').split('\n');
    text[23] = text[23]?.replace('"jobId":"7"', '"jobId":"8"') ?? '';
    writeFileSync(log, text.join('\n'));
    const { code, stdout } = bullmortem(['verify', json, copy]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Does not hold\n/);
    expect(stdout).toContain('logs/mailer-1.log:24 is not what was cited');
    expect(stdout).toMatch(/cited by: F-1 witness 5;/);
    expect(stdout.replace(/\s+/g, '')).toContain('"jobId":"8"');
    expect(bullmortem(['verify', json, copy, '--quiet'])).toEqual({ code: 1, stdout: '', stderr: '' });
  });

  it('ends with 1 where a source of the analysis is not given', () => {
    const { code, stdout } = bullmortem(['verify', json, join(SAMPLE, 'logs')]);
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toContain('redis/dump.rdb: NOT AMONG THE EVIDENCE GIVEN');
  });

  it('ends with 3 where none of the evidence is of the analysis', () => {
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other/some.log'), 'nothing of it\n');
    const { code, stdout, stderr } = bullmortem(['verify', json, join(folder, 'other')]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('no result');
  });

  it('ends with 4 where a named input cannot be read and the rest holds', () => {
    const { code, stdout, stderr } = bullmortem(['verify', json, SAMPLE, join(folder, 'absent.log')]);
    expect(code).toBe(4);
    expect(stdout).toMatch(/^All holds/);
    expect(stderr).toContain('absent.log');
  });

  it('ends with 2 for what is no analysis, and for the standard input', () => {
    expect(bullmortem(['verify', join(SAMPLE, 'logs/mailer-1.log'), SAMPLE]).code).toBe(2);
    expect(bullmortem(['verify', json, '-']).code).toBe(2);
  });

  it('an analysis of a case file alone holds by the hash of its sources, and says so', () => {
    const [kept, second] = [join(folder, 'kept.duckdb'), join(folder, 'second.json')];
    expect(bullmortem(['analyze', SAMPLE, '--case', kept, '--quiet', '-o', join(folder, 'x.json')]).code).toBe(0);
    expect(bullmortem(['analyze', kept, '-o', second, '--quiet']).code).toBe(0);
    const { code, stdout } = bullmortem(['verify', second, SAMPLE]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Holds as far as it can be checked\n/);
    expect(stdout.replace(/\s+/g, ' ')).toContain('could not be held against a digest');
  });
});
