/**
 * `verify` against every sample: all of it holds, and one changed byte of any cited record is found at its place. Other names and
 * folders, packings and missing files are told from changed ones.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Analysis, Ref } from '../../src/model/analysis.js';
import { analyze } from '../../src/pipeline/analyze.js';
import { verify } from '../../src/pipeline/verify.js';
import { contentOf } from '../../src/pipeline/verify-content.js';
import { placeKey } from '../../src/pipeline/verify-place.js';
import { readCited } from '../../src/pipeline/verify-records.js';
import { citationsOf } from '../../src/pipeline/verify-refs.js';
import { zipOf } from '../intake/pack.js';
import { filesUnder, ROOT } from '../project/tree.js';
import { flipped, placesOf } from './cited.js';

const scratch = mkdtempSync(join(tmpdir(), 'verify-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const incidents = join(ROOT, 'samples/incidents');

describe.each(readdirSync(incidents).sort())('sample %s', (name) => {
  const folder = join(scratch, name);
  const copy = join(folder, 'evidence');
  let analysis: Analysis;
  beforeAll(async () => {
    cpSync(join(incidents, name, 'evidence'), copy, { recursive: true });
    ({ analysis } = await analyze([copy], { version: '0.0.0' }));
  });

  it('every reference that names a place carries a digest', () => {
    const without = citationsOf(analysis).filter(
      ({ ref }) => ref.digest === undefined && (ref.line ?? ref.offset ?? ref.key) !== undefined,
    );
    expect(without).toEqual([]);
    expect(placesOf(analysis).length).toBeGreaterThan(10);
  });

  it('all of it holds', async () => {
    const { verification } = await verify(analysis, [copy]);
    expect(verification.failed).toEqual([]);
    expect(verification.sources.map(({ match }) => match)).toEqual(['hash', 'hash', 'hash']);
    expect(verification.sources.reduce((sum, { held }) => sum + held, 0)).toBe(placesOf(analysis).length);
    expect(verification.sources.every(({ byHashOnly }) => byHashOnly === 0)).toBe(true);
  });

  it('one changed byte in any cited line is found there and nowhere else', async () => {
    for (const ref of placesOf(analysis).filter((one) => one.line !== undefined)) {
      const path = join(copy, ref.source);
      const before = readFileSync(path);
      const lines = before.toString('latin1').split('\n');
      const start = lines.slice(0, (ref.line ?? 1) - 1).reduce((sum, line) => sum + line.length + 1, 0);
      const length = lines[(ref.line ?? 1) - 1]?.length ?? 0;
      for (const at of [start, start + (length >> 1), start + length - 1]) {
        writeFileSync(path, flipped(before, at));
        const { verification } = await verify(analysis, [copy]);
        const failed = verification.failed.map((one) => `${one.ref.source}:${one.ref.line} ${one.why}`);
        expect(new Set(failed), `byte ${at}`).toEqual(new Set([`${ref.source}:${ref.line} changed`]));
        expect(verification.failed[0]?.instead?.length).toBeGreaterThan(0);
        expect(verification.failed[0]?.citedBy.length).toBeGreaterThan(0);
      }
      writeFileSync(path, before);
    }
  });

  it('every cited record of the snapshot fails for some changed byte that leaves most others alone', async () => {
    const refs = placesOf(analysis).filter((one) => one.source === 'redis/dump.rdb');
    const bytes = readFileSync(join(copy, 'redis/dump.rdb'));
    const source = analysis.sources.find(({ path }) => path === 'redis/dump.rdb');
    if (source === undefined) throw new Error('no snapshot');
    const broken = new Set<string>();
    for (let at = Math.min(...refs.map(({ offset = 0 }) => offset)); at < bytes.length - 9; at++) {
      const failed = await failing(flipped(bytes, at), source, refs);
      // Entries of one compressed node share bytes; a byte that breaks all of them would tell none of them.
      if (failed.length < refs.length / 2) for (const one of failed) broken.add(one);
    }
    for (const ref of refs) expect([...broken], placeKey(ref)).toContain(placeKey(ref));
  });

  it('finds the evidence under other names, in other folders, packed and in an archive', async () => {
    const moved = join(folder, 'moved/deep');
    mkdirSync(moved, { recursive: true });
    const files = filesUnder(`samples/incidents/${name}/evidence`).map((file) => readFileSync(join(ROOT, file)));
    for (const [n, content] of files.entries())
      writeFileSync(join(moved, `part-${n}`), n === 1 ? gzipSync(content) : content);
    const zip = join(folder, 'all.zip');
    writeFileSync(zip, zipOf(files.map((content, n) => ({ name: `x/${n}`, content }))));
    for (const given of [moved, zip]) {
      const { verification } = await verify(analysis, [given]);
      expect(verification.failed).toEqual([]);
      expect(verification.unused).toEqual([]);
      expect(verification.sources.map(({ match }) => match)).toEqual(['hash', 'hash', 'hash']);
    }
    const inZip = await analyze([zip], { version: '0.0.0' });
    expect(placesOf(inZip.analysis).every(({ digest }) => digest !== undefined)).toBe(true);
    const back = await verify(inZip.analysis, [copy]);
    expect(back.verification.failed).toEqual([]);
    expect(back.verification.sources.length).toBe(3);
  });

  it('tells a file that is not there from one that has changed', async () => {
    const [log] = analysis.sources.filter(({ kind }) => kind === 'log');
    const path = join(copy, log?.path ?? '');
    renameSync(path, join(folder, 'away'));
    const { verification } = await verify(analysis, [copy]);
    renameSync(join(folder, 'away'), path);
    expect(new Set(verification.failed.map(({ why, ref }) => `${why} ${ref.source}`))).toEqual(
      new Set([`source-missing ${log?.path}`]),
    );
  });

  it('a log that was cut lacks what was cited behind the cut', async () => {
    const last = placesOf(analysis)
      .filter(({ line }) => line !== undefined)
      .reduce((a, b) => ((b.line ?? 0) > (a.line ?? 0) ? b : a));
    const path = join(copy, last.source);
    const before = readFileSync(path);
    const lines = before.toString('utf8').split('\n');
    writeFileSync(path, `${lines.slice(0, (last.line ?? 1) - 1).join('\n')}\n`);
    const { verification } = await verify(analysis, [copy]);
    writeFileSync(path, before);
    expect(verification.failed).toContainEqual(expect.objectContaining({ ref: last, why: 'gone' }));
  });
});

async function failing(bytes: Buffer, source: Analysis['sources'][number], refs: readonly Ref[]): Promise<string[]> {
  const found = await readCited(contentOf(once(bytes)), source, refs);
  return refs.filter((ref) => found.get(placeKey(ref))?.digest !== ref.digest).map(placeKey);
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
