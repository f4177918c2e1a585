import { describe, expect, it } from 'vitest';
import type { EvidenceEvent } from '../../src/model/event.js';
import { aofReader } from '../../src/redis/aof/aof-reader.js';
import { aof, command } from './aof-bytes.js';
import { collect } from './collect.js';
import { rdb, str } from './rdb/write-rdb.js';

const T = 1796044807000;
const A = '99de46a1-1f60-4faf-8c76-55ce518e8ddf:0';
const B = 'ae1e95b8-53dd-43d4-ad4f-eadca4f89b8c:2';

/** `kind job token +ms(precision) data`, times relative to T. */
function brief(event: EvidenceEvent): string {
  const { kind, job, token, t, precision, data } = event;
  const { expiresAtMs, ...rest } = data ?? {};
  const parts = [
    kind,
    job ?? '-',
    token === undefined ? '-' : token === A ? 'A' : token === B ? 'B' : token,
    t === undefined ? '?' : `+${t - T}`,
    precision,
    ...(expiresAtMs === undefined ? [] : [`until +${expiresAtMs - T}`]),
    ...Object.entries(rest).map(([name, value]) => `${name}=${value}`),
  ];
  return parts.join(' ');
}

const read = async (text: string | Uint8Array) => collect(aofReader, typeof text === 'string' ? aof(text) : text);
const told = async (text: string): Promise<string[]> => (await read(text)).events.map(brief);

const ACTIVATION = `
  MULTI
  RPOPLPUSH bull:q:wait bull:q:active
  SET bull:q:1:lock ${A} PXAT ${T + 1100}
  XADD bull:q:events ${T + 100}-0 event active jobId 1 prev waiting
  HMSET bull:q:1 processedOn ${T + 98}
  HINCRBY bull:q:1 ats 1
  EXEC`;
const FINISH = `
  MULTI
  DEL bull:q:1:lock
  LREM bull:q:active -1 1
  ZADD bull:q:completed ${T + 900} 1
  XADD bull:q:events ${T + 900}-0 event completed jobId 1 returnvalue "ok" prev active
  EXEC`;

