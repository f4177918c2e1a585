/** Snapshots as evidence: keys of queues and what is told of them. */
import { describe, expect, test } from 'vitest';
import { redisReaders } from '../../src/redis/index.js';
import { rdbReader } from '../../src/redis/rdb-reader.js';
import { blocks, collect } from './collect.js';
import { bytes, double, i64, len, listpack, rawId, rdb, str, u32 } from './rdb/write-rdb.js';

const T = 1700000000000;
const hash = (key: string, fields: Record<string, string | number>) =>
  bytes(
    4,
    str(key),
    len(Object.keys(fields).length),
    ...Object.entries(fields).flatMap(([k, v]) => [str(k), str(String(v))]),
  );
const string = (key: string, value: string) => bytes(0, str(key), str(value));
const list = (key: string, ...items: string[]) =>
  bytes(1, str(key), len(items.length), ...items.map((item) => str(item)));
const set = (key: string, ...items: string[]) =>
  bytes(2, str(key), len(items.length), ...items.map((item) => str(item)));
const zset = (key: string, ...pairs: [string, number][]) =>
  bytes(5, str(key), len(pairs.length), ...pairs.flatMap(([member, score]) => [str(member), double(score)]));
const job = (key: string, more: Record<string, string | number> = {}) =>
  hash(key, { name: 'send', data: '{"to":"ann"}', opts: '{"attempts":3}', timestamp: T, ...more });
/** A stream of live entries, one node. */
const stream = (key: string, ...entries: [ms: number, ...fields: string[]][]) => {
  const first = entries[0]?.[0] ?? T;
  const rows = entries.flatMap(([ms, ...fields]) => [
    0,
    ms - first,
    0,
    fields.length / 2,
    ...fields,
    fields.length + 4,
  ]);
  const nodes =
    entries.length === 0 ? [len(0)] : [len(1), str(rawId(first, 0)), str(listpack(entries.length, 0, 0, 0, ...rows))];
  const last = [len(entries.at(-1)?.[0] ?? T), len(0)];
  return bytes(
    19,
    str(key),
    ...nodes,
    len(entries.length),
    ...last,
    len(first),
    len(0),
    len(0),
    len(0),
    len(99),
    len(0),
  );
};
const ctime = bytes(0xfa, str('ctime'), bytes(0xc2, u32(T / 1000)));
const version = bytes(0xfa, str('redis-ver'), str('7.0.15'));

const read = (parts: (number | Uint8Array)[], options = {}) => collect(rdbReader, rdb('REDIS0010', ...parts), options);
const told = async (parts: (number | Uint8Array)[], options = {}) =>
  (await read(parts, options)).facts.map(({ ...fact }) => ('offset' in fact ? { ...fact, offset: 0 } : fact));
const place = { prefix: 'bull', queue: 'q', offset: 0 };

describe('recognition', () => {
  test.each([
    ['REDIS0010xyz', 'starts with REDIS0010'],
    ['VALKEY080xyz', 'starts with VALKEY080'],
    ['VKCS\u0001\u0001', 'starts with VKCS (compressed by Valkey)'],
  ])('%s', (head, reason) => {
    expect(rdbReader.detect(Buffer.from(head), 'x')).toEqual({ format: 'rdb', score: 1, reason });
  });

  test.each(['REDIS', 'REDISnope', 'redis0010', '', '*2\r\n$6\r\nSELECT\r\n'])('not %j', (head) => {
    expect(rdbReader.detect(Buffer.from(head), 'dump.rdb')).toBeUndefined();
  });

  test('is in the list of readers', () => {
    expect(redisReaders.map(({ name }) => name)).toContain('rdb');
  });
});

