/** Records that are damaged, huge, or made to do harm: what can be read is read, the rest is said in one line, nothing is thrown. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';
import { audit } from '../../src/pipeline/audit.js';

const folder = mkdtempSync(join(tmpdir(), 'bullmortem-records-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(name: string, content: string | Uint8Array) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, content);
  const { analysis, readRecords, problems } = await audit([path], { version: '0', columns: {} });
  const source = analysis.sources.find(({ kind }) => kind === 'records');
  return {
    readRecords,
    verdicts: analysis.records?.verdicts ?? {},
    keys: analysis.records?.keys.map(({ key }) => key) ?? [],
    rows: analysis.records?.totals.rows ?? 0,
    said: [...(source?.damage.map(({ what }) => what) ?? []), ...problems.map(({ what }) => what)].join('\n'),
  };
}

const HEADER = 'idempotency_key,job_id,status\n';
const TWICE = { 'done-twice': 1 };
const LONG = 'x'.repeat(1_000_000);

describe('text', () => {
  it('a cell of a megabyte is a cell', async () => {
    const found = await read(
      'cell.csv',
      `idempotency_key,payload,status\nk,"${LONG}",completed\nk,"${LONG}",completed\n`,
    );
    expect(found).toMatchObject({ rows: 2, verdicts: TWICE, said: '' });
  });

  it('a key of a megabyte is a key', async () => {
    expect(await read('key.csv', `${HEADER}${LONG},1,completed\n${LONG},1,completed\n`)).toMatchObject({
      verdicts: TWICE,
    });
  });

  it('a row beyond the limit is left out and said; the others are read', async () => {
    const found = await read(
      'row.csv',
      `${HEADER}${'y'.repeat(5_000_000)},1,completed\nk,2,completed\nk,2,completed\n`,
    );
    expect(found).toMatchObject({ rows: 2, verdicts: TWICE, keys: ['k'] });
    expect(found.said).toContain('longer than 2 MB');
  });

  it('bytes of zero are part of the key', async () => {
    expect(await read('nul.csv', `${HEADER}k\0a,1,completed\nk\0a,1,completed\nk\0b,2,completed\n`)).toMatchObject({
      rows: 3,
      verdicts: TWICE,
      keys: ['k\0a'],
    });
  });

  it('UTF-16 is read, other bytes that are no UTF-8 are said', async () => {
    const wide = Buffer.from(`\uFEFF${HEADER}kä,1,completed\nkä,1,completed\n`, 'utf16le');
    expect(await read('wide.csv', wide)).toMatchObject({ verdicts: TWICE, keys: ['kä'] });
    const latin = await read('latin.csv', Buffer.from(`${HEADER}kä,1,completed\nk2,2,completed\n`, 'latin1'));
    expect(latin).toMatchObject({ rows: 2, verdicts: {} });
    expect(latin.said).toContain('not UTF-8');
  });

  it('names that mean something to a shell or to DuckDB are names', async () => {
    for (const name of ["it's.csv", 'a [b]*?.csv', '$(x).csv', '-o.csv'])
      expect(await read(name, `${HEADER}k,1,completed\nk,1,completed\n`), name).toMatchObject({ verdicts: TWICE });
  });

  it('a header alone is a source with no rows, nothing at all is none', async () => {
    expect(await read('header.csv', HEADER)).toMatchObject({ readRecords: 1, rows: 0, said: '' });
    expect(await read('nothing.csv', '')).toMatchObject({ readRecords: 0, rows: 0 });
  });
});

describe('JSON and SQL', () => {
  it.each([
    ['cut.json', '[{"idempotencyKey":"a","status":"completed"},{"idempotencyKey":"a","sta', 1, 'ends early'],
    [
      'cut.sql',
      "INSERT INTO jobs (idempotency_key, job_id, status) VALUES ('a',1,'completed'),('a',1,'co",
      1,
      'ends in',
    ],
    ['open.sql', 'COPY jobs (idempotency_key, job_id, status) FROM stdin;\na\t1\tcompleted\n', 1, 'ends in'],
  ])('%s: what stands before the cut is kept', async (name, text, rows, said) => {
    const found = await read(name, text);
    expect(found.rows).toBe(rows);
    expect(found.said).toContain(said);
  });

  it.each([
    ['deep.json', `[{"idempotencyKey":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`],
    ['deep.jsonl', `{"idempotencyKey":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`],
    ['bytes.csv', Uint8Array.from({ length: 500_000 }, (_, i) => i % 256)],
    ['bad.parquet', Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(200)])],
  ])('%s: nothing is thrown', async (name, content) => {
    expect((await read(name, content)).rows).toBeLessThanOrEqual(1);
  });

  it('members named like those of every object are members', async () => {
    const line = '{"idempotencyKey":"a","status":"completed","__proto__":{"x":1},"constructor":"y"}\n';
    expect(await read('proto.jsonl', line.repeat(2))).toMatchObject({ verdicts: TWICE });
  });
});

describe('Parquet', () => {
  it('is read with its types, each row by its number', async () => {
    const path = join(folder, 'runs.parquet');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`COPY (SELECT * FROM (VALUES
      ('k1', 1::BIGINT, 'mail', 'completed', TIMESTAMPTZ '2026-03-01 10:00:00Z', TIMESTAMPTZ '2026-03-01 10:00:20Z'),
      ('k1', 1, 'mail', 'completed', TIMESTAMPTZ '2026-03-01 10:00:05Z', TIMESTAMPTZ '2026-03-01 10:00:06Z'),
      ('k2', 2, 'mail', 'completed', TIMESTAMPTZ '2026-03-01 10:00:30Z', NULL),
      (NULL, 3, 'mail', 'completed', NULL, NULL)) t(idempotency_key, job_id, queue, status, started_at, completed_at))
      TO '${path}' (FORMAT parquet)`);
    connection.closeSync();
    const { analysis } = await audit([path], { version: '0', columns: {} });
    expect(analysis.records?.verdicts).toEqual({ 'done-twice': 1, overlapping: 1 });
    expect(analysis.records?.totals).toMatchObject({ rows: 4, keys: 2, withoutKey: 1 });
    expect(analysis.records?.keys[0]?.shown.map(({ ref }) => ref.entry)).toEqual(['row 1', 'row 2']);
  });
});
