import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Disk, nodeDisk, openSource } from '../../src/intake/index.js';
import { fileAt, folderWith, openContent, openFile, readAll } from './helpers.js';

const sha = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const big = Buffer.from(Array.from({ length: 90_000 }, (_, i) => `line ${i} of a log\n`).join(''));

/** A disk that fails after so many bytes of a file. */
const failingAfter = (bytes: number, code: string): Disk => ({
  ...nodeDisk,
  async open(path) {
    const handle = await nodeDisk.open(path);
    let left = bytes;
    const read = async (buffer: Buffer, offset: number, length: number, position: null) => {
      if (left === 0) throw Object.assign(new Error(code), { code });
      const result = await handle.read(buffer, offset, Math.min(length, left), position);
      left -= result.bytesRead;
      return result;
    };
    return { read: read as typeof handle.read, stat: handle.stat.bind(handle), close: handle.close.bind(handle) };
  },
});

describe('a plain file', () => {
  it('comes whole, with its head, hash and size', async () => {
    const source = await openContent(big);
    expect(Buffer.from(source.head).equals(big.subarray(0, 64 * 1024))).toBe(true);
    expect((await readAll(source.blocks)).equals(big)).toBe(true);
    expect(await source.done()).toEqual({ sha256: sha(big), bytes: big.length, damage: [] });
    expect(await source.done()).toEqual({ sha256: sha(big), bytes: big.length, damage: [] });
  });

  it('is hashed whole where its reader stops early, or never starts', async () => {
    for (const readOne of [true, false]) {
      const source = await openContent(big);
      if (readOne) for await (const _ of source.blocks) break;
      expect(await source.done()).toMatchObject({ sha256: sha(big), bytes: big.length });
    }
  });

  it('goes on after a loop that was left early', async () => {
    const source = await openContent(big);
    const first: Uint8Array[] = [];
    for await (const block of source.blocks) {
      first.push(block);
      break;
    }
    expect(Buffer.concat([...first, await readAll(source.blocks)]).equals(big)).toBe(true);
  });

  it('gives blocks that a reader may keep, change and hand to a worker', async () => {
    const source = await openContent(big);
    const blocks: Uint8Array[] = [];
    for await (const block of source.blocks) {
      blocks.push(block);
      block.fill(0);
      structuredClone(block.buffer, { transfer: [block.buffer as ArrayBuffer] });
    }
    expect(blocks.length).toBeGreaterThan(2);
    expect(await source.done()).toMatchObject({ sha256: sha(big) });
  });

  it('may be empty', async () => {
    const source = await openContent('');
    expect(source.head.length).toBe(0);
    expect((await readAll(source.blocks)).length).toBe(0);
    expect(await source.done()).toEqual({ sha256: sha(''), bytes: 0, damage: [] });
  });

  it('tells the bytes read as it goes, also those that nobody read', async () => {
    const seen: number[] = [];
    const source = await openContent(big, 'x.log', { onBytes: (bytes) => seen.push(bytes) });
    await source.done();
    expect(seen.at(-1)).toBe(big.length);
    expect(source.bytesRead()).toBe(big.length);
  });

  it('that changes while it is read says so', async () => {
    const folder = folderWith({ 'x.log': big });
    const source = await openFile(fileAt(join(folder, 'x.log')));
    appendFileSync(join(folder, 'x.log'), 'more\n');
    const { damage, bytes } = await source.done();
    expect(bytes).toBe(big.length + 5);
    expect(damage.map((d) => d.what)).toEqual([
      `the file changed while it was read (${big.length} bytes when opened, ${big.length + 5} at the end); analyze a copy for a result that can be repeated`,
    ]);
  });

  it('keeps what was before a read error', async () => {
    const file = fileAt(join(folderWith({ 'x.log': big }), 'x.log'));
    for (const [at, code] of [
      [700_000, 'EIO'],
      [0, 'EACCES'],
    ] as const) {
      const source = await openFile(file, { disk: failingAfter(at, code) });
      expect((await readAll(source.blocks)).equals(big.subarray(0, at))).toBe(true);
      expect(await source.done()).toEqual({
        sha256: sha(big.subarray(0, at)),
        bytes: at,
        damage: [{ what: `could not be read beyond byte ${at} (${code}), what was before it was read` }],
      });
    }
  });

  it('is left alone after an abort, and after it was abandoned', async () => {
    const controller = new AbortController();
    const source = await openContent(big, 'x.log', { signal: controller.signal });
    controller.abort();
    expect((await readAll(source.blocks)).length).toBeLessThan(big.length);
    expect((await source.done()).bytes).toBeLessThan(big.length);
    const other = await openContent(big);
    await other.abandon();
    await other.abandon();
    expect((await readAll(other.blocks)).length).toBeLessThan(big.length);
  });
});

