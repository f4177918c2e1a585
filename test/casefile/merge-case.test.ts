/** Case files of several machines are judged as if one had read everything. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, test } from 'vitest';
import { CaseFileError, openCaseFile } from '../../src/casefile/case-file.js';
import { analyze } from '../../src/pipeline/analyze.js';

const SAMPLES = fileURLToPath(new URL('../../samples/incidents/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bullmortem-merge-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files of a sample side by side, so that each has the same path alone and among the others. */
function flatEvidence(sample: string): string[] {
  const into = join(folder, sample);
  mkdirSync(into, { recursive: true });
  const from = join(SAMPLES, sample, 'evidence');
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(from, name)).isFile() && !name.includes('records'))
    .map((name) => {
      copyFileSync(join(from, name), join(into, basename(name)));
      return join(into, basename(name));
    });
}

const options = { version: 'test' };
/** Without the digests of cited records, which need the evidence itself. */
const json = async (inputs: readonly string[], more: object = {}): Promise<string> =>
  JSON.stringify(
    (await analyze(inputs, { ...options, ...more })).analysis,
    (key, value: unknown) => (key === 'digest' ? undefined : value),
    1,
  );

describe('case files together', () => {
  test('give the analysis of all their evidence', async () => {
    const sample = 'starved';
    const files = flatEvidence(sample);
    const whole = await json(files);
    const cases = await Promise.all(
      files.map(async (file, i) => {
        const path = join(folder, `${sample}-${i}.duckdb`);
        await analyze([file], { ...options, casePath: path });
        return path;
      }),
    );
    const before = cases.map((path) => readFileSync(path));
    expect(await json([], { openCases: cases })).toBe(whole);
    expect(await json([], { openCases: cases.toReversed() })).toBe(whole);
    // Into a case that is kept; what is evidence and in a case, too, is read once, and said to be.
    const kept = join(folder, `${sample}-kept.duckdb`);
    const again = await json(files.slice(0, 1), { openCases: cases, casePath: kept });
    expect({ ...JSON.parse(again), limits: [] }).toEqual({ ...JSON.parse(whole), limits: [] });
    expect(again).toContain('already in the case');
    expect(await json([], { openCases: [kept] })).toBe(whole);
    expect(cases.map((path) => readFileSync(path))).toEqual(before);
  });

  test('of something else are refused by name', async () => {
    const other = join(folder, 'other.duckdb');
    const instance = await DuckDBInstance.create(other);
    const connection = await instance.connect();
    await connection.run('CREATE TABLE sales (n INTEGER)');
    connection.closeSync();
    instance.closeSync();
    const damaged = join(folder, 'damaged.duckdb');
    writeFileSync(damaged, Buffer.concat([Buffer.alloc(8), Buffer.from('DUCK'), Buffer.alloc(5000, 1)]));
    for (const path of [other, damaged, join(folder, "it's not there.duckdb")]) {
      const error = await openCaseFile({ from: [path] }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CaseFileError);
      expect(error).toMatchObject({ path });
      expect(String(error)).toContain(path);
    }
    await expect(openCaseFile({ path: other })).rejects.toThrow('database of something else');
  });
});
