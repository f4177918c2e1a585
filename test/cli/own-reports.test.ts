/** Reports that lie among the evidence, or would take its place. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../project/tree.js';
import { bullmortem, scratch } from './command.js';

const folder = scratch();
const evidence = join(ROOT, 'samples/incidents/starved/evidence');

test('reports in the folder of the evidence are none', () => {
  const place = join(folder, 'twice');
  cpSync(evidence, place, { recursive: true });
  const findings = () => {
    const ran = bullmortem(['analyze', place, '-o', `${place}/`, '--quiet']);
    const analysis = JSON.parse(readFileSync(join(place, 'analysis.json'), 'utf8'));
    return { code: ran.code, findings: analysis.findings, totals: analysis.totals };
  };
  const first = findings();
  expect(first.findings).toHaveLength(1);
  expect(findings()).toEqual(first);
});

test('a report never takes the place of evidence', () => {
  const file = join(folder, 'events.json');
  const text = JSON.stringify([['1705314600000-0', ['event', 'completed', 'jobId', '1', 'returnvalue', '1']]]);
  writeFileSync(file, text);
  const ran = bullmortem(['analyze', file, '-o', file]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toMatch(/is an input, too, and would be overwritten/);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('parts of an AOF that the manifest lists and nobody gave are said', () => {
  const place = join(folder, 'appendonlydir');
  mkdirSync(place);
  const part = (name: string, seq: number, type: string) => `file ${name} seq ${seq} type ${type}\n`;
  writeFileSync(
    join(place, 'appendonly.aof.manifest'),
    part('appendonly.aof.1.base.rdb', 1, 'b') + part('appendonly.aof.1.incr.aof', 1, 'i'),
  );
  writeFileSync(join(place, 'appendonly.aof.1.incr.aof'), '*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n');
  const { stderr } = bullmortem(['analyze', place]);
  expect(stderr).toMatch(/the part appendonly\.aof\.1\.base\.rdb is not beside it/);
  expect(stderr).not.toMatch(/incr\.aof is not beside/);
  rmSync(place, { recursive: true });
});