describe('what cannot be opened', () => {
  const problemOf = async (path: string): Promise<unknown> => {
    const opened = await openSource(fileAt(path));
    return 'problem' in opened ? opened.problem.what : 'opened';
  };

  it('is a problem, not an exception', async () => {
    const folder = folderWith({ 'x.log': 'x' });
    rmSync(join(folder, 'x.log'));
    expect(await problemOf(join(folder, 'x.log'))).toBe('no such file or folder: x.log');
  });

  it('does not hang on a pipe that took the place of a file', async () => {
    const folder = folderWith();
    execFileSync('mkfifo', [join(folder, 'x.log')]);
    expect(await problemOf(join(folder, 'x.log'))).toBe('a named pipe, not a file: x.log');
  });

  it.skipIf(process.getuid?.() === 0)('includes a file of mode 000', async () => {
    const folder = folderWith({ 'x.log': 'x' });
    chmodSync(join(folder, 'x.log'), 0);
    expect(await problemOf(join(folder, 'x.log'))).toBe('no permission to read: x.log');
  });

  it('includes a file that a lesser user may not open', async () => {
    const disk: Disk = { ...nodeDisk, open: () => Promise.reject(Object.assign(new Error(), { code: 'EACCES' })) };
    const opened = await openSource(fileAt('/x.log'), { disk });
    expect('problem' in opened && opened.problem.what).toBe('no permission to read: x.log');
  });
});

describe('standard input', () => {
  const stdin = { kind: 'stdin', path: 'stdin', fileName: 'stdin', input: '-', named: true } as const;

  it('is read from the stream, in chunks of any kind', async () => {
    async function* stream() {
      yield 'ä';
      yield new Uint8Array(0);
      yield Buffer.from('b\n');
    }
    const source = await openFile(stdin, { stdin: stream() });
    expect((await readAll(source.blocks)).toString()).toBe('äb\n');
    expect(await source.done()).toEqual({ sha256: sha('äb\n'), bytes: 4, damage: [] });
  });

  it('may be packed, and may break', async () => {
    async function* stream() {
      yield gzipSync(big).subarray(0, 40_000);
      throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    }
    const source = await openFile(stdin, { stdin: stream() });
    const out = await readAll(source.blocks);
    expect(out.length).toBeGreaterThan(100_000);
    expect(out.equals(big.subarray(0, out.length))).toBe(true);
    expect((await source.done()).damage.map((d) => d.what)).toEqual([
      'could not be read beyond byte 40000 (ECONNRESET), what was before it was read',
      'gzip ends early after 40000 bytes, what was before it was read',
    ]);
  });

  it('that says nothing does not keep an aborted run', async () => {
    async function* stream() {
      yield big;
      await new Promise(() => undefined);
    }
    const controller = new AbortController();
    const source = await openFile(stdin, { stdin: stream(), signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect((await readAll(source.blocks)).length).toBe(big.length);
    await source.abandon();
  });

  it('property: however it is cut, the head and the bytes are the same', async () => {
    const contents = [big, gzipSync(big), Buffer.from(`\ufeff${'größe 😀\n'.repeat(9000)}`, 'utf16le')];
    const whole = await Promise.all(contents.map((content) => openContent(content)));
    const expected = await Promise.all(whole.map(async ({ head, blocks }) => ({ head, all: await readAll(blocks) })));
    const anyContent = fc.integer({ min: 0, max: contents.length - 1 });
    const anySizes = fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(anyContent, anySizes, async (which, sizes) => {
        const content = contents[which] ?? big;
        // Small pieces, but not a million of them.
        const least = Math.ceil(content.length / 3000);
        async function* stream() {
          for (let at = 0, turn = 0; at < content.length; turn++) {
            const size = Math.max(least, sizes[turn % sizes.length] ?? 1);
            yield Uint8Array.from(content.subarray(at, at + size));
            at += size;
          }
        }
        const source = await openFile(stdin, { stdin: stream() });
        expect(Buffer.compare(source.head, expected[which]?.head ?? Buffer.alloc(0))).toBe(0);
        expect(Buffer.compare(await readAll(source.blocks), expected[which]?.all ?? Buffer.alloc(0))).toBe(0);
        expect((await source.done()).sha256).toBe(sha(content));
      }),
      { numRuns: 40 },
    );
  });

  it('that is not there is a problem', async () => {
    const opened = await openSource(stdin);
    expect('problem' in opened && opened.problem.what).toBe('nothing comes in on the standard input');
  });
});

describe('a packed file', () => {
  it('is known by its first bytes, not by its name', async () => {
    const packed = gzipSync(big);
    const source = await openContent(packed, 'x.log');
    expect((await readAll(source.blocks)).equals(big)).toBe(true);
    expect(await source.done()).toEqual({
      sha256: sha(packed),
      contentSha256: sha(big),
      bytes: packed.length,
      compression: 'gzip',
      damage: [],
    });
    const plain = await openContent('text', 'x.log.gz');
    expect((await readAll(plain.blocks)).toString()).toBe('text');
    expect(plain.fileName).toBe('x.log.gz');
  });

  it('is called as it was before it was packed', async () => {
    expect((await openContent(gzipSync('x'), 'mailer.log.1.GZ')).fileName).toBe('mailer.log.1');
  });

  it('is hashed whole, packed and unpacked, where its reader stops early', async () => {
    const packed = gzipSync(big);
    const source = await openContent(Buffer.concat([packed, packed]));
    for await (const _ of source.blocks) break;
    expect(await source.done()).toMatchObject({
      sha256: sha(Buffer.concat([packed, packed])),
      contentSha256: sha(Buffer.concat([big, big])),
    });
  });

  it('may hold nothing', async () => {
    const source = await openContent(gzipSync(''));
    expect(source.head.length).toBe(0);
    expect((await source.done()).damage).toEqual([]);
  });

  it('is hashed whole also behind a bomb', async () => {
    const packed = gzipSync(Buffer.alloc(64 << 20));
    const source = await openContent(packed, 'x', { unpackLimits: { bytes: 1 << 20, ratio: 100 } });
    const summary = await source.done();
    expect(summary).toMatchObject({ sha256: sha(packed), bytes: packed.length });
    expect(summary.damage).toHaveLength(1);
  });

  it.each([
    ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59], 'bzip2 -dk'],
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'xz -dk'],
  ])('with %s is refused, and hashed', async (name, bytes, command) => {
    const content = Buffer.concat([Buffer.from(bytes), big]);
    const source = await openContent(content);
    expect(source.refused).toBe(`the file is packed with ${name}, which is not read yet; unpack it first (${command})`);
    expect(source.head.length).toBe(0);
    expect((await readAll(source.blocks)).length).toBe(0);
    expect(await source.done()).toMatchObject({ sha256: sha(content), bytes: content.length });
    const inside = await openContent(gzipSync(content));
    expect(inside.refused).toBe(
      `what the gzip file holds is packed with ${name}, which is not read yet; unpack it first (${command})`,
    );
    expect(await inside.done()).toMatchObject({ sha256: sha(gzipSync(content)) });
  });

  it('with tar or zip is an archive, also inside gzip; it is nobody else', async () => {
    const folder = folderWith({ 'a.log': 'a' });
    const tar = execFileSync('tar', ['-C', folder, '-cf', '-', 'a.log']);
    const zip = Buffer.from([0x50, 0x4b, 3, 4, 20, 0]);
    for (const [archive, bytes] of [
      ['tar', tar],
      ['zip', zip],
    ] as const) {
      expect(await openContent(bytes)).toMatchObject({ archive });
      expect(await openContent(gzipSync(bytes))).toMatchObject({ archive, compression: 'gzip' });
    }
    expect((await openContent('a')).archive).toBeUndefined();
  });

  it('twice is refused', async () => {
    const source = await openContent(gzipSync(gzipSync('x')));
    expect(source.refused).toMatch(/gzip again/);
    await source.done();
  });

  it('is not seen in text that only begins like one', async () => {
    for (const text of ['BZh9 is a header', 'PK is short', `${' '.repeat(257)}ustar${' '.repeat(400)}`])
      expect((await openContent(text)).refused).toBeUndefined();
  });
});

