/** zstd (RFC 8878): frames written by hand, block by block; `packed/` holds what the real tool writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unzstd } from '../../src/intake/unzstd.js';
import { isZstd } from '../../src/intake/zstd-frame.js';
import type { Damage } from '../../src/model/evidence.js';
import { ROOT } from '../project/tree.js';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const WINDOW_1_KIB = 0;

type Block = string | { readonly run: string; readonly times: number };

/** A frame of raw blocks and runs; without blocks it holds nothing. */
function frame(blocks: readonly Block[], { checksum = false, window = WINDOW_1_KIB, flags = 0 } = {}): Buffer {
  const all = blocks.length === 0 ? [''] : blocks;
  const parts = all.map((block, n) => {
    const isLast = n === all.length - 1 ? 1 : 0;
    const [type, size, data] =
      typeof block === 'string' ? [0, Buffer.byteLength(block), block] : [1, block.times, block.run];
    const header = Buffer.alloc(3);
    header.writeUIntLE((size << 3) | (type << 1) | isLast, 0, 3);
    return Buffer.concat([header, Buffer.from(data)]);
  });
  return Buffer.concat([
    Buffer.from([...MAGIC, flags | (checksum ? 4 : 0), window, ...(flags & 3 ? [7] : [])]),
    ...parts,
    Buffer.alloc(checksum ? 4 : 0),
  ]);
}

const skippable = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from([0x53, 0x2a, 0x4d, 0x18, bytes & 255, bytes >> 8, 0, 0]), Buffer.alloc(bytes, 'x')]);

async function unpack(bytes: Uint8Array, sizes: readonly number[] = [65_536], limits = { bytes: 1 << 30, ratio: 200 }) {
  const damage: Damage[] = [];
  let at = 0;
  let n = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    if (at >= bytes.length) return undefined;
    const size = Math.max(1, sizes[n++ % sizes.length] ?? 1);
    at += size;
    return bytes.subarray(at - size, at);
  };
  const blocks: Uint8Array[] = [];
  for await (const block of unzstd(next, damage, limits)) blocks.push(block);
  return {
    text: Buffer.concat(blocks).toString(),
    bytes: Buffer.concat(blocks).length,
    damage: damage.map(({ what }) => what),
  };
}

describe('zstd', () => {
  const frames = Buffer.concat([
    frame(['one\n', 'two\n'], { checksum: true }),
    skippable(300),
    frame([]),
    frame([{ run: 'a', times: 1000 }, '\n']),
    frame(['x'], { checksum: true }),
  ]);
  const text = `one\ntwo\n${'a'.repeat(1000)}\nx`;

  it('of several frames, with and without checksum, is one text however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (sizes) => {
        expect(await unpack(frames, sizes)).toMatchObject({ text, damage: [] });
      }),
      { numRuns: 50 },
    );
  });

  it('is recognised by its frames, also behind those to be skipped', () => {
    expect([frames, frame(['x']), Buffer.concat([skippable(20), frames])].map(isZstd)).toEqual([true, true, true]);
    expect([skippable(20), Buffer.from('text'), Buffer.alloc(0)].map(isZstd)).toEqual([false, false, false]);
  });

  it('that the real tool wrote', async () => {
    const { text: log, damage } = await unpack(readFileSync(join(ROOT, 'test/intake/packed/worker-a.log.zst')));
    expect(log).toMatch(/^2024-01-15T10:30:00\.123Z INFO job 1 started\n.*completed\n$/);
    expect(damage).toEqual([]);
  });

  it('that is cut anywhere gives what was before, and says so', async () => {
    for (let end = 1; end < frames.length; end++) {
      const cut = await unpack(frames.subarray(0, end));
      expect(text.startsWith(cut.text)).toBe(true);
      const atFrame = [frame(['one\n', 'two\n'], { checksum: true }).length, 0, 0, 0];
      atFrame[1] = (atFrame[0] ?? 0) + skippable(300).length;
      atFrame[2] = atFrame[1] + frame([]).length;
      atFrame[3] = atFrame[2] + frame([{ run: 'a', times: 1000 }, '\n']).length;
      expect(cut.damage).toHaveLength(atFrame.includes(end) ? 0 : 1);
    }
  });

  it('that garbage follows keeps what was before', async () => {
    expect(await unpack(Buffer.concat([frame(['one\n']), Buffer.from('garbage')]))).toMatchObject({
      text: 'one\n',
      damage: ['what stands at byte 13 is no zstd and was not read, what was before it was'],
    });
  });

  it('that asks for more memory than is given, or for a dictionary, names the command', async () => {
    expect(await unpack(frame(['x'], { window: 0x90 }))).toMatchObject({
      text: '',
      damage: [expect.stringMatching(/window of 256 MiB.*--long=31/)],
    });
    expect((await unpack(frame(['x'], { flags: 1 }))).damage).toEqual([
      expect.stringMatching(/dictionary.*zstd -d -D/),
    ]);
  });

  it('that grows without end is stopped', async () => {
    const bomb = frame(
      Array.from({ length: 2000 }, () => ({ run: 'a', times: 1024 })),
      { window: WINDOW_1_KIB },
    );
    const { bytes, damage } = await unpack(bomb, [4096], { bytes: 10_000, ratio: 20 });
    expect(bytes).toBeLessThan(20_000);
    expect(damage).toEqual([expect.stringMatching(/^zstd grows to more than 20 times its size/)]);
  });
});
