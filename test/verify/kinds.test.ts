/** Every kind of evidence gives digests that hold, and that one changed byte at the cited place breaks. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Analysis, Ref } from '../../src/model/analysis.js';
import { analyze } from '../../src/pipeline/analyze.js';
import { audit } from '../../src/pipeline/audit.js';
import { verify } from '../../src/pipeline/verify.js';
import { recordLength } from '../../src/pipeline/verify-extent.js';
import { placeKey } from '../../src/pipeline/verify-place.js';
import { ROOT } from '../project/tree.js';
import { flipped, placesOf } from './cited.js';

const scratch = mkdtempSync(join(tmpdir(), 'verify-kinds-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const EVIDENCE = [
  ['an append-only file', 'test/fuzz/seeds/commands.aof'],
  ['one that begins with a snapshot', 'test/fuzz/seeds/preamble.aof'],
  ['a capture of MONITOR', 'test/fuzz/seeds/monitor.txt'],
  ['transcripts of redis-cli', 'test/redis/dumps/transcripts'],
] as const;
const RECORDS = ['overlap-and-clocks', 'sql-inserts', 'json-array', 'mongoexport', 'json-lines', 'stray-quote'];

/** A job that stalls and runs again: ms, then the fields of an entry. */
const STALLED: readonly (readonly [number, ...string[]])[] = [
  [0, 'event', 'added', 'jobId', '7', 'name', 'send'],
  [1, 'event', 'waiting', 'jobId', '7'],
  [5, 'event', 'active', 'jobId', '7', 'prev', 'waiting'],
  [60_000, 'event', 'stalled', 'jobId', '7'],
  [60_001, 'event', 'waiting', 'jobId', '7', 'prev', 'active'],
  [60_005, 'event', 'active', 'jobId', '7', 'prev', 'waiting'],
  [61_000, 'event', 'completed', 'jobId', '7', 'returnvalue', '{"a":1}', 'prev', 'active'],
];

const pairs = (flat: readonly string[]): Record<string, string> =>
  Object.fromEntries(flat.flatMap((name, n) => (n % 2 === 0 ? [[name, flat[n + 1] ?? '']] : [])));

function copied(path: string): string {
  const copy = join(scratch, basename(path));
  mkdirSync(copy, { recursive: true });
  const from = join(ROOT, path);
  cpSync(from, statSync(from).isDirectory() ? copy : join(copy, basename(path)), { recursive: true });
  return copy;
}

async function holdsAndBreaks(analysis: Analysis, folder: string): Promise<void> {
  const { verification } = await verify(analysis, [folder]);
  expect(verification.failed).toEqual([]);
  const places = placesOf(analysis).filter((ref): ref is Ref & { offset: number } => ref.offset !== undefined);
  for (const ref of places) {
    expect(ref.digest, placeKey(ref)).toBeDefined();
    const path = join(folder, ref.source);
    const before = readFileSync(path);
    writeFileSync(path, flipped(before, ref.offset + 1));
    const again = await verify(analysis, [folder]);
    writeFileSync(path, before);
    expect(again.verification.failed.map((one) => placeKey(one.ref))).toContain(placeKey(ref));
  }
}

describe('evidence', () => {
  it.each(EVIDENCE)('%s', async (_, path) => {
    const folder = copied(path);
    const { analysis } = await analyze([folder], { version: '0.0.0' });
    expect(placesOf(analysis).length).toBeGreaterThan(0);
    await holdsAndBreaks(analysis, folder);
  });
});

it.each([
  ['of redis-cli --json', (id: string, fields: readonly string[]) => [id, fields]],
  ['of node-redis', (id: string, fields: readonly string[]) => ({ id, message: pairs(fields) })],
] as const)('XRANGE as JSON %s', async (name, entry) => {
  const folder = join(scratch, name.replace(/\W/g, ''));
  mkdirSync(folder);
  const entries = STALLED.map(([at, ...fields]) => entry(`${1_796_053_000_000 + at}-0`, fields));
  writeFileSync(join(folder, 'events.json'), JSON.stringify({ 'bull:mail:events': entries }));
  const { analysis } = await analyze([folder], { version: '0.0.0' });
  expect(analysis.findings).not.toEqual([]);
  expect(placesOf(analysis).length).toBeGreaterThan(4);
  await holdsAndBreaks(analysis, folder);
});

