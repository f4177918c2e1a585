/** Encodings no server at hand writes any more, or not yet, put together by hand after the formats' descriptions. */
import { describe, expect, test } from 'vitest';
import { Crc64 } from '../../../src/redis/rdb/crc64.js';
import { decompressLzf, plausibleLzf } from '../../../src/redis/rdb/lzf.js';
import { dump } from '../collect.js';
import { bytes, double, i64, len, listpack, listpackOf, rawId, rdb, str, u16, u32 } from './write-rdb.js';

/** The one key of a file that holds a value of a type. */
async function readBack(magic: string, type: number, ...value: (number | Uint8Array)[]) {
  const { keys, result } = await dump(rdb(magic, 0xfe, 0, type, str('k'), ...value));
  expect(result).toMatchObject({ ended: 'whole', keys: 1 });
  const [{ db, key, type: kind, ...rest } = { db: -1, key: '', type: '' }] = keys;
  expect([db, key]).toEqual([0, 'k']);
  return { kind, ...rest };
}

describe('CRC64', () => {
  test.each([
    ['123456789', 'e9c6d914c4b8d9ca'],
    ['', '0000000000000000'],
  ])('of %j', (text, hex) => {
    const crc = new Crc64();
    crc.update(Buffer.from(text), 0, text.length);
    expect(crc.hex()).toBe(hex);
  });

  test('is the same however the bytes are cut', () => {
    const data = Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * 7 + (i >> 3)) & 255));
    const whole = new Crc64();
    whole.update(data, 0, data.length);
    for (const size of [1, 3, 8, 13, 999]) {
      const cut = new Crc64();
      for (let at = 0; at < data.length; at += size) cut.update(data, at, Math.min(at + size, data.length));
      expect(cut.hex()).toBe(whole.hex());
    }
  });
});

describe('LZF', () => {
  const decompress = (data: number[], length: number) => {
    const out = Buffer.alloc(length);
    return decompressLzf(Buffer.from(data), 0, data.length, out, length) ? out.toString('latin1') : undefined;
  };

  test('literals and overlapping back references', () => {
    expect(decompress([1, 0x61, 0x62], 2)).toBe('ab');
    // "ab", then 6 bytes from 2 back, which are still being written.
    expect(decompress([1, 0x61, 0x62, 4 << 5, 1], 8)).toBe('abababab');
    // A long run: 7 + next + 2.
    expect(decompress([0, 0x61, 7 << 5, 5, 0], 15)).toBe('a'.repeat(15));
  });

  test('refuses what leads out of bounds or to another length', () => {
    expect(decompress([1, 0x61, 0x62], 3)).toBeUndefined();
    expect(decompress([1, 0x61, 0x62], 1)).toBeUndefined();
    expect(decompress([5, 0x61], 6)).toBeUndefined();
    expect(decompress([1, 0x61, 0x62, 4 << 5, 2], 8)).toBeUndefined();
    expect(decompress([1, 0x61, 0x62, 4 << 5], 8)).toBeUndefined();
  });

  test('knows which lengths cannot be', () => {
    expect(plausibleLzf(3, 264)).toBe(true);
    expect(plausibleLzf(20, 4_000_000_000)).toBe(false);
    expect(plausibleLzf(20, 0)).toBe(false);
  });
});

describe('strings and lengths', () => {
  test.each([
    ['int8', bytes(0xc0, 0x85), '-123'],
    ['int16', bytes(0xc1, u16(0x8000)), '-32768'],
    ['int32', bytes(0xc2, u32(2147483648)), '-2147483648'],
    ['14-bit length', bytes(0x40 | 1, 0, 'x'.repeat(256)), 'x'.repeat(256)],
    ['32-bit length', bytes(0x80, 0, 0, 0, 3, 'abc'), 'abc'],
    ['64-bit length', bytes(0x81, 0, 0, 0, 0, 0, 0, 0, 3, 'abc'), 'abc'],
    ['LZF', bytes(0xc3, 5, 8, 1, 'ab', 4 << 5, 1), 'abababab'],
    ['empty', bytes(0), ''],
  ])('%s', async (_, value, expected) => {
    expect(await readBack('REDIS0010', 0, value)).toEqual({ kind: 'string', value: expected });
  });
});