describe('facts', () => {
  test('a job of BullMQ 5 and later', async () => {
    const fields = {
      ...{ processedOn: T + 1, finishedOn: T + 2, ats: 3, atm: 2, stc: 1, pb: 'worker-1', delay: 0 },
      ...{ returnvalue: '{"secret":1}', failedReason: 'boom\nat x', defa: 'child failed', progress: '{"step":4}' },
      parentKey: 'bull:p:1',
    };
    expect(await told([job('bull:q:7', fields)])).toContainEqual({
      ...{ type: 'job', ...place, job: '7', name: 'send', timestamp: T, processedOn: T + 1, finishedOn: T + 2 },
      ...{ attemptsStarted: 3, attemptsMade: 2, stalledCounter: 1, maxAttempts: 3, processedBy: 'worker-1' },
      ...{ failedReason: 'boom at x', deferredFailure: 'child failed', progress: 4, hasReturnValue: true },
      ...{ delayMs: 0, parentKey: 'bull:p:1' },
    });
  });

  test('BullMQ up to 4 counts activations in attemptsMade; Bull counts ends', async () => {
    const older = { attemptsMade: 2, stalledCounter: 1 };
    const common = { type: 'job', ...place, name: 'send', timestamp: T, hasReturnValue: false, stalledCounter: 1 };
    const facts = await told([
      job('bull:q:1', { ...older, opts: '{"delay":0,"attempts":3}' }),
      job('bull:q:2', { ...older, opts: `{"attempts":3,"delay":0,"timestamp":${T}}` }),
      job('bull:q:3', { ...older, ats: 5 }),
    ]);
    expect(facts).toContainEqual({ ...common, job: '1', maxAttempts: 3, attemptsStarted: 2 });
    expect(facts).toContainEqual({ ...common, job: '2', maxAttempts: 3, attemptsMade: 2 });
    expect(facts).toContainEqual({ ...common, job: '3', maxAttempts: 3, attemptsStarted: 5, attemptsMade: 2 });
  });

  test('members of lists and sets; markers of old versions are none', async () => {
    const facts = await told([
      list('bull:q:wait', '1', '0:0', '0:1700000000000', 'repeat:x:1700000000000'),
      list('bull:q:active', '2'),
      set('bull:q:stalled', '2'),
      zset('bull:q:delayed', ['3', T * 4096 + 1]),
      zset('bull:q:failed', ['4', T]),
    ]);
    const member = { type: 'member', ...place };
    expect(facts.filter(({ type }) => type === 'member')).toEqual([
      { ...member, set: 'wait', job: '1' },
      { ...member, set: 'wait', job: 'repeat:x:1700000000000' },
      { ...member, set: 'active', job: '2' },
      { ...member, set: 'stalled', job: '2' },
      { ...member, set: 'delayed', job: '3', score: T * 4096 + 1 },
      { ...member, set: 'failed', job: '4', score: T },
    ]);
  });

  test('locks with expiry, meta, stalled-check, the id counter', async () => {
    const facts = await told([
      ...[0xfc, i64(T + 30000), string('bull:q:2:lock', 'uuid:5')],
      hash('bull:q:meta', { 'opts.maxLenEvents': 10000, version: 'bullmq:5.1.0', custom: 'private' }),
      ...[0xfc, i64(T + 1000), string('bull:q:stalled-check', String(T))],
      string('bull:q:id', '17'),
    ]);
    const meta = { type: 'meta', ...place };
    expect(facts).toEqual(
      expect.arrayContaining([
        { type: 'lock', ...place, job: '2', token: 'uuid:5', expiresAtMs: T + 30000 },
        { ...meta, field: 'opts.maxLenEvents', value: '10000' },
        { ...meta, field: 'version', value: 'bullmq:5.1.0' },
        { ...meta, field: 'stalled-check', value: String(T) },
        { ...meta, field: 'id', value: '17' },
      ]),
    );
    expect(JSON.stringify(facts)).not.toContain('private');
  });

  test('the offset is that of the record of the key, its expiry included', async () => {
    const { facts } = await read([0xfe, 0, 0xfc, i64(T), string('bull:q:2:lock', 'a'), job('bull:q:2')]);
    expect(facts.find(({ type }) => type === 'job')).toMatchObject({ offset: 11 + 9 + 17 });
    expect(facts.find(({ type }) => type === 'lock')).toMatchObject({ offset: 11 });
  });

  test('a job whose hash was removed under it leaves a remnant', async () => {
    const facts = await told([hash('bull:q:7', { processedOn: T, ats: 1 }), hash('app:user:7', { processedOn: T })]);
    expect(facts.filter(({ type }) => type === 'job')).toEqual([
      { type: 'job', ...place, job: '7', processedOn: T, attemptsStarted: 1, hasReturnValue: false },
    ]);
  });

  test('the moment of the snapshot lies between the last event and a second after the start of the saving', async () => {
    expect(await told([version, ctime])).toEqual([
      { type: 'snapshot', momentMs: [T, T + 1000], redisVersion: '7.0.15' },
    ]);
    const events = stream('bull:q:events', [T + 400, 'event', 'active', 'jobId', '1']);
    expect(await told([ctime, events])).toContainEqual({ type: 'snapshot', momentMs: [T + 400, T + 1000] });
    expect(await told([events])).toContainEqual({ type: 'snapshot' });
  });
});

