import { constants, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GzipNotes, gunzip } from '../../src/intake/gunzip.js';
import type { UnpackLimits } from '../../src/intake/inflate-member.js';

/** Unpacks bytes that arrive in pieces of these sizes, over and over. */
async function unpack(packed: Uint8Array, sizes: readonly number[] = [512 * 1024], limits?: UnpackLimits) {
  let at = 0;
  let turn = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    if (at >= packed.length) return undefined;
    const size = sizes[turn++ % sizes.length] ?? 1;
    const piece = packed.slice(at, at + size);
    at += size;
    return piece;
  };
  const notes: GzipNotes = { damage: [] };
  const blocks: Uint8Array[] = [];
  for await (const block of gunzip(next, notes, limits)) blocks.push(block);
  return { out: Buffer.concat(blocks), blocks, ...notes, damage: notes.damage.map((d) => d.what), raw: notes.damage };
}

const text = Buffer.from(
  Array.from(
    { length: 6000 },
    (_, i) => `2024-05-01T10:00:${i % 60}Z job ${i * 7919} ${(i * 2654435761) % 9973}\n`,
  ).join(''),
);

describe('whole gzip', () => {
  it('is unpacked, however it is cut', async () => {
    const packed = gzipSync(text);
    for (const sizes of [[1 << 20], [1], [7, 4096], [16 * 1024]]) {
      const { out, damage } = await unpack(packed, sizes);
      expect(out.equals(text)).toBe(true);
      expect(damage).toEqual([]);
    }
  });

  it('may have several members, empty ones, and zeros between and after them', async () => {
    const parts = ['one\n', '', 'two\n', 'three\n'];
    const zeros = new Uint8Array(1000);
    const packed = Buffer.concat([...parts.flatMap((part) => [gzipSync(part), zeros]), zeros]);
    for (const sizes of [[1 << 20], [1], [13]]) {
      const { out, damage } = await unpack(packed, sizes);
      expect(out.toString()).toBe('one\ntwo\nthree\n');
      expect(damage).toEqual([]);
    }
  });

  it('may carry every optional part of a header', async () => {
    const plain = gzipSync('hello');
    const header = Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0x80, 0x43, 0x6d, 0x38, 0, 3]);
    const extra = Buffer.concat([Buffer.from([0x2c, 1]), Buffer.alloc(300, 0xaa)]);
    const packed = Buffer.concat([
      header,
      extra,
      Buffer.from(`${'n'.repeat(9000)}\0`),
      Buffer.from('comment\0'),
      Buffer.from([1, 2]),
      plain.subarray(10),
    ]);
    for (const sizes of [[1 << 20], [1]]) {
      const { out, damage, modifiedMs } = await unpack(packed, sizes);
      expect(out.toString()).toBe('hello');
      expect(damage).toEqual([]);
      expect(modifiedMs).toBe(0x386d4380 * 1000);
    }
  });

  it('property: any content in any members in any cuts comes out as it went in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 }),
        async (parts, sizes) => {
          const { out, damage } = await unpack(Buffer.concat(parts.map((part) => gzipSync(part))), sizes);
          return damage.length === 0 && out.equals(Buffer.concat(parts));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('comes in blocks that own their memory', async () => {
    const { blocks } = await unpack(gzipSync(text), [20_000]);
    expect(new Set(blocks.map((block) => block.buffer)).size).toBe(blocks.length);
    expect(blocks.every((block) => block.buffer.byteLength === block.byteLength)).toBe(true);
  });
});

describe('truncated gzip', () => {
  /** All that zlib can make of the bytes. */
  const good = (packed: Uint8Array): Buffer => {
    try {
      return gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
    } catch {
      return Buffer.alloc(0);
    }
  };

  it('delivers every good byte before the cut, at every offset of a small file', async () => {
    const packed = gzipSync('a small file, then some more of it, and more, and more', { level: 9 });
    for (let cut = 1; cut < packed.length; cut++) {
      const { out, damage } = await unpack(packed.subarray(0, cut));
      expect(damage).toEqual([`gzip ends early after ${cut} bytes, what was before it was read`]);
      expect(out.toString()).toBe(good(packed.subarray(0, cut)).toString());
    }
  });

  it('does so in a large file, at many offsets', async () => {
    const packed = gzipSync(text);
    for (let cut = 1000; cut < packed.length; cut += 1777) {
      const { out, raw } = await unpack(packed.subarray(0, cut), [4096]);
      expect(out.equals(good(packed.subarray(0, cut)))).toBe(true);
      expect(raw).toEqual([
        { what: `gzip ends early after ${cut} bytes, what was before it was read`, offset: out.length },
      ]);
    }
  });

  it('keeps the members before the one that is cut', async () => {
    const packed = Buffer.concat([gzipSync('one\n'), gzipSync(text).subarray(0, 5000)]);
    const { out, damage } = await unpack(packed);
    expect(out.subarray(0, 4).toString()).toBe('one\n');
    expect(out.length).toBeGreaterThan(5000);
    expect(damage).toHaveLength(1);
  });
});