test.each([
  ['string', 0, bytes(0xc3, 2, 8, 0, 'a')],
  ['list', 1, bytes(len(2), str('a'), bytes(0xc3, 2, 8, 0, 'a'))],
  ['sorted set', 5, bytes(len(1), bytes(0xc3, 2, 8, 0, 'a'), double(1))],
  ['old sorted set', 3, bytes(len(1), bytes(0xc3, 2, 8, 0, 'a'), bytes(1, '5'))],
  ['hash', 4, bytes(len(1), str('f'), bytes(0xc3, 2, 8, 0, 'a'))],
  ['packed set', 20, bytes(0xc3, 2, 8, 0, 'a')],
])('a %s that does not decompress is lost, the rest is not', async (_, type, value) => {
  const { keys, result } = await dump(rdb('REDIS0010', type, str('k'), value, 0, str('a'), str('b')), [1]);
  expect(result).toMatchObject({ ended: 'whole', checksum: 'ok', keys: 2, lostCount: 1 });
  expect(keys[1]).toMatchObject({ key: 'a', value: 'b' });
});

describe('listpack', () => {
  test('every form of an entry', async () => {
    const long = 'y'.repeat(5000);
    const entries = [
      [bytes(0), '0'],
      [bytes(127), '127'],
      [bytes(0x80), ''],
      [bytes(0x80 | 5, 'hello'), 'hello'],
      [bytes(0xc0 | 0x0f, 0xff), '4095'],
      [bytes(0xc0 | 0x10, 0), '-4096'],
      [bytes(0xdf, 0xff), '-1'],
      [bytes(0xe0 | 1, 0x2c, 'z'.repeat(300)), 'z'.repeat(300)],
      [bytes(0xf0, u32(5000), long), long],
      [bytes(0xf1, u16(0x8000)), '-32768'],
      [bytes(0xf2, 0xff, 0xff, 0x7f), '8388607'],
      [bytes(0xf2, 0, 0, 0x80), '-8388608'],
      [bytes(0xf3, u32(0x80000000)), '-2147483648'],
      [bytes(0xf4, i64(-9223372036854775808n)), '-9223372036854775808'],
      [bytes(0xf4, i64(9007199254740993n)), '9007199254740993'],
    ] as const;
    const pack = listpackOf(entries.map(([entry]) => entry));
    expect(await readBack('REDIS0011', 20, str(pack))).toEqual({
      kind: 'set',
      members: entries.map(([, text]) => text),
    });
  });

  test.each([
    ['another total', bytes(u32(99), u16(0), 0xff)],
    ['no end mark', bytes(u32(7), u16(0), 0)],
    ['another count', bytes(u32(9), u16(2), 1, 1, 0xff)],
    ['an entry beyond the end', bytes(u32(9), u16(1), 0xbf, 1, 0xff)],
    ['an unknown form', bytes(u32(9), u16(1), 0xf5, 1, 0xff)],
    ['too short', bytes(1, 2)],
  ])('damage: %s', async (_, pack) => {
    const { keys, result } = await dump(rdb('REDIS0011', 20, str('k'), str(pack), 0, str('a'), str('b')));
    // The string around it says where it ends, so what follows is read.
    expect(result).toMatchObject({ ended: 'whole', checksum: 'ok', keys: 2, lostCount: 1 });
    expect(keys[1]).toMatchObject({ key: 'a', value: 'b' });
  });
});

