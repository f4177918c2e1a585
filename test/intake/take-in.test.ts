import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { expandInputs, type IntakeProgress, problemLine, type TakeIn, takeIn } from '../../src/intake/index.js';
import type { ReadOptions, SourceReader } from '../../src/model/evidence.js';
import { type FakeTarget, fakeTarget, folderWith, lineReader, rdbReader } from './helpers.js';

async function run(cwd: string, inputs: string[], more: Partial<TakeIn> & { target?: FakeTarget } = {}) {
  const target = more.target ?? fakeTarget();
  const taken = await takeIn(await expandInputs(inputs, { cwd }), {
    readers: [lineReader, rdbReader],
    ...more,
    target,
  });
  return { target, ...taken, lines: taken.problems.map(problemLine) };
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);

describe('taking evidence in', () => {
  it('goes through the files in the order of their paths, each with its reader', async () => {
    const cwd = folderWith({ 'e/z.log': 'z\n', 'e/B.log': 'b\n', 'e/dump.rdb': 'REDIS0010', 'e/empty.log': '' });
    const { target, sources, problems } = await run(cwd, ['e']);
    expect(target.begun.map((source) => source.path)).toEqual(['B.log', 'dump.rdb', 'empty.log', 'z.log']);
    expect(target.finished).toEqual(sources);
    expect(sources.map((source) => [source.path, source.report.format])).toEqual([
      ['B.log', 'lines'],
      ['dump.rdb', 'rdb'],
      ['empty.log', 'empty'],
      ['z.log', 'lines'],
    ]);
    expect(target.kept.get('z.log')).toEqual(['z']);
    expect(problems).toEqual([]);
  });

  it('gives the same in another order and from another folder', async () => {
    const cwd = folderWith({ 'e/a.log': 'a\n', 'e/sub/b.log.gz': gzipSync('b\n'), 'e/pic.png': PNG });
    const [first, second, third] = [
      await run(cwd, ['e/a.log', 'e/sub', 'e/pic.png', 'gone']),
      await run(join(cwd, 'e/sub'), ['../../gone', '.', '../pic.png', '../a.log']),
      await run('/', [join(cwd, 'e')]),
    ];
    expect(second.sources).toEqual(first.sources);
    expect(third.sources).toEqual(first.sources);
    expect([...second.target.kept]).toEqual([...first.target.kept]);
  });

  it('tells the readers what the analyst said', async () => {
    const seen: ReadOptions[] = [];
    const reader: SourceReader = {
      ...lineReader,
      read: (blocks, sink, options) => {
        seen.push(options);
        return lineReader.read(blocks, sink, options);
      },
    };
    const cwd = folderWith({ 'e/a.log.gz': gzipSync('a\n'), 'e/b.txt': 'b\n' });
    await run(cwd, ['e'], {
      readers: [reader],
      options: { assumeTz: 'Asia/Kathmandu', prefix: 'acme', formats: [{ glob: '*.log', name: 'lines' }] },
    });
    const common = { assumeTz: 'Asia/Kathmandu', prefix: 'acme', modifiedMs: expect.any(Number) };
    expect(seen).toEqual([
      { ...common, fileName: 'a.log', format: 'lines' },
      { ...common, fileName: 'b.txt' },
    ]);
  });

  it('reads the standard input', async () => {
    async function* stdin() {
      yield Buffer.from('one\ntw');
      yield Buffer.from('o\n');
    }
    const { target } = await run(folderWith(), ['-'], { stdin: stdin() });
    expect(target.begun).toEqual([{ path: 'stdin', fileName: 'stdin' }]);
    expect(target.kept.get('stdin')).toEqual(['one', 'two']);
  });

  it('says what was UTF-16', async () => {
    const cwd = folderWith({ 'a.log': Buffer.from('\ufeffhi\n', 'utf16le') });
    const { sources, target } = await run(cwd, ['a.log']);
    expect(target.kept.get('a.log')).toEqual(['hi']);
    expect(sources[0]?.report.reason).toBe('test; was UTF-16LE');
  });
});

describe('equal content', () => {
  it('is taken once', async () => {
    const cwd = folderWith({ 'e/a.log': 'same\n', 'e/b.log': 'same\n', 'e/c.log': 'other\n' });
    const { sources, target, problems } = await run(cwd, ['e']);
    expect(sources.map((source) => [source.path, source.skipped, source.sameAs])).toEqual([
      ['a.log', undefined, undefined],
      ['b.log', 'same-content', 'a.log'],
      ['c.log', undefined, undefined],
    ]);
    expect([...target.kept.keys()]).toEqual(['a.log', 'c.log']);
    expect(problems).toEqual([]);
  });

  it('is seen through gzip', async () => {
    const packed = gzipSync('same\n', { level: 1 });
    const cwd = folderWith({ 'e/w.log': 'same\n', 'e/w.log.gz': packed, 'e/x.gz': gzipSync('same\n', { level: 9 }) });
    const { sources } = await run(cwd, ['e']);
    expect(sources.map((source) => source.sameAs)).toEqual([undefined, 'w.log', 'w.log']);
  });

  it('is seen where the target has it from an earlier run', async () => {
    const cwd = folderWith({ 'a.log': 'same\n', 'b.log.gz': gzipSync('same\n') });
    const target = fakeTarget();
    await run(cwd, ['a.log'], { target });
    const { sources } = await run(cwd, ['a.log', 'b.log.gz'], { target });
    expect(sources.map((source) => [source.skipped, source.sameAs])).toEqual([
      ['same-content', undefined],
      ['same-content', 'a.log'],
    ]);
  });

  it('of empty files is no matter', async () => {
    const { sources } = await run(folderWith({ 'e/a': '', 'e/b': '' }), ['e']);
    expect(sources.map((source) => [source.report.kind, source.skipped])).toEqual([
      ['empty', undefined],
      ['empty', undefined],
    ]);
  });
});

