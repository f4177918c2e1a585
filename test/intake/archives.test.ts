/** Files in zip and tar: sources of their own, and nothing that an archive says of itself is believed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandInputs, problemLine, type TakeIn, takeIn } from '../../src/intake/index.js';
import { ROOT } from '../project/tree.js';
import { fakeTarget, folderWith, lineReader, rdbReader } from './helpers.js';
import { type PackedFile, tarOf, zipOf } from './pack.js';

async function run(
  files: Record<string, string | Uint8Array>,
  more: Partial<TakeIn> = {},
  inputs = Object.keys(files),
) {
  const target = fakeTarget();
  const cwd = folderWith(files);
  const taken = await takeIn(await expandInputs(inputs, { cwd }), {
    readers: [lineReader, rdbReader],
    ...more,
    target,
  });
  const bySource = new Map(taken.sources.map((source) => [source.path, source]));
  return {
    ...taken,
    cwd,
    kept: Object.fromEntries([...target.kept].filter(([path]) => bySource.get(path)?.report.kind !== 'archive')),
    lines: taken.problems.map(problemLine),
    source: (path: string) => bySource.get(path),
  };
}

const packed = (name: string): Buffer => readFileSync(join(ROOT, 'test/intake/packed', name));
const A = ['2024-01-15T10:30:00.123Z INFO job 1 started', '2024-01-15T10:30:01.123Z INFO job 1 completed'];
const B = ['2024-01-15T10:30:02.123Z INFO job 2 started'];
const C = ['2024-01-15T10:30:03.123Z INFO job 3 started'];

describe('archives as the usual tools write them (Info-ZIP 3.0, GNU tar 1.34, zstd 1.5.4)', () => {
  it.each(['logs.zip', 'logs.tar', 'logs.tar.gz', 'logs.tar.zst'])(
    '%s: every log in its folders is a source',
    async (name) => {
      const { kept, problems, source } = await run({ [name]: packed(name) });
      expect(kept).toEqual({
        [`${name}!/logs/worker-a.log`]: A,
        [`${name}!/logs/pods/worker-b.log`]: B,
        [`${name}!/logs/pods/worker-c.log.gz`]: C,
      });
      expect(problems).toEqual([]);
      const outer = name.endsWith('.gz') ? [{ kind: 'gzip' }] : name.endsWith('.zst') ? [{ kind: 'zstd' }] : [];
      const kind = name.includes('zip') ? 'zip' : 'tar';
      expect(source(`${name}!/logs/pods/worker-c.log.gz`)?.report.packing).toEqual([
        ...outer,
        { kind, entry: 'logs/pods/worker-c.log.gz' },
        { kind: 'gzip' },
      ]);
      expect(source(name)?.report).toMatchObject({ kind: 'archive', format: kind, records: 3, understood: 3 });
      expect(source(name)?.damage).toEqual([]);
    },
  );

  it('the hash of a source is that of the file in the archive', async () => {
    const inside = await run({ 'logs.zip': packed('logs.zip') });
    const plain = await run({ 'worker-a.log': `${A.join('\n')}\n` });
    expect(inside.source('logs.zip!/logs/worker-a.log')?.sha256).toBe(plain.sources[0]?.sha256);
  });

  it('an archive in an archive is opened; what is in both counts once', async () => {
    const { kept, sources } = await run({ 'nested.zip': packed('nested.zip') });
    expect(Object.keys(kept)).toEqual(
      [
        'nested.zip!/logs.tar.gz!/logs/worker-a.log',
        'nested.zip!/logs.tar.gz!/logs/pods/worker-b.log',
        'nested.zip!/logs.tar.gz!/logs/pods/worker-c.log.gz',
      ].sort((a, b) => Object.keys(kept).indexOf(a) - Object.keys(kept).indexOf(b)),
    );
    expect(sources.filter(({ skipped }) => skipped === 'same-content')).toHaveLength(3);
  });

  it('a third one is refused, with what to do', async () => {
    const { lines, source } = await run({ 'x.tar': tarOf([{ name: 'nested.zip', content: packed('nested.zip') }]) });
    expect(lines).toContain(
      'not read: x.tar!/nested.zip!/logs.zip: is an archive in an archive in an archive, which is not read; unpack it first; then name what comes out',
    );
    expect(source('x.tar')?.report.records).toBe(1);
  });

  it('comes through the standard input, too', async () => {
    for (const name of ['logs.zip', 'logs.tar.zst']) {
      async function* stdin() {
        for (const byte of packed(name)) yield Uint8Array.of(byte);
      }
      const { kept } = await run({}, { stdin: stdin() }, ['-']);
      expect(kept['stdin!/logs/worker-a.log']).toEqual(A);
    }
  });

  it('zst is unpacked, bz2 and xz name the command that does it', async () => {
    const { kept, lines } = await run(
      Object.fromEntries(['zst', 'bz2', 'xz'].map((end) => [`worker-a.log.${end}`, packed(`worker-a.log.${end}`)])),
    );
    expect(kept['worker-a.log.zst']).toEqual(A);
    expect(lines).toEqual([
      expect.stringContaining('packed with bzip2, which is not read yet; unpack it first (bzip2 -dk)'),
      expect.stringContaining('packed with xz, which is not read yet; unpack it first (xz -dk)'),
    ]);
  });
});

describe('names in an archive are labels', () => {
  const names = [
    '../../evil.log',
    '/etc/cron.d/evil.log',
    'C:\\evil.log',
    'a//./b/../evil.log',
    '..',
    'evil.log',
    'evil.log',
  ];
  const files = names.map((name, n): PackedFile => ({ name, content: `line ${n}\n` }));
  const called = [
    'evil.log',
    'etc/cron.d/evil.log',
    'C:/evil.log',
    'a/b/evil.log',
    '(no name)',
    'evil.log (2)',
    'evil.log (3)',
  ];

  it.each([
    ['zip', zipOf(files)],
    ['tar', tarOf(files)],
  ])('%s: none leads anywhere, none hides another', async (kind, bytes) => {
    const { kept, cwd, source } = await run({ [`x.${kind}`]: bytes });
    expect(kept).toEqual(Object.fromEntries(called.map((name, n) => [`x.${kind}!/${name}`, [`line ${n}`]])));
    expect(source(`x.${kind}!/evil.log (3)`)?.report.packing).toEqual([{ kind, entry: 'evil.log', nth: 2 }]);
    expect(source(`x.${kind}!/evil.log`)?.report.packing).toEqual([{ kind, entry: '../../evil.log' }]);
    expect(readdirSync(cwd)).toEqual([`x.${kind}`]);
  });

  it.each([
    [
      'zip',
      zipOf([
        { name: 'link.log', content: '/etc/passwd', type: '2' },
        { name: 'a.log', content: 'a\n' },
      ]),
    ],
    [
      'tar',
      tarOf([
        { name: 'link.log', type: '2' },
        { name: 'dev', type: '3' },
        { name: 'a.log', content: 'a\n' },
      ]),
    ],
  ])('%s: links are followed nowhere, and that is said', async (kind, bytes) => {
    const { kept, source } = await run({ [`x.${kind}`]: bytes });
    expect(kept).toEqual({ [`x.${kind}!/a.log`]: ['a'] });
    expect(source(`x.${kind}`)?.report.limits).toMatchObject([{ what: 'links left out' }]);
  });

  it('hidden files are left out as in a folder, leavings of desktops without a word', async () => {
    const bytes = tarOf([
      { name: '.env' },
      { name: '__MACOSX/._a.log' },
      { name: 'x/.DS_Store' },
      { name: 'a.log', content: 'a\n' },
    ]);
    const { kept, source } = await run({ 'x.tar': bytes });
    expect(Object.keys(kept)).toEqual(['x.tar!/a.log']);
    expect(source('x.tar')?.report.limits).toEqual([
      { what: 'files left out', detail: '1 hidden file in the archive' },
    ]);
  });
});

describe('bombs', () => {
  const limits = { bytes: 100_000, ratio: 20 };
  const zeros = Buffer.alloc(5_000_000, 'a\n');

  it.each([
    [
      'zip',
      zipOf([
        { name: 'a.log', content: 'first\n' },
        { name: 'bomb.log', content: zeros },
        { name: 'z.log', content: 'z\n' },
      ]),
    ],
    [
      'tar.gz',
      gzipSync(
        tarOf([
          { name: 'a.log', content: 'first\n' },
          { name: 'bomb.log', content: zeros },
        ]),
      ),
    ],
    [
      'tar',
      tarOf([
        { name: 'a.log', content: 'first\n' },
        { name: 'bomb.log.gz', content: gzipSync(zeros) },
      ]),
    ],
    [
      'nested.zip',
      zipOf([
        { name: 'a.log', content: 'first\n' },
        { name: 'in.zip', content: zipOf([{ name: 'b.log', content: zeros }]) },
      ]),
    ],
  ])('%s: is stopped, what came before is kept, and it is said', async (kind, bytes) => {
    const { kept, sources } = await run({ [`x.${kind}`]: bytes }, { unpackLimits: limits });
    expect(kept[`x.${kind}!/a.log`]).toEqual(['first']);
    const read = Object.values(kept).reduce((sum, lines) => sum + lines.length, 0);
    expect(read).toBeLessThan(zeros.length / 8);
    const said = JSON.stringify(sources.map(({ damage, report }) => [damage, report.limits]));
    expect(said).toMatch(/grows to more than 20 times its size/);
  });

  it('more files than anybody packs', async () => {
    const bytes = tarOf(Array.from({ length: 10_050 }, (_, n) => ({ name: `${n}.log` })));
    const { sources, source } = await run({ 'x.tar': bytes });
    expect(sources).toHaveLength(10_001);
    expect(source('x.tar')?.report.limits).toMatchObject([
      { what: 'archive not read to its end', detail: /more than 10000 files/ },
    ]);
  }, 60_000);
});

describe('damaged archives', () => {
  const files = ['a', 'b', 'c'].map(
    (name): PackedFile => ({ name: `${name}.log`, content: `${name} 1\n${name} 2\n`.repeat(200) }),
  );

  it('a tar that was cut short gives what is there', async () => {
    const whole = tarOf(files);
    const { kept, source } = await run({ 'x.tar': whole.subarray(0, whole.length - 1024 - 1000) });
    expect(Object.keys(kept)).toHaveLength(3);
    expect(kept['x.tar!/c.log']?.length).toBeGreaterThan(200);
    expect(source('x.tar!/c.log')?.damage[0]?.what).toMatch(/^the archive ends after \d+ of its 1600 bytes/);
    expect(source('x.tar')?.damage[0]?.what).toMatch(/no end mark/);
    expect((await run({ 'x.tar': tarOf(files, false) })).source('x.tar')?.damage).toHaveLength(1);
  });

  it('a tar with a broken header loses that file alone', async () => {
    const bytes = tarOf(files);
    bytes.writeUInt8(bytes.readUInt8(512 + 2048) ^ 1, 512 + 2048);
    const { kept, source } = await run({ 'x.tar': bytes });
    expect(Object.keys(kept)).toEqual(['x.tar!/a.log', 'x.tar!/c.log']);
    expect(source('x.tar')?.damage[0]?.what).toMatch(/a header in the tar is damaged/);
  });

  it('a zip that was cut short is a problem with a way out', async () => {
    const bytes = zipOf(files);
    const { kept, lines, problems } = await run({ 'x.zip': bytes.subarray(0, bytes.length - 30) });
    expect(kept).toEqual({});
    expect(lines).toEqual([
      expect.stringMatching(/^not read: x\.zip: zip: the zip has no directory .*zip -FF may repair/),
    ]);
    expect(problems[0]?.named).toBe(true);
  });

  it('a zip with broken data loses that file alone, from the break on', async () => {
    const bytes = zipOf(
      [files[0], { ...files[1], name: 'b.log', method: 0 }, files[2]].filter((file) => file !== undefined),
    );
    bytes.writeUInt8(bytes.readUInt8(40) ^ 0xff, 40);
    const { kept, source } = await run({ 'x.zip': bytes });
    expect(kept['x.zip!/b.log']).toHaveLength(400);
    expect(kept['x.zip!/c.log']).toHaveLength(400);
    expect(source('x.zip!/a.log')?.damage[0]?.what).toMatch(/^zip: its (?:data is damaged|checksum)/);
  });

  it('a checksum that does not fit is said', async () => {
    const { source } = await run({ 'x.zip': zipOf([{ name: 'a.log', content: 'a\n', crc: 1 }]) });
    expect(source('x.zip!/a.log')?.damage[0]?.what).toMatch(/checksum or size does not fit/);
  });

  it('what is encrypted or packed in an odd way names the way out, the others are read', async () => {
    const { kept, lines } = await run({
      'x.zip': zipOf([
        { name: 'secret.log', content: 's', encrypted: true },
        { name: 'odd.log', content: 'o', method: 9 },
        { name: 'a.log', content: 'a\n' },
      ]),
    });
    expect(kept).toEqual({ 'x.zip!/a.log': ['a'] });
    expect(lines).toEqual([
      'not read: x.zip!/secret.log: is encrypted; unpack it with its password first (unzip); then name what comes out',
      'not read: x.zip!/odd.log: is packed by method 9 of zip, which is not read; unpack it first (7z x); then name what comes out',
    ]);
  });

  it('an empty archive is a problem', async () => {
    expect((await run({ 'x.zip': zipOf([]) })).lines).toEqual([
      expect.stringMatching(/^not read: x\.zip: zip: it holds no file/),
    ]);
  });

  it.each([
    ['zip', packed('logs.zip')],
    ['tar', packed('logs.tar')],
    ['tar.zst', packed('logs.tar.zst')],
    ['zst', packed('worker-a.log.zst')],
  ])(
    '%s: no change of a byte and no cut makes it fail or hang',
    async (kind, bytes) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), async (at, value, end) => {
          const changed = Buffer.from(bytes.subarray(0, Math.max(1, end)));
          changed[Math.min(at, changed.length - 1)] = value;
          const { sources, problems } = await run({ [`x.${kind}`]: changed, 'good.log': 'good\n' });
          expect(sources.some(({ path, report }) => path === 'good.log' && report.records === 1)).toBe(true);
          expect(sources.length + problems.length).toBeGreaterThan(1);
        }),
        { numRuns: 60 },
      );
    },
    60_000,
  );
});