describe('ziplist, zipmap, intset, plain collections', () => {
  const ziplist = (...entries: Buffer[]) => {
    let previous = 0;
    const body = Buffer.concat(
      entries.map((entry) => {
        const out = bytes(...(previous < 254 ? [previous] : [0xfe, u32(previous)]), entry);
        previous = out.length;
        return out;
      }),
    );
    return bytes(u32(body.length + 11), u32(10 + body.length - previous), u16(entries.length), body, 0xff);
  };
  const text = (value: string) => bytes(value.length, value);

  test('ziplist: every form of an entry', async () => {
    const pack = ziplist(
      text('abc'),
      bytes(0x40 | 1, 0x2c, 'z'.repeat(300)),
      bytes(0x80, 0, 0, 0, 2, 'hi'),
      bytes(0xc0, u16(0x8000)),
      bytes(0xd0, u32(0x80000000)),
      bytes(0xe0, i64(9223372036854775807n)),
      bytes(0xf0, 0, 0, 0x80),
      bytes(0xfe, 0x80),
      bytes(0xf1),
      bytes(0xfd),
    );
    expect(await readBack('REDIS0006', 10, str(pack))).toEqual({
      kind: 'list',
      values: [
        'abc',
        'z'.repeat(300),
        'hi',
        '-32768',
        '-2147483648',
        '9223372036854775807',
        '-8388608',
        '-128',
        '0',
        '12',
      ],
    });
    expect(
      await readBack('REDIS0007', 14, len(2), str(ziplist(text('a'))), str(ziplist(text('b'), bytes(0xf3)))),
    ).toEqual({ kind: 'list', values: ['a', 'b', '2'] });
  });

  test('ziplist as sorted set and hash', async () => {
    expect(await readBack('REDIS0006', 12, str(ziplist(text('m'), text('1.5'), text('n'), bytes(0xf8))))).toEqual({
      kind: 'zset',
      entries: [
        { member: 'm', score: 1.5 },
        { member: 'n', score: 7 },
      ],
    });
    expect(await readBack('REDIS0006', 13, str(ziplist(text('f'), text('v'))))).toEqual({
      kind: 'hash',
      hash: { f: 'v' },
    });
  });

  test('zipmap, with free bytes behind a value', async () => {
    const pack = bytes(2, 1, 'f', 1, 2, 'v', 'xx', 0xfe, u32(2), 'gg', 0, 0, 0xff);
    expect(await readBack('REDIS0002', 9, str(pack))).toEqual({ kind: 'hash', hash: { f: 'v', gg: '' } });
  });

  test('integer sets of every width', async () => {
    const widths = [
      [2, u16(0xffff), '-1'],
      [4, u32(0x80000000), '-2147483648'],
      [8, i64(-5n), '-5'],
      [8, i64(2n ** 62n), String(2n ** 62n)],
    ] as const;
    for (const [width, member, expected] of widths) {
      expect(await readBack('REDIS0006', 11, str(bytes(u32(width), u32(1), member)))).toEqual({
        kind: 'set',
        members: [expected],
      });
    }
  });

  test('lists, sets and scores in text', async () => {
    expect(await readBack('REDIS0003', 1, len(2), str('a'), str('b'))).toEqual({ kind: 'list', values: ['a', 'b'] });
    expect(await readBack('REDIS0003', 3, len(3), str('a'), bytes(3, '2.5'), str('b'), 254, str('c'), 255)).toEqual({
      kind: 'zset',
      entries: [
        { member: 'a', score: 2.5 },
        { member: 'b', score: Number.POSITIVE_INFINITY },
        { member: 'c', score: Number.NEGATIVE_INFINITY },
      ],
    });
    expect(await readBack('REDIS0009', 5, len(1), str('a'), double(7.36e15))).toEqual({
      kind: 'zset',
      entries: [{ member: 'a', score: 7.36e15 }],
    });
  });

  test('quicklist with a plain node', async () => {
    const value = bytes(len(2), len(1), str('plain'), len(2), str(listpack('x', 5)));
    expect(await readBack('REDIS0011', 18, value)).toEqual({ kind: 'list', values: ['plain', 'x', '5'] });
  });
});

describe('hashes with expiring fields', () => {
  const expected = { kind: 'hash', hash: { f: 'v', g: 'w' }, expire: { f: 1700000000123 } };
  test.each([
    ['22 of Redis', 'REDIS0012', 22, bytes(len(2), len(1700000000123), str('f'), str('v'), len(0), str('g'), str('w'))],
    [
      '22 of Valkey',
      'VALKEY080',
      22,
      bytes(len(2), str('f'), str('v'), i64(1700000000123), str('g'), str('w'), i64(-1)),
    ],
    ['23', 'REDIS0012', 23, str(listpack('f', 'v', 1700000000123, 'g', 'w', 0))],
    [
      '24',
      'REDIS0012',
      24,
      bytes(i64(1700000000000), len(2), len(124), str('f'), str('v'), len(0), str('g'), str('w')),
    ],
    ['25', 'REDIS0012', 25, bytes(i64(1700000000123), str(listpack('f', 'v', 1700000000123, 'g', 'w', 0)))],
  ])('type %s', async (_, magic, type, value) => {
    expect(await readBack(magic, type, value)).toEqual(expected);
  });

  test('the same number is another type in Valkey', async () => {
    const { result } = await dump(rdb('VALKEY080', 24, str('k'), len(0)));
    expect(result).toMatchObject({ ended: 'unknown', problem: 'values of type 24 are unknown' });
  });
});

