/** Files that are cut off or changed: the reading ends, says where, and what came before stands. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dump } from '../collect.js';
import { bytes, double, i64, len, listpack, rawId, rdb, str, u32 } from './write-rdb.js';

/** A small file with a value of each kind. */
const file = rdb(
  'REDIS0011',
  ...[0xfa, str('redis-ver'), str('7.2.0'), 0xfa, str('ctime'), bytes(0xc2, u32(1700000000))],
  ...[0xfe, 0, 0xfb, 9, 1],
  ...[0xfc, i64(1700000030000), 0, str('bull:q:1:lock'), str('token:1')],
  ...[0, str('compressed'), bytes(0xc3, 5, 8, 1, 'ab', 4 << 5, 1)],
  ...[1, str('list'), len(2), str('a'), bytes(0xc0, 5)],
  ...[4, str('bull:q:1'), len(3), str('name'), str('mail'), str('opts'), str('{}'), str('data'), str('{"a":1}')],
  ...[5, str('bull:q:failed'), len(2), str('m'), double(1.5), str('n'), double(2)],
  ...[16, str('bull:q:meta'), str(listpack('version', 'bullmq:5.1.0'))],
  ...[18, str('bull:q:wait'), len(2), len(2), str(listpack('1', 2)), len(1), str('plain')],
  ...[24, str('expiring'), i64(1700000000000), len(1), len(9), str('f'), str('v')],
  ...[19, str('bull:q:events'), len(1), str(rawId(1700000000000, 0))],
  str(listpack(1, 1, 2, 'event', 'jobId', 0, 3, 0, 0, 'active', '1', 5, 2, 1, 0, 'completed', '1', 5)),
  ...[len(1), len(1700000000001), len(0), len(1700000000000), len(0), len(0), len(0), len(2)],
  ...[len(1), str('group'), len(0), len(0), len(1), len(1), rawId(1700000000000, 0), i64(5), len(1)],
  ...[len(1), str('consumer'), i64(5), len(1), rawId(1700000000000, 0)],
);

/** Whether what was read is the beginning of the whole: same keys, of which only the last may be shorter. */
function expectPrefix(keys: readonly unknown[], whole: readonly { key: string }[]): void {
  expect(keys.length).toBeLessThanOrEqual(whole.length);
  expect(keys.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, keys.length - 1)));
}

describe('a damaged RDB', () => {
  test('the file itself is sound', async () => {
    const { keys, result } = await dump(file);
    expect(result).toMatchObject({ ended: 'whole', checksum: 'ok', keys: 9 });
    expect(keys.map(({ type }) => type).join(' ')).toBe('string string list hash zset hash list hash stream');
  });

  test('cut at every byte, the keys before the cut are read', async () => {
    const whole = (await dump(file)).keys;
    for (let end = 0; end < file.length; end++) {
      for (const sizes of [[end || 1], [1], [5, 2]]) {
        const { keys, result } = await dump(file.subarray(0, end), sizes);
        expect(result.ended).toBe('truncated');
        expectPrefix(keys, whole);
        expect(result.offset).toBeLessThanOrEqual(end);
        expect(result.keys).toBe(result.insideKey ? keys.length - 1 : keys.length);
        if (keys.length > 0) expect(result.lastKey).toBe(whole[keys.length - 1]?.key);
      }
    }
  });

  test('the same bytes in any blocks give the same', async () => {
    const whole = await dump(file);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }), async (sizes) => {
        const cut = await dump(file, sizes);
        expect(cut.keys).toEqual(whole.keys);
        expect(cut.result).toEqual(whole.result);
      }),
      { numRuns: 60 },
    );
  });

  test('changed bytes never throw, hang or go unnoticed', async () => {
    const whole = await dump(file);
    const flip = fc.record({ at: fc.nat(file.length - 1), to: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 4 }), fc.nat(30), async (flips, size) => {
        const changed = Buffer.from(file);
        for (const { at, to } of flips) changed[at] = to;
        const { keys, result } = await dump(changed, [size + 1]);
        expect(result.offset).toBeLessThanOrEqual(changed.length);
        expect(result.keys).toBeLessThanOrEqual(keys.length);
        if (changed.equals(file)) expect(keys).toEqual(whole.keys);
        else expect(result.checksum).not.toBe('ok');
      }),
      { numRuns: 2000 },
    );
  });
});