describe('damaged gzip', () => {
  it('is read up to garbage after a member, and garbage is said', async () => {
    for (const [garbage, at] of [
      [Buffer.from('not gzip'), 0],
      [Buffer.concat([Buffer.alloc(700), Buffer.from('x')]), 700],
      [Buffer.from([0x1f, 0x8c, 1]), 0],
    ] as const) {
      const member = gzipSync(text);
      for (const sizes of [[1 << 20], [997]]) {
        const { out, damage } = await unpack(Buffer.concat([member, garbage]), sizes);
        expect(out.equals(text)).toBe(true);
        expect(damage).toEqual([
          `what follows the gzip data at byte ${member.length + at} is not gzip and was not read`,
        ]);
      }
    }
  });

  it('is read up to the damage, save for the output of one call', async () => {
    // After a flush the next block begins on a byte: 0x07 is the type that deflate does not define.
    const source = Buffer.concat(Array.from({ length: 10 }, () => text));
    const data = deflateRawSync(source, { finishFlush: constants.Z_SYNC_FLUSH });
    const header = gzipSync('').subarray(0, 10);
    const { out, raw } = await unpack(Buffer.concat([header, data, Buffer.alloc(5000, 0x07)]));
    expect(raw).toEqual([
      {
        what: expect.stringMatching(
          /^gzip is damaged near byte \d+ \(invalid block type\), what was before it was read$/,
        ),
        offset: out.length,
      },
    ]);
    expect(source.length - out.length).toBeLessThanOrEqual(64 * 1024);
    expect(out.equals(source.subarray(0, out.length))).toBe(true);
  });

  it('says a checksum or length that does not fit, and goes on', async () => {
    for (const back of [8, 1]) {
      const bad = gzipSync('one\n');
      bad[bad.length - back] = (bad[bad.length - back] ?? 0) ^ 0x55;
      const { out, damage } = await unpack(Buffer.concat([bad, gzipSync('two\n')]));
      expect(out.toString()).toBe('one\ntwo\n');
      expect(damage).toEqual(['gzip checksum does not fit: some of the bytes unpacked before this are wrong']);
    }
  });

  it('says a header that gzip does not define', async () => {
    const bad = gzipSync('two\n');
    bad[3] = 0xe0;
    const one = gzipSync('one\n');
    const { out, damage } = await unpack(Buffer.concat([one, bad]));
    expect(out.toString()).toBe('one\n');
    expect(damage).toEqual([`gzip has a broken header at byte ${one.length}, what was before it was read`]);
  });

  it('property: nothing that begins like gzip throws or hangs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 0, max: 3000 }), async (bytes, at) => {
        const packed = gzipSync(text);
        packed.set(bytes, 10 + Math.min(at, packed.length - 500));
        const { out } = await unpack(packed, [333]);
        return out.length <= text.length * 1100;
      }),
      { numRuns: 60 },
    );
  });
});

describe('a decompression bomb', () => {
  it('is left where its size and its ratio pass the limits', async () => {
    const packed = gzipSync(Buffer.alloc(64 << 20));
    const { out, damage } = await unpack(packed, [512 * 1024], { bytes: 8 << 20, ratio: 200 });
    expect(out.length).toBeGreaterThan(8 << 20);
    expect(out.length).toBeLessThan(32 << 20);
    expect(damage).toEqual([
      `gzip grows to more than 200 times its size, the rest after ${out.length} unpacked bytes was not read; unpack it with gunzip if it can be trusted`,
    ]);
  });

  it('is none where only one of them is passed', async () => {
    const packed = gzipSync(Buffer.alloc(4 << 20));
    expect((await unpack(packed, [4096], { bytes: 8 << 20, ratio: 200 })).damage).toEqual([]);
    expect((await unpack(packed, [4096], { bytes: 1 << 20, ratio: 2000 })).damage).toEqual([]);
  });

  it('is found in many small members too', async () => {
    const packed = Buffer.concat(Array.from({ length: 40 }, () => gzipSync(Buffer.alloc(1 << 20))));
    const { out, damage } = await unpack(packed, [4096], { bytes: 8 << 20, ratio: 200 });
    expect(out.length).toBeLessThan(12 << 20);
    expect(damage).toHaveLength(1);
  });
});