describe('streams', () => {
  const node = listpack(
    ...[2, 1, 2, 'event', 'jobId', 0],
    ...[2, 0, 0, 'active', '7', 5],
    ...[3, 10, 0, 'completed', '7', 5],
    ...[0, 20, -3, 1, 'event', 'drained', 6],
  );
  const messages = [
    { id: '1700000000000-3', fields: { event: 'active', jobId: '7' }, deleted: false },
    { id: '1700000000010-3', fields: { event: 'completed', jobId: '7' }, deleted: true },
    { id: '1700000000020-0', fields: { event: 'drained' }, deleted: false },
  ];
  const nodes = bytes(len(1), str(rawId(1700000000000, 3)), str(node));
  const last = bytes(len(1700000000020), len(0));
  const state = bytes(len(2), last);
  const state2 = bytes(state, len(1700000000000), len(3), len(1700000000010), len(3), len(9));
  const read = { len: 2, lastId: '1700000000020-0' };
  const read2 = { ...read, firstId: '1700000000000-3', maxDeletedId: '1700000000010-3', addedEntriesCount: 9 };
  const pel = bytes(len(1), rawId(1700000000000, 3), i64(1700000000050), len(2));
  const consumerIds = bytes(len(1), rawId(1700000000000, 3));
  const group = {
    name: 'g',
    lastId: '1700000000020-0',
    pending: [{ id: '1700000000000-3', deliveryTime: 1700000000050, deliveryCount: 2 }],
    consumers: [{ name: 'c', seenTime: 1700000000060, pending: ['1700000000000-3'] }],
  };
  const unknownCount = len(2n ** 64n - 1n);
  const group2 = bytes(str('g'), last, len(2), pel, len(1), str('c'), i64(1700000000060), consumerIds);
  const group3 = bytes(
    bytes(str('g'), last, unknownCount, pel),
    bytes(len(1), str('c'), i64(1700000000060), i64(1700000000070), consumerIds),
  );
  const active = { ...group, consumers: [{ ...group.consumers[0], activeTime: 1700000000070 }] };
  const producers = bytes(len(60), len(100), len(1), str('p'), len(1), str('iid'), len(5), len(6), len(7), len(8));

  test.each([
    [15, bytes(nodes, state, len(0)), { ...read, groups: [] }],
    [19, bytes(nodes, state2, len(1), group2), { ...read2, groups: [{ ...group, entriesRead: 2 }] }],
    [21, bytes(nodes, state2, len(1), group3), { ...read2, groups: [active] }],
    [26, bytes(nodes, state2, len(1), group3, producers), { ...read2, groups: [active] }],
    [27, bytes(nodes, state2, len(1), group3, len(1), rawId(1, 2), producers), { ...read2, groups: [active] }],
  ])('type %i', async (type, value, expected) => {
    expect(await readBack('REDIS0014', type, value)).toEqual({ kind: 'stream', messages, ...expected });
  });

  test('an empty stream still knows its last id', async () => {
    const value = bytes(len(0), len(0), last, len(0), len(0), len(0), len(0), len(5), len(0));
    expect(await readBack('REDIS0010', 19, value)).toEqual({
      ...{ kind: 'stream', messages: [], groups: [], len: 0, lastId: '1700000000020-0' },
      ...{ firstId: '0-0', maxDeletedId: '0-0', addedEntriesCount: 5 },
    });
  });

  test.each([
    ['a wrong entry size', listpack(1, 0, 1, 'f', 0, 2, 0, 0, 'v', 9)],
    ['fewer entries than stated', listpack(2, 0, 1, 'f', 0, 2, 0, 0, 'v', 4)],
    ['more entries than stated', listpack(1, 0, 1, 'f', 0, 2, 0, 0, 'v', 4, 2, 1, 0, 'w', 4)],
    ['text where a number belongs', listpack('x', 0, 1, 'f', 0)],
    ['a huge number of fields', listpack(1, 0, 2 ** 50, 'f', 0)],
  ])('damage: %s', async (_, pack) => {
    const value = bytes(len(1), str(rawId(1, 1)), str(pack), state2, len(0));
    const { keys, result } = await dump(rdb('REDIS0010', 19, str('k'), value, 0, str('a'), str('b')));
    expect(result).toMatchObject({ ended: 'whole', keys: 2, lostCount: 1 });
    expect(keys[0]).toMatchObject({ key: 'k', len: 2 });
  });
});