describe('a log of commands', () => {
  it('is recognised by its first command or its first time', () => {
    expect(aofReader.detect(aof('SELECT 0'), 'x')?.score).toBe(1);
    expect(aofReader.detect(aof('#TS:1796044807\nSELECT 0'), 'x')?.score).toBe(1);
    expect(aofReader.detect(Buffer.from('* a list\r\n'), 'x')).toBeUndefined();
    expect(aofReader.detect(Buffer.from('REDIS0010\xfa\x08aof-base\xc0\x01', 'latin1'), 'a.base.rdb')).toBeUndefined();
    expect(aofReader.detect(Buffer.from('REDIS0009\xfa\x0caof-preamble\xc0\x01', 'latin1'), 'x')?.score).toBe(1);
    expect(aofReader.detect(Buffer.from('REDIS0009\xfa\x0caof-preamble\xc0\x00', 'latin1'), 'x')).toBeUndefined();
  });

  it('tells the life of a lock, and its length', async () => {
    const { events, facts, report } = await read(`${ACTIVATION}
      SET bull:q:1:lock ${A} PXAT ${T + 1600}${FINISH}`);
    expect(events.map(brief)).toEqual([
      'lock-set 1 A +100 ms until +1100 lockMs=1000',
      'active 1 A +100 ms prev=waiting',
      'lock-renewed 1 A +600 ms until +1600 lockMs=1000',
      'lock-released 1 A +900 ms',
      'completed 1 A +900 ms prev=active',
    ]);
    expect(facts).toEqual([
      { type: 'meta', prefix: 'bull', queue: 'q', field: 'lockDuration', value: '1000', offset: expect.any(Number) },
      { type: 'clock', tokenPrefix: A.slice(0, -2), low: { ms: -2, offset: expect.any(Number) }, pairs: 1 },
    ]);
    expect(report.damage).toEqual([]);
    expect(report.records).toBe(5);
    const first = events[0];
    expect([first?.line, first?.queue, first?.clock]).toEqual([3, 'q', 'redis']);
    expect(events[1]?.line).toBe(0);
    // The offset is that of the command.
    expect(aof(ACTIVATION).toString('latin1', first?.offset).startsWith('*5\r\n$3\r\nSET\r\n')).toBe(true);
  });

  it('bounds the clock of a worker by what it stamped into its jobs', async () => {
    const ahead = (job: number, at: number, endMs: number, skewMs: number) => `
      MULTI
      SET bull:q:${job}:lock ${B} PXAT ${T + at + 1000}
      XADD bull:q:events ${T + at}-0 event active jobId ${job} prev waiting
      HMSET bull:q:${job} processedOn ${T + at + skewMs - 3} pb w
      EXEC
      MULTI
      DEL bull:q:${job}:lock
      LREM bull:q:active -1 ${job}
      HSET bull:q:${job} returnvalue "ok" finishedOn ${T + endMs + skewMs - 1}
      XADD bull:q:events ${T + endMs}-0 event completed jobId ${job} returnvalue "ok"
      EXEC`;
    const { facts } = await read(ahead(1, 100, 900, 4100) + ahead(2, 1000, 1020, 4100));
    // Before each end it was at most 1 ms less ahead, and after the quicker activation no more than its run took.
    expect(facts.filter(({ type }) => type === 'clock')).toEqual([
      {
        type: 'clock',
        tokenPrefix: B.slice(0, -2),
        low: { ms: 4099, offset: expect.any(Number) },
        high: { ms: 4119, offset: expect.any(Number) },
        pairs: 6,
      },
    ]);
  });

  it('takes a life one or two ms short for the round number it is', async () => {
    const { facts, events } = await read(ACTIVATION.replace(`${T + 100}-0`, `${T + 101}-0`));
    expect(facts.flatMap((fact) => ('value' in fact ? [fact.value] : []))).toEqual(['1000']);
    expect(events[0]?.data?.lockMs).toBe(1000);
  });

  it('does not date a renewal of another length by the usual one', async () => {
    expect(
      await told(`${ACTIVATION}
        SET bull:q:1:lock ${A} PXAT ${T + 60_200}
        XADD bull:q:events ${T + 300}-0 event progress jobId 1 data 50`),
    ).toEqual([
      'lock-set 1 A +100 ms until +1100 lockMs=1000',
      'active 1 A +100 ms prev=waiting',
      'lock-renewed 1 A +100 none until +60200',
      'progress 1 - +300 ms progress=50',
    ]);
  });

  it('tells a lock that ran out from one that was taken away', async () => {
    const next = (ms: number) => `XADD bull:q:events ${T + ms}-0 event progress jobId 1 data 1`;
    const gone = async (deletion: string, ms: number) => (await told(`${ACTIVATION}\n${deletion}\n${next(ms)}`))[2];
    expect(await gone('DEL bull:q:1:lock', 1200)).toBe('lock-gone 1 A +1100 ms until +1100 verb=DEL ending=expired');
    expect(await gone('DEL bull:q:1:lock', 700)).toBe('lock-gone 1 A +100 none until +1100 verb=DEL ending=evicted');
    expect(await gone('del bull:q:1:lock', 1200)).toBe('lock-gone 1 A +100 none until +1100 verb=del ending=deleted');
    expect(await gone('unlink bull:q:1:lock other', 1200)).toBe(
      'lock-gone 1 A +100 none until +1100 verb=unlink ending=deleted',
    );
    expect(await gone('flushall', 1200)).toBe('lock-gone 1 A +100 none until +1100 verb=flushall ending=deleted');
    expect(await gone(`#TS:${T / 1000}\nDEL bull:q:1:lock\n#TS:${T / 1000 + 1}`, 1200)).toBe(
      'lock-gone 1 A +1100 ms until +1100 verb=DEL ending=expired',
    );
    // With lazyfree-lazy-expire and lazyfree-lazy-eviction Redis unlinks, in capitals too.
    expect(await gone('UNLINK bull:q:1:lock', 1200)).toMatch(/ending=expired$/);
    expect(await gone('UNLINK bull:q:1:lock', 700)).toMatch(/ending=evicted$/);
    // A script's own deletion stands in its transaction.
    expect(await gone(`MULTI\nDEL bull:q:1:lock\n${next(700)}\nEXEC`, 700)).toMatch(/ending=deleted$/);
    expect((await told(`${ACTIVATION}\nDEL bull:q:1:lock`))[2]).toBe('lock-gone 1 A +1100 ms until +1100 verb=DEL');
  });

  it('bounds a deletion by the renewals behind it, which have times of their own', async () => {
    const { events } = await read(`${ACTIVATION}
      MULTI
      SET bull:q:2:lock ${A} PXAT ${T + 1100}
      XADD bull:q:events ${T + 100}-1 event active jobId 2 prev waiting
      EXEC
      DEL bull:q:1:lock
      SET bull:q:2:lock ${A} PXAT ${T + 1350}
      XADD bull:q:events ${T + 2000}-0 event progress jobId 2 data 1`);
    expect(events.filter(({ kind }) => kind === 'lock-gone').map(brief)).toEqual([
      'lock-gone 1 A +100 none until +1100 verb=DEL ending=evicted',
    ]);
  });

  it('tells sweeps, and what they moved', async () => {
    const { events, facts } = await read(`${ACTIVATION}
      MULTI
      DEL bull:q:1:lock
      SET bull:q:stalled-check ${T + 1498} PXAT ${T + 2500}
      DEL bull:q:stalled
      LREM bull:q:active 1 1
      HINCRBY bull:q:1 stc 1
      RPUSH bull:q:wait 1
      XADD bull:q:events ${T + 1500}-0 event waiting jobId 1 prev active
      XADD bull:q:events ${T + 1500}-1 event stalled jobId 1
      EXEC
      SET bull:q:stalled-check ${T + 2503} PXAT ${T + 3505}`);
    expect(events.slice(2).map(brief)).toEqual([
      'lock-gone 1 A +1500 ms until +1100 verb=DEL ending=expired',
      'sweep - - +1500 ms until +2500 text=moved 1',
      'waiting 1 - +1500 ms prev=active',
      'stalled 1 - +1500 ms',
      'sweep - - +2505 ms until +3505',
    ]);
    expect(facts.flatMap((fact) => (fact.type !== 'meta' ? [] : `${fact.field} ${fact.value}`))).toEqual([
      'lockDuration 1000',
      'stalledInterval 1000',
    ]);
  });

  it('gives what has no time the last one known, by the second where the server writes seconds', async () => {
    const sweep = `SET bull:q:stalled-check ${T + 2503} PXAT ${T + 3505}`;
    expect(await told(sweep)).toEqual(['sweep - - ? none until +3505']);
    expect(await told(`#TS:${T / 1000 + 2}\n${sweep}`)).toEqual(['sweep - - +2000 s until +3505']);
  });

  it('knows two workers of one queue by the lives they give', async () => {
    const { events, facts } = await read(`${ACTIVATION}
      MULTI
      SET bull:q:2:lock ${B} PXAT ${T + 30_100}
      XADD bull:q:events ${T + 100}-1 event active jobId 2 prev waiting
      EXEC
      SET bull:q:2:lock ${B} PXAT ${T + 30_500}
      SET bull:q:1:lock ${A} PXAT ${T + 1600}`);
    expect(events.slice(4).map(brief)).toEqual([
      'lock-renewed 2 B +500 ms until +30500 lockMs=30000',
      'lock-renewed 1 A +600 ms until +1600 lockMs=1000',
    ]);
    expect(facts.flatMap((fact) => (fact.type !== 'meta' ? [] : fact.value))).toEqual(['1000', '30000']);
  });

  it('leaves the keys of others alone', async () => {
    const { events } = await read(`
      SET idem:order:17 done PXAT ${T}
      SET app:user:7:lock me PXAT ${T}
      DEL app:user:7:lock
      SET other:thing:5:lock nobody PXAT ${T}
      XADD audit:log:events ${T}-0 who me
      del session:1:2
      LREM some:list:active 0 x
      FLUSHDB`);
    expect(events).toEqual([]);
  });

  it('knows a queue of any prefix by its events, or by a worker’s token', async () => {
    const other = (text: string) => told(text.replaceAll('bull:', 'my:app:'));
    expect(await other(`${ACTIVATION}\ndel my:app:q:1:lock`)).toHaveLength(3);
    expect(await other(`SET bull:q:1:lock ${A} PXAT ${T + 1000}`)).toEqual(['lock-renewed 1 A ? none until +1000']);
    const { events } = await read(ACTIVATION.replaceAll('bull:', 'my:app:'));
    expect(events.map((event) => [event.prefix, event.queue])).toEqual([
      ['my:app', 'q'],
      ['my:app', 'q'],
    ]);
  });

  it('keeps databases apart', async () => {
    const lines = await told(`${ACTIVATION}\nSELECT 3\nDEL bull:q:1:lock\nSELECT 0\nDEL bull:q:1:lock`);
    expect(lines.slice(2)).toEqual(['lock-gone 1 - +100 none verb=DEL', 'lock-gone 1 A +1100 ms until +1100 verb=DEL']);
  });

  it('tells a job whose hash a client deleted', async () => {
    expect((await told(`${ACTIVATION}\ndel bull:q:1`))[2]).toBe('removed 1 - +100 none verb=del');
    expect(await told(`${ACTIVATION}\nDEL bull:q:1`)).toHaveLength(2);
  });

  it('takes the locks of a rewritten log as they stood, not as news', async () => {
    expect(
      await told(`
        XADD bull:q:events ${T}-0 event added jobId 1 name n
        SET bull:q:1:lock ${A}
        PEXPIREAT bull:q:1:lock ${T + 1000}
        del bull:q:1:lock`),
    ).toEqual(['added 1 - +0 ms jobName=n', 'lock-gone 1 A +0 none until +1000 verb=del ending=deleted']);
  });

  it('knows the activations of Bull, which writes no events', async () => {
    expect(
      await told(`
        MULTI
        SET bull:q:1:lock 99de46a1-1f60-4faf-8c76-55ce518e8ddf PXAT ${T + 1000}
        HSET bull:q:1 processedOn ${T}
        EXEC`),
    ).toEqual([`lock-set 1 99de46a1-1f60-4faf-8c76-55ce518e8ddf ? none until +1000`]);
  });

  it('counts events that publishers made up, and skips what is too long to keep', async () => {
    const long = 'x'.repeat(300_000);
    const { events, report } = await read(
      Buffer.concat([
        command('XADD', 'bull:q:events', `${T}-0`, 'event', 'mine', 'jobId', 1),
        command(
          'XADD',
          'bull:q:events',
          `${T}-1`,
          'event',
          'completed',
          'jobId',
          1,
          'returnvalue',
          long,
          'prev',
          'active',
        ),
        command('XADD', 'bull:q:events', 'MAXLEN', '=', 2, `${T}-2`, 'event', 'drained'),
      ]),
    );
    expect(events.map(brief)).toEqual(['completed 1 - +0 ms prev=active', 'drained - - +0 ms']);
    expect(report.unknownShapes).toEqual([{ shape: 'events stream: event "mine"', count: 1, firstLine: 0 }]);
    expect([report.records, report.understood]).toEqual([3, 2]);
  });

  it('reads the snapshot in front of the commands, and goes on behind it', async () => {
    const aux = (name: string, value: string) => [0xfa, str(name), str(value)];
    const snapshot = rdb('REDIS0009', ...aux('redis-ver', '6.2.0'), ...aux('ctime', String(T / 1000)));
    const { events, facts, report } = await read(Buffer.concat([snapshot, aof(`SELECT 0\n${ACTIVATION}`)]));
    expect(events.map(brief)).toHaveLength(2);
    expect(facts[0]).toEqual({ type: 'snapshot', momentMs: [T, T + 1000], redisVersion: '6.2.0' });
    expect(report.reason).toContain('a snapshot as preamble');
    expect(report.damage).toEqual([]);
    // Where the snapshot is damaged, the commands behind it are looked for.
    const broken = await read(Buffer.concat([snapshot.subarray(0, 9), Buffer.from([0xf2]), aof(ACTIVATION)]));
    expect(broken.events.map(brief)).toHaveLength(2);
    expect(broken.report.damage.map(({ what }) => what)).toEqual([
      expect.stringContaining('0 keys before it were read'),
      expect.stringContaining('not a command'),
    ]);
  });
});
