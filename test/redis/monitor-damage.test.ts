/** Captures of MONITOR cut anywhere, broken anywhere, and fed in blocks of any size. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monitorReader } from '../../src/redis/monitor/monitor-reader.js';
import { unpack } from '../../src/redis/monitor/msgpack.js';
import { unquote } from '../../src/redis/monitor/quoted.js';
import { blocks, collect } from './collect.js';
import { monitorLine, pack, quoted } from './monitor-text.js';

const T = 1796044807000;
const TOKEN = '99de46a1-1f60-4faf-8c76-55ce518e8ddf';
const CLIENT = '10.0.0.5:35900';
const SHA = '5ab432e88830d573e2fa33392ffbd4ad25a9b100';

const key = (suffix: string | number) => `bull:q:${suffix}`;
const lua = (ms: number, ...args: (string | number)[]) => monitorLine(T + ms, 'lua', ...args);

const life = (job: number, ms: number): string =>
  monitorLine(
    T + ms,
    CLIENT,
    'evalsha',
    SHA,
    3,
    key('wait'),
    key('active'),
    key('events'),
    pack({ token: `${TOKEN}:1` }),
  ) +
  lua(ms + 0.1, 'SET', key(`${job}:lock`), `${TOKEN}:1`, 'PX', 2000) +
  lua(ms + 0.2, 'XADD', key('events'), '*', 'event', 'active', 'jobId', job, 'prev', 'waiting') +
  monitorLine(
    T + ms + 1,
    CLIENT,
    'evalsha',
    SHA,
    1,
    key('stalled'),
    'bull:q:',
    pack([`${TOKEN}:1`]),
    pack([`${job}`]),
    2000,
  ) +
  lua(ms + 1.1, 'GET', key(`${job}:lock`)) +
  lua(ms + 1.2, 'SET', key(`${job}:lock`), `${TOKEN}:1`, 'PX', 2000) +
  monitorLine(
    T + ms + 2,
    CLIENT,
    'evalsha',
    SHA,
    1,
    key('stalled'),
    'bull:q:',
    pack([`${TOKEN}:1`]),
    pack([`${job}`]),
    2000,
  ) +
  lua(ms + 2.1, 'GET', key(`${job}:lock`)) +
  monitorLine(T + ms + 3, CLIENT, 'del', key(`${job}:lock`));

const WHOLE = Buffer.from(`OK\n${life(1, 0)}${life(2, 10)}`, 'latin1');
const read = (bytes: Uint8Array, sizes?: readonly number[]) => collect(monitorReader, blocks(bytes, sizes));

describe('a capture of MONITOR', () => {
  it('says the same however it is cut into blocks', async () => {
    const long = Buffer.concat([
      WHOLE,
      Buffer.from(monitorLine(T + 20, CLIENT, 'set', 'x', 'y'.repeat(5_000_000)), 'latin1'),
      Buffer.from(life(3, 30), 'latin1'),
    ]);
    const expected = await read(long);
    expect(expected.events).toHaveLength(15);
    expect(expected.report.damage).toEqual([{ what: '1 very long lines were read in part' }]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 5 }),
        async (sizes) => {
          expect(await read(long, [...sizes, 100_000])).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
    expect(await read(WHOLE, [1])).toEqual(await read(WHOLE));
  });

  it('says the same with other line ends, and as it comes from the socket', async () => {
    const plain = await read(WHOLE);
    const text = WHOLE.toString('latin1');
    const raw = await read(Buffer.from(text.replace(/^/gm, '+').replace(/\n\+?/g, '\r\n+').slice(0, -1), 'latin1'));
    const facts = ({ kind, t, job, token, line, data }: (typeof plain.events)[number]) => ({
      kind,
      t,
      job,
      token,
      line,
      data,
    });
    expect(raw.events.map(facts)).toEqual(plain.events.map(facts));
    expect(raw.report.understood).toBe(plain.report.understood);
    expect((await read(Buffer.from(text.trimEnd(), 'latin1'))).events).toEqual(plain.events);
  });

  it('says what is missing when it is cut off, and claims nothing from that', async () => {
    const whole = (await read(WHOLE)).events;
    for (let length = 0; length < WHOLE.length; length++) {
      const { events, report } = await read(WHOLE.subarray(0, length));
      const seen = new Set(whole.map((event) => JSON.stringify(event)));
      // A script that was cut may lack the entry that makes its lock an activation; nothing else may differ.
      for (const event of events.filter(({ kind }) => !kind.startsWith('lock-') && kind !== 'active')) {
        expect(seen).toContain(JSON.stringify(event));
      }
      expect(report.damage.length).toBeLessThanOrEqual(1);
    }
    const { report } = await read(WHOLE.subarray(0, WHOLE.length - 5));
    expect(report.damage).toEqual([{ what: 'the last line is cut off', line: 19, offset: expect.any(Number) }]);
  });

  it('counts lines that are not its own', async () => {
    const { events, report } = await read(
      Buffer.from(`$ redis-cli monitor\nOK\n${life(1, 0)}\nError: 17 lost\nError: 18 lost\n${life(2, 10)}`, 'latin1'),
    );
    expect(events).toHaveLength(10);
    expect([report.records, report.understood]).toEqual([23, 20]);
    expect(report.unknownShapes).toEqual([
      { shape: 'Error: 0 lost', count: 2, firstLine: 13 },
      { shape: '$ redis-cli monitor', count: 1, firstLine: 1 },
    ]);
  });

  it('survives any change of any byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(WHOLE.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (flips) => {
          const bytes = Buffer.from(WHOLE);
          for (const [at, value] of flips) bytes[at] = value;
          const { events, report } = await read(bytes);
          expect(events.length).toBeLessThanOrEqual(20);
          expect(report.understood).toBeLessThanOrEqual(report.records);
          expect(await read(bytes, [7])).toEqual({ events, report, facts: expect.anything() });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads back every quoted byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const text = Buffer.from(quoted(bytes).slice(1, -1), 'latin1');
        expect(Buffer.from(unquote(text, 0, text.length))).toEqual(Buffer.from(bytes));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\\', 'x', '4', 'g', '"', 'n') }), (text) => {
        unquote(Buffer.from(text), 0, text.length);
      }),
    );
  });

  it('unpacks what the library packs, and nothing that is broken', () => {
    expect(unpack(pack({ token: 'a', lockDuration: 2000 }))).toEqual(
      new Map<string, string | number>([
        ['token', 'a'],
        ['lockDuration', 2000],
      ]),
    );
    expect(unpack(Buffer.from('95c0c3ffd1ff00cb3ff8000000000000', 'hex'))).toEqual([null, true, -1, -256, 1.5]);
    expect(unpack(Buffer.from('81a161cf0000000100000000', 'hex'))).toEqual(new Map([['a', 2 ** 32]]));
    expect(unpack(Buffer.from('c0c0', 'hex'))).toBeUndefined();
    expect(unpack(Buffer.from('ddffffffff', 'hex'))).toBeUndefined();
    expect(unpack(Buffer.alloc(5000, 0x91))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        unpack(Buffer.from(bytes));
      }),
    );
  });
});
