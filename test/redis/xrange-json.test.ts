import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { xrangeJsonReader } from '../../src/redis/dumps/xrange-json.js';
import { blocks, collect } from './collect.js';

const fields = [
  ['event', 'added', 'jobId', '1', 'name', 'send ]é'],
  ['event', 'active', 'jobId', '1', 'prev', 'waiting'],
  ['event', 'completed', 'jobId', '1', 'returnvalue', '{"private":"]["}', 'prev', 'active'],
];
const ids = ['1700000000000-0', '1700000000001-12', '1700000000002-0'];
const flat = ids.map((id, at) => [id, fields[at]]);
const asObject = (list: string[] = []) =>
  Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]]] : [])));
const objects = ids.map((id, at) => [id, asObject(fields[at])]);
const messages = ids.map((id, at) => ({ id, message: asObject(fields[at]) }));

const read = (text: string, sizes?: number[]) => collect(xrangeJsonReader, blocks(Buffer.from(text), sizes));

describe('an events stream as JSON', () => {
  test.each([
    ['XRANGE', JSON.stringify(flat), undefined],
    ['XRANGE, indented', JSON.stringify(flat, null, 2), undefined],
    ['XRANGE with a byte order mark', `\uFEFF${JSON.stringify(flat)}\n`, undefined],
    ['entries with objects', JSON.stringify(objects), undefined],
    ['node-redis', JSON.stringify(messages), undefined],
    ['XREAD of RESP3', JSON.stringify({ 'bull:mail:events': flat }), { queue: 'mail' }],
    ['XREAD of RESP2', JSON.stringify([['{eu}:mail:events', flat]]), { queue: 'mail', prefix: '{eu}' }],
    ['several answers in a row', flat.map((entry) => JSON.stringify([entry])).join('\n'), undefined],
  ])('%s', async (_, text, queue) => {
    const detection = xrangeJsonReader.detect(Buffer.from(text), 'events.json');
    expect(detection).toMatchObject({ format: 'xrange-json', score: 0.95 });
    const { events, report } = await read(text);
    expect(report).toMatchObject({ kind: 'redis', format: 'xrange-json', records: 3, understood: 3, damage: [] });
    expect(events.map(({ offset, ...event }) => event)).toEqual(
      [
        { kind: 'added', t: 1700000000000, line: 0, data: { jobName: 'send ]é' } },
        { kind: 'active', t: 1700000000001, line: 12, data: { prev: 'waiting' } },
        { kind: 'completed', t: 1700000000002, line: 0, data: { prev: 'active' } },
      ].map((event) => ({ ...event, clock: 'redis', precision: 'ms', job: '1', ...queue })),
    );
    for (const { offset, t, line } of events) {
      expect(Buffer.from(text).toString('utf8', offset).startsWith(`"${t}-${line}"`)).toBe(true);
    }
    expect(JSON.stringify(events)).not.toContain('private');
  });

  test.each(['', '[]', '{}', '[1,2]', '["a"]', '{"level":30,"time":1}', '[["a",["b"]]]', 'plain text', '[["1-x",[]]]'])(
    'not recognised: %s',
    (text) => {
      expect(xrangeJsonReader.detect(Buffer.from(text), 'x.json')).toBeUndefined();
    },
  );

  test('another stream is taken only if nobody else wants it', () => {
    expect(xrangeJsonReader.detect(Buffer.from('[["1-0",["user","ann"]]]'), 'x')).toMatchObject({ score: 0.5 });
  });

  test('custom events are counted', async () => {
    const { events, report } = await read('[["1-5",["event","shipped"]],["2-0",["event","drained"]]]');
    expect(events).toHaveLength(1);
    expect(report).toMatchObject({ records: 2, understood: 1 });
    expect(report.unknownShapes).toEqual([{ shape: 'events stream: event "shipped"', count: 1, firstLine: 5 }]);
  });

  test('cut at every byte, the entries before the cut are read', async () => {
    const bytes = Buffer.from(JSON.stringify(flat));
    const whole = (await collect(xrangeJsonReader, blocks(bytes))).events;
    for (let end = 0; end < bytes.length; end++) {
      const { events, report } = await collect(xrangeJsonReader, blocks(bytes.subarray(0, end), [9]));
      expect(events).toEqual(whole.slice(0, events.length));
      const closed = whole.filter(({ offset }) => bytes.indexOf(']]', offset) + 2 <= end);
      expect(events.length).toBe(closed.length);
      if (end > 0) expect(report.damage).toHaveLength(1);
    }
  });

  test('damage in the middle: what stood before is kept', async () => {
    const { events, report } = await read('[["1-0",["event","drained"]],["2-0",["event","drained"]], oops ["3-0",[]]]');
    expect(events).toHaveLength(2);
    expect(report.damage).toMatchObject([{ what: expect.stringMatching(/^not JSON from here on/) }]);
  });

  test('the same bytes in any blocks give the same', async () => {
    const text = JSON.stringify({ 'bull:mail:events': flat });
    const whole = await read(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }), async (sizes) => {
        expect(await read(text, sizes)).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  test('bytes changed at random never throw', async () => {
    const text = Buffer.from(JSON.stringify(objects));
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.nat(255), async (at, to) => {
        const changed = Buffer.from(text);
        changed[at] = to;
        const { report } = await collect(xrangeJsonReader, blocks(changed));
        expect(report.records).toBeLessThanOrEqual(3);
      }),
      { numRuns: 500 },
    );
  });

  test('a long string without a bracket, and a document that holds no entries', async () => {
    const long = JSON.stringify([['1-0', ['event', 'failed', 'jobId', '1', 'failedReason', 'é'.repeat(200_000)]]]);
    expect((await read(long, [1000])).events[0]?.data?.text).toBe('é'.repeat(300));
    const other = await read(JSON.stringify(Array.from({ length: 200_000 }, (_, i) => i)));
    expect(other.report.damage).toHaveLength(1);
  });
});
