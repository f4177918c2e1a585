/**
 * JSON dumps. None of the tools is at hand here, so what they write is made by `dump-layouts.ts` after their documentation
 * and sources, from a real server's data; HDT3213's own samples were compared by hand.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReadOptions } from '../../../src/model/evidence.js';
import { redisJsonReader } from '../../../src/redis/dumps/redis-json/redis-json-reader.js';
import { rdbReader } from '../../../src/redis/rdb-reader.js';
import { blocks, collect, type DumpedKey, dump } from '../collect.js';
import { describeWithRedis } from '../with-redis.js';
import { type BusyQueue, busyQueue } from './busy-queue.js';
import { LAYOUTS, type Layout } from './dump-layouts.js';
import { type Told, told } from './told.js';

const read = (text: string | Buffer, options: Partial<ReadOptions> = {}, sizes?: number[]) =>
  collect(redisJsonReader, blocks(Buffer.from(text), sizes), options);

describeWithRedis('dumps of a server', [], (redis) => {
  let busy: BusyQueue | undefined;
  let keys: readonly DumpedKey[] = [];
  let expected: Told = { facts: [], events: [] };
  let deleted = 0;

  beforeAll(async () => {
    busy = await busyQueue(redis(), 'bull', true);
    await redis().client.zadd('bull:mail:prioritized', 'inf', 'endless');
    await redis().client.hset('app:user:7', 'name', 'é', 'private', '1');
    // Trimmed entries stay in their node.
    await redis().client.xtrim('bull:mail:events', 'MAXLEN', 70);
    const rdb = await redis().save();
    ({ keys } = await dump(rdb));
    const whole = await collect(rdbReader, rdb);
    expected = told(whole);
    deleted = whole.events.filter(({ data }) => data?.deleted).length;
    expect(expected.facts.length).toBeGreaterThan(40);
    expect(deleted).toBeGreaterThan(0);
  });
  afterAll(() => busy?.close());

  test.each(LAYOUTS)('$name', async (layout: Layout) => {
    const modifiedMs = Date.now();
    const text = Buffer.from(layout.write(keys, modifiedMs), 'utf8');
    expect(redisJsonReader.detect(text.subarray(0, 65_536), 'dump.json')).toMatchObject({
      format: 'redis-json',
      score: 0.9,
    });
    const found = await read(text, { modifiedMs });
    const { facts, events } = told(found);
    const lost = (line: string) => layout.loses.some((word) => line.includes(word));
    const shorn = (line: string) => (layout.keepsExpiry === 'exact' ? line : line.replace(/"expiresAtMs":\d+,/, ''));
    expect(facts.map(shorn).sort()).toEqual(
      expected.facts
        .filter((line) => !lost(line))
        .map(shorn)
        .sort(),
    );
    expect(events).toEqual(layout.loses.includes('"type":"stream"') ? [] : expected.events);
    expect(found.events.length - events.length).toBe(layout.keepsDeleted ? deleted : 0);
    expect(found.facts.at(-1)?.type).toBe('snapshot');
    expect(found.report.damage).toEqual([]);
    const said = found.report.limits?.map(({ detail }) => detail) ?? [];
    // Of each lock; a second worker's may still be held.
    for (const one of said)
      expect(
        layout.says.some((what) => what.test(one)),
        one,
      ).toBe(true);
    for (const what of layout.says) expect(said).toContainEqual(expect.stringMatching(what));
    expect(found.report.understood).toBe(found.report.records);
    for (const fact of found.facts) {
      if (fact.type !== 'job') continue;
      expect(text.toString('utf8', fact.offset, fact.offset + 200)).toMatch(
        new RegExp(`^"bull:${fact.queue}:${fact.job}"`),
      );
    }
    const cut = await read(text, { modifiedMs }, [1, 700, 13]);
    expect(told(cut)).toEqual({ facts, events });
  });

  test('an expiry that is relative is reckoned from the file', async () => {
    const layout = LAYOUTS.find(({ keepsExpiry }) => keepsExpiry === 'relative');
    const lock = keys.find(({ key }) => key.endsWith(':lock'));
    const now = Date.now();
    const { facts, report } = await read(layout?.write(keys, now) ?? '', { modifiedMs: now });
    expect(report.assumptions).toEqual([{ name: 'moment', value: 'a dump was taken when its file was written' }]);
    const fact = facts.find(({ type }) => type === 'lock');
    expect(fact?.type === 'lock' && Math.abs((fact.expiresAtMs ?? 0) - Number(lock?.expiration))).toBeLessThan(1001);
    const unknown = await read(layout?.write(keys, now) ?? '');
    expect(unknown.facts.find(({ type }) => type === 'lock')).not.toHaveProperty('expiresAtMs');
    expect(unknown.report.limits?.[0]?.detail).toMatch(/its expiry is unknown/);
  });
});

describe('details', () => {
  const JOB = '{"name":"send","data":"{}","opts":"{}","timestamp":"1705314600123"}';

  test('AUX fields of HDT3213/rdb', async () => {
    const { facts } = await read(
      `[\n{"db":0,"key":"redis-ver","size":0,"type":"aux","encoding":"","value":"7.2.5"},\n{"db":0,"key":"ctime","size":0,"type":"aux","encoding":"","value":"1705314600"},\n{"db":3,"key":"bull:mail:7","size":1,"type":"hash","encoding":"hash","hash":${JOB}}\n]`,
    );
    expect(facts).toMatchObject([
      { type: 'job', job: '7' },
      { type: 'snapshot', redisVersion: '7.2.5', momentMs: [1705314600000, 1705314601000] },
    ]);
  });

  test('bytes that were escaped one by one (redis-rdb-tools, librdb), and texts that were not', async () => {
    const flat = (name: string) => `[{"bull:mail:7":${JOB.replace('send', name)},"bull:mail:id":"7"}]`;
    for (const [name, expected] of [
      ['\\u00c3\\u00a9', 'é'],
      ['é', 'é'],
      ['\\u20ac', '€'],
      ['\\u00e9', 'é'],
    ] as const) {
      expect((await read(flat(name))).facts).toContainEqual(expect.objectContaining({ type: 'job', name: expected }));
    }
  });

  test('a hash of a job that is called like a set of a queue', async () => {
    const { facts } = await read(
      `{"bull:mail:id":"9","bull:mail:8:failed":{"bull:mail:9":"boom"},"bull:mail:failed":{"8":"17"}}`,
    );
    // The counter waits until something shows the queue.
    expect(facts).toMatchObject([
      { type: 'member', set: 'failed', job: '8', score: 17 },
      { type: 'meta', field: 'id' },
      { type: 'snapshot' },
    ]);
  });

  test('several databases without their numbers', async () => {
    const { facts, report } = await read(`[{"bull:mail:id":"7","bull:mail:7":${JOB}},{"bull:mail:7":${JOB}}]`);
    const jobs = facts.filter(({ type }) => type === 'job');
    expect(jobs.map((fact) => ('db' in fact ? fact.db : 0))).toEqual([0, 1]);
    expect(report.limits?.[0]?.detail).toMatch(/does not tell the numbers of databases/);
  });

  test('escapes and quotes at any place of a piece', async () => {
    const value = `${'a"\\'.repeat(40_000)}\\`;
    const hash = JSON.stringify({ ...JSON.parse(JOB), data: value });
    const { facts, report } = await read(`[{"bull:mail:id":"7","bull:mail:7":${hash},"bull:mail:wait":["8"]}]`);
    expect(report.damage).toEqual([]);
    expect(facts).toMatchObject([{ job: '7' }, { set: 'wait', job: '8' }, { field: 'id' }, { type: 'snapshot' }]);
  });

  test('records of RIOT (file-export)', async () => {
    const record = (key: string, type: string, value: string) =>
      `{"key":"bull:mail:${key}","event":"scan","time":"2024-01-15T10:30:00Z","type":"${type}","value":${value}}`;
    const text = `[${record('7', 'hash', JOB)},${record('wait', 'list', '["8","9"]')},${record('completed', 'zset', '[{"value":"1","score":17}]')},${record('7:lock', 'string', '"t:1"').replace('"type"', '"ttl":1705314630000,"type"')}]`;
    expect(redisJsonReader.detect(Buffer.from(text), 'riot.json')?.score).toBe(0.9);
    const { facts } = await read(text);
    expect(facts).toMatchObject([
      { type: 'job', job: '7' },
      { type: 'member', set: 'wait', job: '8' },
      { type: 'member', set: 'wait', job: '9' },
      { type: 'member', set: 'completed', job: '1', score: 17 },
      { type: 'lock', job: '7', token: 't:1', expiresAtMs: 1705314630000 },
      { type: 'snapshot' },
    ]);
  });

  test('a payload of DUMP is said to be unread, escapes that are no JSON included', async () => {
    const { facts, report } = await read(
      `{"key":"bull:mail:events","value":"\\x0f\\x01\\"","db":0,"type":"stream"}\n{"key":"bull:mail:7","value":${JOB},"db":0,"type":"hash"}\n`,
    );
    expect(facts).toMatchObject([{ type: 'job', job: '7' }, { type: 'snapshot' }]);
    expect(report.limits).toMatchObject([
      { detail: 'the tool wrote the stream bull:mail:events as a DUMP payload, which was not read' },
    ]);
  });

  test('a damaged line costs that line', async () => {
    const line = (id: number) => `{"db":0,"key":"bull:mail:${id}","ttl":-1,"type":"hash","value":${JOB},"size":1}`;
    const { facts, report } = await read(
      [line(1), line(2).slice(0, 90), '{oops', line(3), line(4).slice(0, 80)].join('\n'),
    );
    expect(facts).toMatchObject([{ job: '1' }, { job: '3' }, { type: 'snapshot' }]);
    expect(report.damage).toMatchObject([
      { what: expect.stringMatching(/line/), line: 2 },
      { what: expect.stringMatching(/^a line is not JSON/), line: 3 },
      { what: 'the JSON ends early; what stands before was kept', line: 5 },
    ]);
  });

  test.each([
    '',
    '{}',
    '[]',
    '[{}]',
    '{"level":30,"time":1,"msg":"bull:mail:7"}',
    '{"key":"value","type":"log","msg":"x"}',
    '[{"timestamp":"2024-01-15T10:30:00Z","message":"x"}]',
    '[["1-0",["event","drained"]]]',
    '{"name":"package","scripts":{"a:b:c":"x"}}',
    'bull:mail:id',
  ])('not taken: %s', (text) => {
    expect(redisJsonReader.detect(Buffer.from(text), 'x.json')).toBeUndefined();
  });

  test('an unknown layout is said', async () => {
    const { report } = await read('{"a":1}');
    expect(report).toMatchObject({ kind: 'unknown', damage: [{ what: expect.stringMatching(/not laid out/) }] });
  });
});

describe('any bytes', () => {
  const KEYS: DumpedKey[] = [
    { db: 0, key: 'bull:mail:id', type: 'string', value: '2' },
    { db: 0, key: 'bull:mail:1:lock', type: 'string', value: 'w:1', expiration: 1705314600123 },
    { db: 0, key: 'bull:mail:active', type: 'list', values: ['1', '2'] },
    { db: 0, key: 'bull:mail:completed', type: 'zset', entries: [{ member: '3', score: 17 }] },
    {
      db: 0,
      key: 'bull:mail:1',
      type: 'hash',
      hash: { name: 'a "]}" \\ é', data: '{}', opts: '{}', timestamp: '1705314600123' },
    },
    {
      ...{ db: 0, key: 'bull:mail:events', type: 'stream', groups: [], len: 1, lastId: '5-0', firstId: '5-0' },
      messages: [{ id: '5-0', fields: { event: 'active', jobId: '1' }, deleted: false }],
    },
  ];

  test.each(LAYOUTS)('$name: cut at every byte, nothing is invented', async ({ write }: Layout) => {
    const text = Buffer.from(write(KEYS, 1705314500000));
    const whole = await read(text);
    const known = new Set([...whole.facts, ...whole.events].map((one) => JSON.stringify(one)));
    expect(whole.facts.length).toBeGreaterThan(4);
    for (let end = 0; end < text.length; end++) {
      const { facts, events } = await read(text.subarray(0, end));
      // The expiry of a lock may stand behind what is cut off.
      for (const one of [...facts, ...events]) if (one !== undefined) expect(known).toContain(JSON.stringify(one));
    }
  });

  test('changed at random: never throws', async () => {
    const texts = LAYOUTS.map(({ write }) => Buffer.from(write(KEYS, 1705314500000)));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...texts),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 }),
        async (text, changes) => {
          const changed = Buffer.from(text);
          for (const [at, to] of changes) changed[at % changed.length] = to;
          redisJsonReader.detect(changed, 'x');
          expect((await read(changed, {}, [50])).report.format).toBe('redis-json');
        },
      ),
      { numRuns: 400 },
    );
  });

  test('a set of many members needs no memory of them', async () => {
    const many = 100_000;
    async function* endless() {
      yield Buffer.from('[{"bull:mail:id":"1","bull:mail:completed":{"0":"1"');
      for (let i = 1; i < many; i += 100) {
        yield Buffer.from(Array.from({ length: Math.min(100, many - i) }, (_, n) => `,"${i + n}":"${i + n}"`).join(''));
      }
      yield Buffer.from('}}]');
    }
    let members = 0;
    const sink = { event() {}, presence() {}, settle: async () => {}, fact: () => members++ };
    const report = await redisJsonReader.read(endless(), sink, { fileName: 'x' });
    expect(report.damage).toEqual([]);
    expect(members).toBe(many + 2);
  });
});