describe('events', () => {
  test('entries become events; custom ones are counted; the state of the stream is a fact', async () => {
    const { events, facts, report } = await read([
      stream(
        'bull:q:events',
        [T, 'event', 'active', 'jobId', '1', 'prev', 'waiting'],
        [T + 5, 'event', 'shipped', 'parcel', 'private'],
        [T + 9, 'event', 'completed', 'jobId', '1', 'returnvalue', '{"private":1}'],
      ),
    ]);
    expect(events.map(({ kind, t, line, job }) => [kind, t, line, job])).toEqual([
      ['active', T, 0, '1'],
      ['completed', T + 9, 0, '1'],
    ]);
    expect(facts).toContainEqual({
      ...{ type: 'stream', prefix: 'bull', queue: 'q', offset: 9, length: 3, entriesAdded: 99 },
      ...{ firstId: `${T}-0`, lastId: `${T + 9}-0` },
    });
    expect(report).toMatchObject({ records: 4, understood: 3 });
    expect(report.unknownShapes).toEqual([{ shape: 'events stream: event "shipped"', count: 1, firstLine: 0 }]);
    expect(JSON.stringify([events, facts])).not.toContain('private');
  });

  test("another program's stream called events is none of ours", async () => {
    const { events, facts, report } = await read([stream('app:user:events', [T, 'event', 'login', 'user', 'ann'])]);
    expect(events).toEqual([]);
    expect(facts.filter(({ type }) => type === 'stream')).toEqual([]);
    expect(report).toMatchObject({ records: 0, damage: [], unknownShapes: [] });
  });
});

describe('which queue', () => {
  test('ids that hold a colon are cut once the queue is known, in any order of keys', async () => {
    const keys = [
      job('eu:app:mail:order:17'),
      string('eu:app:mail:order:17:lock', 'tok'),
      hash('eu:app:mail:meta', { version: 'bullmq:4.0.0' }),
    ];
    for (const order of [keys, [...keys].reverse()]) {
      const facts = (await read(order)).facts.filter((fact) => fact.type === 'job' || fact.type === 'lock');
      expect(facts).toHaveLength(2);
      for (const fact of facts) expect(fact).toMatchObject({ prefix: 'eu:app', queue: 'mail', job: 'order:17' });
    }
  });

  test('unknown queues: the last part is the id, but under the usual prefix the queue is one part', async () => {
    const jobs = (await read([job('eu:app:mail:17'), job('bull:mail:a:b')])).facts.filter(({ type }) => type === 'job');
    expect(jobs).toMatchObject([
      { prefix: 'eu:app', queue: 'mail', job: '17' },
      { prefix: 'bull', queue: 'mail', job: 'a:b' },
    ]);
  });

  test("other programs' keys are not taken", async () => {
    const { facts, report } = await read([
      string('idem:order:17', '{"status":"done"}'),
      string('app:orders:17:lock', 'somebody'),
      string('app:orders:id', '5'),
      hash('app:user:17', { name: 'Ann', data: 'x', email: 'ann@example.org' }),
      hash('app:video:meta', { title: 'private' }),
      list('queue:wait', 'x'),
    ]);
    expect(facts).toEqual([{ type: 'snapshot' }]);
    expect(report).toMatchObject({ records: 0, damage: [] });
    expect(report.reason).toContain('0 of 6 keys');
  });

  test('two databases with one queue: two queues', async () => {
    const { facts, report } = await read([0xfe, 0, job('bull:q:1'), 0xfe, 1, job('bull:q:1')]);
    const [first, second] = facts.filter(({ type }) => type === 'job');
    expect(first).not.toHaveProperty('db');
    expect(second).toMatchObject({ db: 1, queue: 'q', job: '1' });
    expect(report.damage).toEqual([]);
  });

  test('one key twice is said', async () => {
    const { report } = await read([list('bull:q:wait', '1'), list('bull:q:wait', '1')]);
    expect(report.damage).toMatchObject([{ what: 'the key bull:q:wait stands twice in database 0; both were kept' }]);
  });
});

