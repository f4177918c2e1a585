/** `bullmortem prove` as an engineer runs it: what it prints and how it ends. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bullmortem, scratch } from '../cli/command.js';
import { ROOT } from '../project/tree.js';

const folder = scratch();
const recording = (name: string): string => join(ROOT, 'test/prove/recordings', name);
const parts = (name: string): string[] => [join(recording(name), 'logs'), join(recording(name), 'dump.rdb')];

describe('exit codes', () => {
  it.each([
    ['proven', 'starved', 'sandboxed', 0],
    ['not held', 'starved', 'starved-again', 1],
    ['not exercised', 'starved', 'quiet-after-starved', 3],
    ['nothing to prove', 'quiet-after-starved', 'sandboxed', 3],
  ])('%s', (_, before, after, code) => {
    const ran = bullmortem(['prove', '--before', recording(before), '--after', ...parts(after), '--quiet']);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' });
  });

  it('says in one line what it cannot use', () => {
    const missing = join(folder, 'missing.log');
    const none = bullmortem(['prove', '--before', missing, '--after', recording('sandboxed')]);
    expect(none.code).toBe(3);
    expect(none.stderr).toContain('nothing in --before speaks of a BullMQ job');
    expect(bullmortem(['prove', '--before', recording('starved')]).code).toBe(2);
    const beside = bullmortem(['prove', '--before', recording('starved'), '--after', recording('sandboxed'), missing]);
    expect(beside.code).toBe(4);
  });
});

it('takes a case file and an analysis for a recording, and says the same', () => {
  const kept = join(folder, 'after.duckdb');
  const analysis = join(folder, 'before.json');
  bullmortem(['analyze', recording('sandboxed'), '--case', kept, '--quiet']);
  bullmortem(['analyze', recording('starved'), '-o', analysis, '--quiet']);
  const plain = bullmortem(['prove', '--before', recording('starved'), '--after', recording('sandboxed')]);
  const told = bullmortem(['prove', '--before', analysis, '--after', kept]);
  expect(told.code).toBe(0);
  const checks = (text: string) => text.split('\n').filter((line) => /^ {2}\[/.test(line));
  expect(checks(told.stdout)).toEqual(checks(plain.stdout));
  expect(checks(told.stdout).length).toBeGreaterThan(3);
});

it('prints what the README shows', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, command = '', shown = ''] = /\$ node bin\/bullmortem\.js (prove [^\n]*)\n([\s\S]*?)```/.exec(readme) ?? [];
  const printed = new Set(
    bullmortem(command.split(' '))
      .stdout.split('\n')
      .map((line) => line.trimEnd()),
  );
  const lines = shown.split('\n').map((line) => line.replace(/^ {3}/, '').trimEnd());
  const told = lines.filter((line) => line !== '' && line !== '…');
  expect(told.length).toBeGreaterThan(3);
  expect(told.filter((line) => !printed.has(line))).toEqual([]);
});
