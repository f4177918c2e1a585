/** Append-only files cut anywhere, broken anywhere, and fed in blocks of any size. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aofReader } from '../../src/redis/aof/aof-reader.js';
import { aof, command } from './aof-bytes.js';
import { blocks, collect } from './collect.js';

const T = 1796044807000;
const TOKEN = '99de46a1-1f60-4faf-8c76-55ce518e8ddf';

/** One job's life, `n` ms after the other's. */
const life = (job: number): string => `
  #TS:${Math.floor((T + job * 400) / 1000)}
  MULTI
  XADD bull:q:events ${T + job * 400}-0 event added jobId ${job} name n
  LPUSH bull:q:wait ${job}
  XADD bull:q:events MAXLEN = 9 ${T + job * 400}-1 event waiting jobId ${job}
  EXEC
  MULTI
  RPOPLPUSH bull:q:wait bull:q:active
  SET bull:q:${job}:lock ${TOKEN}:${job} PXAT ${T + job * 400 + 1001}
  XADD bull:q:events ${T + job * 400 + 1}-0 event active jobId ${job} prev waiting
  EXEC
  SET bull:q:${job}:lock ${TOKEN}:${job} PXAT ${T + job * 400 + 1250}
  SET idem:${job} done
  MULTI
  DEL bull:q:${job}:lock
  LREM bull:q:active -1 ${job}
  XADD bull:q:events ${T + job * 400 + 300}-0 event completed jobId ${job} returnvalue {} prev active
  EXEC`;

const WHOLE = aof(`SELECT 0${[1, 2, 3].map(life).join('')}`);
const read = (bytes: Uint8Array, sizes?: readonly number[]) => collect(aofReader, blocks(bytes, sizes));

describe('an append-only file', () => {
  it('says the same however it is cut into blocks', async () => {
    const long = Buffer.concat([
      WHOLE,
      command('HSET', 'bull:q:4', 'data', 'x'.repeat(400_000)),
      command(
        'XADD',
        'bull:q:events',
        `${T + 9000}-0`,
        'event',
        'failed',
        'failedReason',
        'r'.repeat(70_000),
        'jobId',
        4,
      ),
      command(
        'XADD',
        'bull:q:events',
        `${T + 9001}-0`,
        'event',
        'completed',
        'returnvalue',
        'r'.repeat(270_000),
        'jobId',
        4,
      ),
      WHOLE.subarray(0, WHOLE.length - 20),
    ]);
    const expected = await read(long);
    expect(expected.events.at(-1)?.kind).toBe('lock-renewed');
    expect(expected.report.damage).toHaveLength(2);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1, maxLength: 5 }),
        async (sizes) => {
          expect(await read(long, sizes)).toEqual(expected);
        },
      ),
      { numRuns: 30 },
    );
    expect(await read(WHOLE, [1])).toEqual(await read(WHOLE));
  });

  it('says where it is cut off, whatever the byte', async () => {
    const whole = (await read(WHOLE)).events;
    const ends = new Set<number>();
    let open = false;
    for (const { offset, text } of commandsOf(WHOLE)) {
      if (text === 'EXEC') open = false;
      if (!open) ends.add(offset);
      if (text === 'MULTI') open = true;
    }
    for (let length = 0; length <= WHOLE.length; length++) {
      const { events, report } = await read(WHOLE.subarray(0, length));
      // Times of the last records may hang on what follows; that they happened does not.
      expect(events.map(({ kind, job, offset }) => [kind, job, offset])).toEqual(
        whole.slice(0, events.length).map(({ kind, job, offset }) => [kind, job, offset]),
      );
      if (length === WHOLE.length) expect(events).toHaveLength(whole.length);
      for (const { offset } of report.damage) expect(offset).toBeLessThan(length);
      const isWhole = length === WHOLE.length || length === 0 || (report.damage.length === 0 && length > 0);
      if (!isWhole) expect(report.damage[0]?.what).toMatch(/^(cut off within the command|ends within the transaction)/);
    }
  });

  it('names the transaction that was dropped', async () => {
    const at = WHOLE.indexOf(command('MULTI'));
    const cut = WHOLE.subarray(0, at + aof('MULTI').length + 30);
    const { report } = await read(cut);
    expect(report.damage).toEqual([
      { what: 'cut off within the command that begins here; 2 commands before it were read', offset: at + 15 },
      { what: 'ends within the transaction that begins here; its 0 commands were dropped, as Redis does', offset: at },
    ]);
  });

  it('allocates nothing for a length that is only claimed', async () => {
    const before = process.memoryUsage().rss;
    for (const claim of [
      '*3\r\n$3\r\nSET\r\n$4000000000\r\nx',
      '*2000000000\r\n$1\r\nx\r\n',
      '*1\r\n$99999999999\r\n',
    ]) {
      const { events, report } = await read(Buffer.concat([WHOLE, Buffer.from(claim)]));
      expect(events).toHaveLength(21);
      expect(report.damage).toHaveLength(1);
      expect(report.damage[0]?.offset).toBe(WHOLE.length);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  });

  it('goes on behind what is broken, and says how much that was', async () => {
    const middle = life(2);
    for (const broken of [
      '*x\r\n',
      '$3\r\nfoo\r\n',
      '*1\r\n$3\r\nfooo\r\n',
      '*1\r\n$3\nfoo\r\n',
      '\r\n',
      '*0\r\n',
      '#no end of line '.repeat(100),
    ]) {
      const garbage = Buffer.from(broken);
      const { events, report } = await read(Buffer.concat([aof(life(1)), garbage, aof(middle)]));
      expect(events.map(({ job }) => job)).toEqual([...Array(7).fill('1'), ...Array(7).fill('2')]);
      expect(report.damage).toHaveLength(1);
      expect(report.damage[0]?.what).toMatch(/^not a command: .*; \d+ bytes were skipped$/);
      expect(report.damage[0]?.offset).toBe(aof(life(1)).length);
    }
  });

  it('does not guess what a lock was set for where the transaction around it is broken', async () => {
    const text = aof(life(1));
    const lrem = text.indexOf('$4\r\nLREM');
    const broken = Buffer.from(text);
    broken[lrem + 1] = 0x39;
    const { events, report } = await read(broken);
    expect(events.map(({ kind }) => kind)).toEqual([
      'added',
      'waiting',
      'lock-set',
      'active',
      'lock-renewed',
      'completed',
    ]);
    expect(report.damage[0]?.what).toContain('the 1 commands of the transaction around it were dropped');
  });

  it('survives any change of any byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(WHOLE.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (flips) => {
          const bytes = Buffer.from(WHOLE);
          for (const [at, value] of flips) bytes[at] = value;
          const { events, report } = await read(bytes);
          expect(events.length).toBeLessThanOrEqual(40);
          expect(report.damage.length).toBeLessThanOrEqual(51);
          expect(await read(bytes, [7])).toEqual({ events, report, facts: expect.anything() });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('tells what the source itself says when it breaks off', async () => {
    async function* failing() {
      yield Uint8Array.from(aof(life(1)));
      throw new Error('disk on fire');
    }
    const { events, report } = await collect(aofReader, failing());
    expect(events).toHaveLength(7);
    expect(report.damage[0]?.what).toContain('disk on fire');
  });
});

/** Offsets behind each command of one word, and the word. */
function commandsOf(bytes: Buffer): { offset: number; text: string }[] {
  return [...bytes.toString('latin1').matchAll(/\*1\r\n\$\d\r\n(\w+)\r\n/g)].map((match) => ({
    offset: match.index + match[0].length,
    text: match[1] ?? '',
  }));
}