describe('a bad input', () => {
  it('stops none of the others', async () => {
    const cwd = folderWith({
      'e/a.log': 'a\n',
      'e/boom.log': 'kept\nBOOM\nlost\n',
      'e/pic.png': PNG,
      'e/w.zip': Buffer.from([0x50, 0x4b, 3, 4, 0, 0]),
      'e/cut.log.gz': gzipSync('cut\n'.repeat(1000)).subarray(0, 20),
      'e/z.log': 'z\n',
    });
    const { sources, target, problems, lines } = await run(cwd, ['e', 'gone.log']);
    expect(Object.fromEntries(sources.map((source) => [source.path, source.damage.map((d) => d.what)]))).toEqual({
      'a.log': [],
      'boom.log': [
        'reader failed: x is not a function; this is a bug, please report (what was read before it is kept)',
      ],
      'cut.log.gz': ['gzip ends early after 20 bytes, what was before it was read'],
      'pic.png': ['binary data, not a log, RDB, AOF or known export; first bytes 89 50 4e 47'],
      'w.zip': [
        expect.stringMatching(/^the zip has no directory that could be read .*zip -FF may repair a copy of it$/),
      ],
      'z.log': [],
    });
    expect(sources.every((source) => /^[0-9a-f]{64}$/.test(source.sha256))).toBe(true);
    expect(target.kept.get('boom.log')).toEqual(['kept']);
    expect(target.kept.get('z.log')).toEqual(['z']);
    expect(lines).toEqual([
      'no such file or folder: gone.log; check the path',
      'not read: e/pic.png: binary data, not a log, RDB, AOF or known export; first bytes 89 50 4e 47; leave it out, or name its format with --format',
      expect.stringMatching(/^not read: e\/w\.zip: zip: the zip has no directory that could be read /),
    ]);
    expect(problems.map((problem) => problem.named)).toEqual([true, false, false]);
  });

  it('may be gone by the time it is opened', async () => {
    const cwd = folderWith({ 'e/a.log': 'a\n', 'e/b.log': 'b\n' });
    const inputs = await expandInputs(['e'], { cwd });
    rmSync(join(cwd, 'e/a.log'));
    const target = fakeTarget();
    const { problems, sources } = await takeIn(inputs, { readers: [lineReader], target });
    expect(problems.map(problemLine)).toEqual(['no such file or folder: e/a.log; check the path']);
    expect(sources.map((source) => source.path)).toEqual(['b.log']);
  });

  it('is told from a store that fails', async () => {
    const target = fakeTarget();
    const begin: FakeTarget['begin'] = async (source) => ({
      ...(await target.begin(source)),
      settle: () => Promise.reject(new Error('disk full')),
    });
    const { sources } = await run(folderWith({ 'a.log': 'a\n' }), ['a.log'], { target: { ...target, begin } });
    expect(sources[0]?.damage).toEqual([
      { what: 'what was found could not be stored: disk full (what was stored before it is kept)' },
    ]);
    const broken = { ...target, finish: () => Promise.reject(new Error('gone')) };
    await expect(run(folderWith({ 'a.log': 'a\n' }), ['a.log'], { target: broken })).rejects.toThrow('gone');
  });
});

describe('on the way', () => {
  const cwd = (): string => folderWith({ 'e/a.log': 'x\n'.repeat(600_000), 'e/b.log': 'STOP\n'.repeat(200_000) });

  it('progress is told, to the last byte of each file', async () => {
    const seen: IntakeProgress[] = [];
    await run(cwd(), ['e'], { onProgress: (progress) => seen.push(progress) });
    expect(seen[0]).toEqual({ path: 'a.log', bytesRead: 0, totalBytes: 1_200_000, stage: 'open', file: 1, files: 2 });
    expect(seen.at(-1)).toMatchObject({ path: 'b.log', bytesRead: 1_000_000, stage: 'done', file: 2 });
    expect(seen.filter((progress) => progress.stage === 'read').length).toBeGreaterThanOrEqual(5);
  });

  it('a signal stops it', async () => {
    const controller = new AbortController();
    const target = fakeTarget();
    const stopped = run(cwd(), ['e'], {
      target,
      signal: controller.signal,
      onProgress: ({ stage, bytesRead }) => {
        if (stage === 'read' && bytesRead > 600_000) controller.abort(new Error('interrupted'));
      },
    });
    await expect(stopped).rejects.toThrow('interrupted');
    expect(target.finished).toEqual([]);
  });
});