describe('idempotency records', () => {
  it.each(RECORDS)('%s', async (name) => {
    const folder = copied(`test/audit/cases/${name}`);
    rmSync(join(folder, 'expected.json'), { force: true });
    const { analysis } = await audit([folder], { version: '0.0.0', columns: {} });
    const rows = (analysis.records?.keys ?? []).flatMap(({ shown }) => shown.map(({ ref }) => ref));
    expect(rows.length).toBeGreaterThan(0);
    for (const ref of rows) expect(ref.digest).toBeDefined();
    await holdsAndBreaks(analysis, folder);
    const ref = rows.find((one) => one.offset === undefined);
    if (ref?.line === undefined) return;
    const path = join(folder, ref.source);
    const before = readFileSync(path);
    const start =
      before
        .toString('latin1')
        .split('\n')
        .slice(0, ref.line - 1)
        .join('\n').length + (ref.line > 1 ? 1 : 0);
    writeFileSync(path, flipped(before, start + 2));
    const { verification } = await verify(analysis, [folder]);
    writeFileSync(path, before);
    expect(verification.failed.map((one) => one.ref.line)).toContain(ref.line);
  });
});

describe('how far a record reaches', () => {
  const reach = (text: string, layout: Parameters<typeof recordLength>[1] = 'lines'): string | undefined => {
    const bytes = Buffer.from(text);
    const length = recordLength(bytes, layout, true);
    return length === undefined ? undefined : text.slice(0, length);
  };

  it.each([
    ['the line', 'one\ntwo\n', 'lines', 'one'],
    ['the stack under it', 'Error: x\n    at a\n    at b\ntwo\n', 'lines', 'Error: x\n    at a\n    at b'],
    ['an object on a line of many', '{"a":"}"},{"b":2}', 'lines', '{"a":"}"}'],
    ['an object over several lines', '{\n "a": [1]\n},\n{', 'lines', '{\n "a": [1]\n}'],
    ['text that begins with a bracket', '[Nest] 7 - up\nnext', 'lines', '[Nest] 7 - up'],
    ['text that begins with an object', '{x} and more\nnext', 'lines', '{x} and more'],
    ['a row with a quoted line break', 'a,"b\nc",d\ne\n', 'rows', 'a,"b\nc",d'],
    [
      'a question and its answer',
      '127.0.0.1:6379> LLEN a\n(integer) 1\n127.0.0.1:6379> GET b\n',
      'answers',
      '127.0.0.1:6379> LLEN a\n(integer) 1',
    ],
    ['a member of a dump', '"k": {"a": 1}, "l": 2}', 'members', '"k": {"a": 1}'],
    ['an entry from its id on', '"1-0", ["event", "active"]], ["2-0"', 'members', '"1-0", ["event", "active"]'],
    ['a command', '*2\r\n$3\r\nDEL\r\n$1\r\na\r\n*1\r\n', 'commands', '*2\r\n$3\r\nDEL\r\n$1\r\na\r\n'],
    ['an entry of the journal', '__CURSOR=1\nMESSAGE=x\n\n__CURSOR=2', 'lines', '__CURSOR=1\nMESSAGE=x'],
  ] as const)('%s', (_, text, layout, record) => {
    expect(reach(text, layout)).toBe(record);
  });

  it('waits for more bytes where the end is not seen', () => {
    for (const text of ['{"a":', 'line without end', '*2\r\n$3\r\nDE'])
      expect(recordLength(Buffer.from(text), text.startsWith('*') ? 'commands' : 'lines', false)).toBeUndefined();
  });
});