describe('opcodes and modules', () => {
  const module = bytes(len(1), len(5), len(2), len(9), len(3), u32(0), len(4), double(1), len(5), str('part'), len(0));

  test('everything that may stand around keys', async () => {
    const file = rdb(
      'REDIS0013',
      ...[0xfa, str('redis-ver'), str('8.6.0'), 0xfa, str('ctime'), bytes(0xc2, u32(1700000000))],
      ...[0xf7, len(12345), len(2), len(1), module],
      ...[0xf5, str('#!lua name=a'), 0xf6, str('old'), str('LUA'), len(1), str('about'), str('return 1')],
      ...[0xfe, len(3), 0xfb, len(2), len(1), 0xf4, len(1), len(2), len(0)],
      ...[0xfc, i64(1700000000123), 0xf8, len(70), 0, str('a'), str('1')],
      ...[0xfd, u32(1700000000), 0xf9, 5, 0, str('b'), str('2')],
      ...[107, len(1), 121, len(2), 0, str('c'), str('3')],
      ...[0xf3, len(1), u32(7), module, 0, str('d'), str('4')],
      ...[7, str('e'), len(99), module],
    );
    const { keys, aux, functions, result } = await dump(file);
    expect(result).toMatchObject({ ended: 'whole', checksum: 'ok', keys: 5, databases: [3] });
    expect(aux).toEqual([
      ['redis-ver', '8.6.0'],
      ['ctime', '1700000000'],
    ]);
    expect(functions).toEqual(['#!lua name=a', 'return 1']);
    expect(keys.map(({ key, type, value, expiration }) => [key, type, value, expiration])).toEqual([
      ['a', 'string', '1', 1700000000123],
      ['b', 'string', '2', 1700000000000],
      ['c', 'string', '3', undefined],
      ['d', 'string', '4', undefined],
      ['e', 'module', undefined, undefined],
    ]);
  });

  test('Valkey: opcode 243 is another', async () => {
    const job = bytes(0xf3, str('j'.repeat(40)), len(1), len(5), len(9));
    const { keys, result } = await dump(rdb('VALKEY080', job, 0, str('k'), str('v')));
    expect(result).toMatchObject({ ended: 'whole', checksum: 'ok', magic: { flavour: 'valkey', version: 80 } });
    expect(keys).toHaveLength(1);
  });

  test.each([
    [6, 'values of type 6 are unknown'],
    [28, 'values of type 28 are unknown'],
    [200, 'opcode 200 is unknown'],
    [242, 'opcode 242 is unknown'],
  ])('code %i ends the reading, and what was read stands', async (code, problem) => {
    const { keys, result } = await dump(rdb('REDIS0015', 0, str('a'), str('b'), code, str('k'), str('v')));
    expect(keys).toHaveLength(1);
    expect(result).toMatchObject({ ended: 'unknown', problem, lastKey: 'a', insideKey: false, offset: 14 });
  });

  test('no checksum before version 5, and 0 for none', async () => {
    expect((await dump(rdb('REDIS0004'))).result).toMatchObject({ ended: 'whole', checksum: 'absent' });
    const none = bytes('REDIS0010', 0xff, Buffer.alloc(8));
    expect((await dump(none)).result).toMatchObject({ ended: 'whole', checksum: 'absent' });
    const wrong = rdb('REDIS0010', 0, str('a'), str('b'));
    wrong[13] = 0x63;
    expect((await dump(wrong)).result).toMatchObject({ ended: 'whole', checksum: 'wrong', keys: 1 });
  });

  test('bytes that are no RDB', async () => {
    expect((await dump(Buffer.from('hello world, this is text'))).result).toMatchObject({ ended: 'corrupt', keys: 0 });
    expect((await dump(Buffer.alloc(0))).result).toMatchObject({ ended: 'truncated', keys: 0 });
  });

  test.each([
    ['a string of 4 GB', bytes(0x80, 0xff, 0xff, 0xff, 0xff)],
    ['a string of 2^63 bytes', bytes(0x81, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)],
    ['20 bytes that claim 4 GB', bytes(0xc3, 20, 0x80, 0xff, 0xff, 0xff, 0xff, Buffer.alloc(20))],
  ])('%s costs nothing', async (_, value) => {
    const before = process.memoryUsage().arrayBuffers;
    const { result } = await dump(bytes('REDIS0010', 0, str('k'), value, 'abc'));
    expect(result.ended).not.toBe('whole');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
  });

  test.each([1, 2, 4, 5, 14, 18, 19, 24])('type %i with 2^62 elements ends with the file', async (type) => {
    const { result } = await dump(bytes('REDIS0012', type, str('k'), Buffer.alloc(8), len(2n ** 62n), str('a')));
    expect(result.ended).not.toBe('whole');
  });
});