describe('damage', () => {
  const sound = [version, job('bull:q:1'), job('bull:q:2')];

  test('none', async () => {
    const { report } = await read(sound);
    expect(report).toEqual({
      ...{ kind: 'redis', format: 'rdb', records: 2, understood: 2, damage: [], assumptions: [], unknownShapes: [] },
      reason: 'starts with REDIS0010 (Redis 7.0.15); 2 of 2 keys belong to queues',
      limits: [],
    });
  });

  test.each([
    ['cut off', (file: Buffer) => file.subarray(0, file.length - 20), /^cut off while reading the key "bull:q:2"/],
    ['checksum', (file: Buffer) => Buffer.concat([file.subarray(0, -1), Buffer.from([1])]), /^the checksum .* changed/],
    [
      'unknown type',
      () => rdb('REDIS0010', ...sound, 28, str('x')),
      /^stopped after the key "bull:q:2": values of type 28/,
    ],
    ['trailing', (file: Buffer) => Buffer.concat([file, Buffer.from('xyz')]), /^3 bytes stand after the end mark/],
    ['AOF', (file: Buffer) => Buffer.concat([file, Buffer.from('*1\r\n$4\r\nPING\r\n')]), /^14 bytes of commands/],
  ])('%s', async (_, change, message) => {
    const { facts, report } = await collect(rdbReader, change(rdb('REDIS0010', ...sound)));
    expect(facts.filter(({ type }) => type === 'job').length).toBeGreaterThan(0);
    expect(report.damage[0]?.what).toMatch(message);
    expect(report.damage[0]?.offset).toBeGreaterThan(0);
  });

  test('a source that breaks off', async () => {
    async function* broken() {
      yield* blocks(rdb('REDIS0010', ...sound).subarray(0, 120));
      throw new Error('unexpected end of file');
    }
    const { report } = await collect(rdbReader, broken());
    expect(report.damage.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^cut off/),
      'the source broke off: unexpected end of file',
    ]);
  });

  test('values too long to keep are passed over, in little memory, and said', async () => {
    const mebibyte = Buffer.alloc(1024 * 1024, 'x');
    const before = process.memoryUsage().arrayBuffers;
    let highest = 0;
    async function* huge() {
      yield bytes('REDIS0010', 0, str('bull:q:9:lock'), len(70 * mebibyte.length));
      for (let i = 0; i < 70; i++) {
        yield mebibyte;
        highest = Math.max(highest, process.memoryUsage().arrayBuffers);
      }
      yield bytes(job('bull:q:1'), 0xff, Buffer.alloc(8));
    }
    const { facts, report } = await collect(rdbReader, huge());
    expect(facts).toMatchObject([{ type: 'job', job: '1' }, { type: 'snapshot' }]);
    expect(report.damage).toMatchObject([{ what: 'a value is longer than 64 MB; the rest was kept' }]);
    expect(highest - before).toBeLessThan(16 * mebibyte.length);
  });

  test('no RDB at all', async () => {
    const { report } = await collect(rdbReader, Buffer.from('something else entirely'));
    expect(report).toMatchObject({ kind: 'unknown', records: 0 });
    expect(report.damage).not.toEqual([]);
  });
});