describe('UTF-16', () => {
  const words = '{"level":30,"msg":"größe 😀 done"}\r\n'.repeat(20_000);
  const le = Buffer.from(`\ufeff${words}`, 'utf16le');

  it('with its mark becomes UTF-8, hashed as it is on disk', async () => {
    for (const [bytes, encoding] of [
      [le, 'utf-16le'],
      [Buffer.from(le).swap16(), 'utf-16be'],
    ] as const) {
      const source = await openContent(bytes);
      expect(Buffer.from(source.head).toString().startsWith('{"level":30,"msg":"größe 😀')).toBe(true);
      expect((await readAll(source.blocks)).toString()).toBe(words);
      expect(await source.done()).toEqual({ sha256: sha(bytes), bytes: bytes.length, encoding, damage: [] });
    }
  });

  it('may be packed', async () => {
    const source = await openContent(gzipSync(le));
    for await (const _ of source.blocks) break;
    expect(await source.done()).toMatchObject({ compression: 'gzip', encoding: 'utf-16le', contentSha256: sha(le) });
  });

  it('may end in half a character', async () => {
    const source = await openContent(Buffer.concat([le, Buffer.from([0x41])]));
    expect((await readAll(source.blocks)).toString()).toBe(`${words}\ufffd`);
  });

  it('is not seen in what only begins with the mark', async () => {
    for (const bytes of [
      [0xff, 0xfe, 0, 0, 0x41, 0, 0, 0],
      [0xff, 0xfe, 0x00, 0xdc, 0x41, 0],
    ])
      expect((await (await openContent(Buffer.from(bytes))).done()).encoding).toBeUndefined();
  });
});
