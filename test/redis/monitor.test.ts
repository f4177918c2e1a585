import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EvidenceEvent } from '../../src/model/event.js';
import { monitorReader } from '../../src/redis/monitor/monitor-reader.js';
import { collect } from './collect.js';
import { monitorLine, pack } from './monitor-text.js';

const T = 1796044807000;
const CLIENT = '10.0.0.5:35900';
const OTHER = '[::1]:40001';
const A = '99de46a1-1f60-4faf-8c76-55ce518e8ddf:0';
const B = 'ae1e95b8-53dd-43d4-ad4f-eadca4f89b8c:2';

const client = (ms: number, ...args: (string | number | Uint8Array)[]) => monitorLine(T + ms, CLIENT, ...args);
const lua = (ms: number, ...args: (string | number | Uint8Array)[]) => monitorLine(T + ms, 'lua', ...args);
const key = (suffix: string) => `bull:q:${suffix}`;

function brief(event: EvidenceEvent): string {
  const { kind, job, token, t, precision, data } = event;
  const { expiresAtMs, client: from, ...rest } = data ?? {};
  return [
    kind,
    job ?? '-',
    token === undefined ? '-' : token === A ? 'A' : token === B ? 'B' : token,
    t === undefined ? '?' : `+${Math.round((t - T) * 1000) / 1000}`,
    precision,
    ...(expiresAtMs === undefined ? [] : [`until +${expiresAtMs - T}`]),
    ...Object.entries(rest).map(
      ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
    `by ${from}`,
  ].join(' ');
}

const read = (text: string) => collect(monitorReader, Buffer.from(text, 'latin1'));
const told = async (text: string) => (await read(text)).events.map(brief);

const SHA = '5ab432e88830d573e2fa33392ffbd4ad25a9b100';
const END = client(99_999, 'info');

const toActive = (ms: number, token: string) =>
  client(
    ms,
    'evalsha',
    SHA,
    11,
    ...[
      'wait',
      'active',
      'prioritized',
      'events',
      'stalled',
      'limiter',
      'delayed',
      'paused',
      'meta',
      'pc',
      'marker',
    ].map(key),
    'bull:q:',
    T + ms,
    pack({ token, lockDuration: 2000 }),
  );
const activation = (ms: number, job: number, token: string) =>
  toActive(ms, token) +
  lua(ms + 0.1, 'RPOPLPUSH', key('wait'), key('active')) +
  lua(ms + 0.2, 'SET', key(`${job}:lock`), token, 'PX', 2000) +
  lua(ms + 0.3, 'XADD', key('events'), '*', 'event', 'active', 'jobId', job, 'prev', 'waiting') +
  lua(ms + 0.4, 'HMSET', key(`${job}`), 'processedOn', T);

const finishKeys = (job: number, target: string) =>
  [
    'wait',
    'active',
    'prioritized',
    'events',
    'stalled',
    'limiter',
    'delayed',
    'paused',
    'meta',
    'pc',
    target,
    job,
    `metrics:${target}`,
    'marker',
  ].map((suffix) => key(String(suffix)));
const finish = (ms: number, job: number, target: string, token: string) =>
  client(
    ms,
    'evalsha',
    SHA.replace('5', '6'),
    14,
    ...finishKeys(job, target),
    job,
    T,
    'returnvalue',
    '"é"',
    target,
    1,
    'bull:q:',
    pack({ token, lockDuration: 2000 }),
    '',
  );
const finished = (ms: number, job: number, token: string) =>
  finish(ms, job, 'completed', token) +
  lua(ms + 0.1, 'EXISTS', key(`${job}`)) +
  lua(ms + 0.2, 'GET', key(`${job}:lock`)) +
  lua(ms + 0.3, 'DEL', key(`${job}:lock`)) +
  lua(ms + 0.4, 'LREM', key('active'), -1, job) +
  lua(
    ms + 0.5,
    'XADD',
    key('events'),
    'MAXLEN',
    '~',
    10000,
    '*',
    'event',
    'completed',
    'jobId',
    job,
    'returnvalue',
    '"é"',
    'prev',
    'active',
  );

const renewal = (ms: number, jobs: string[], tokens: string[]) =>
  client(ms, 'EVALSHA', SHA, 1, key('stalled'), 'bull:q:', pack(tokens), pack(jobs), 2000);

describe('a capture of MONITOR', () => {
  it('is recognised by two lines of its form, or by one behind OK', () => {
    const detect = (text: string) => monitorReader.detect(Buffer.from(text), 'x')?.score;
    expect(detect(`OK\n${activation(0, 1, A)}`)).toBe(0.95);
    expect(detect(`+OK\r\n+${client(0, 'info').replace('\n', '\r\n')}`)).toBe(0.95);
    expect(detect(client(0, 'info'))).toBeUndefined();
    expect(detect('1796044807 [0 lua] "GET" "x"\n2024-01-01 [0 lua] "GET" "x"\n')).toBeUndefined();
  });

  it('tells the life of a lock, by whom, and its length', async () => {
    const text = `OK\n${activation(100, 1, A)}${renewal(600, ['1'], [A])}${lua(600.1, 'GET', key('1:lock'))}${lua(600.2, 'SET', key('1:lock'), A, 'PX', 2000)}${lua(600.3, 'SREM', key('stalled'), 1)}${finished(900, 1, A)}${END}`;
    const { events, facts, report } = await read(text);
    expect(events.map(brief)).toEqual([
      `lock-set 1 A +100.2 us until +2100 lockMs=2000 by ${CLIENT}`,
      `active 1 A +100 ms prev=waiting by ${CLIENT}`,
      `lock-renewed 1 A +600.2 us until +2600 lockMs=2000 by ${CLIENT}`,
      `lock-released 1 A +900.3 us by ${CLIENT}`,
      `completed 1 A +900 ms prev=active by ${CLIENT}`,
    ]);
    expect(facts.flatMap((fact) => (fact.type !== 'meta' ? [] : `${fact.field} ${fact.value}`))).toEqual([
      'lockDuration 2000',
    ]);
    expect(report).toMatchObject({ format: 'monitor', damage: [], records: 17, understood: 17, unknownShapes: [] });
    const renewed = events[2];
    expect(text.split('\n')[(renewed?.line ?? 0) - 1]).toContain('"SET" "bull:q:1:lock"');
    expect(text.slice(renewed?.offset).startsWith(`${T / 1000}`.slice(0, 9))).toBe(true);
  });

  it('knows the token of a finish whose activation was not captured', async () => {
    expect((await told(finished(900, 1, A) + END))[0]).toBe(`lock-released 1 A +900.3 us by ${CLIENT}`);
  });

  it('tells a finish that was refused, and why as far as that shows', async () => {
    const refused = async (before: string, target: string, lines: string) =>
      (await told(before + finish(900, 1, target, A) + lines + END)).at(-1);
    const looks = lua(900.1, 'EXISTS', key('1')) + lua(900.2, 'GET', key('1:lock'));
    const by = `by ${CLIENT}`;
    const what = 'finish-rejected 1 A +900 us command=moveToFinished';
    expect(await refused('', 'completed', looks)).toBe(`${what} frame=handle-completed text=no lock ${by}`);
    expect(await refused('', 'failed', looks)).toBe(`${what} frame=handle-failed text=no lock ${by}`);
    expect(await refused(activation(0, 1, B), 'completed', looks)).toBe(
      `${what} frame=handle-completed text=lock of another token ${by}`,
    );
    expect(await refused('', 'completed', lua(900.1, 'EXISTS', key('1')))).toBe(
      `${what} frame=handle-completed text=no job key ${by}`,
    );
    expect(
      await refused('', 'completed', lua(900.1, 'EXISTS', key('1')) + lua(900.2, 'SCARD', key('1:dependencies'))),
    ).toBe(`${what} frame=handle-completed text=pending dependencies ${by}`);
    const freed = looks + lua(900.3, 'DEL', key('1:lock')) + lua(900.4, 'LREM', key('active'), -1, 1);
    expect((await told(activation(0, 1, A) + finish(900, 1, 'completed', A) + freed + END)).slice(2)).toEqual([
      `lock-gone 1 A +900.3 us until +2000 verb=DEL ending=deleted ${by}`,
      `${what} frame=handle-completed text=not in active ${by}`,
    ]);
  });

  it('says nothing of a refusal where the script may have gone on', async () => {
    const open = finish(900, 1, 'completed', A) + lua(900.1, 'EXISTS', key('1')) + lua(900.2, 'GET', key('1:lock'));
    expect(await told(open)).toEqual([]);
    expect(await told(`${open}OK\n${END}`)).toEqual([]);
    expect(await told(`${open}17960448\n${END}`)).toEqual([]);
    expect(await told(open + lua(900.3, 'DEL', key('1:lock')))).toEqual([]);
    // Lines of a script whose call was not captured.
    expect(await told(lua(900.2, 'GET', key('1:lock')) + END)).toEqual([]);
  });

  it('tells which renewals failed', async () => {
    const text =
      activation(0, 2, B) +
      renewal(600, ['1', '2', '3'], [A, B, A]) +
      lua(600.1, 'GET', key('1:lock')) +
      lua(600.2, 'GET', key('2:lock')) +
      lua(600.3, 'SET', key('2:lock'), B, 'PX', 2000) +
      lua(600.4, 'SREM', key('stalled'), 2) +
      lua(600.5, 'GET', key('3:lock')) +
      END;
    expect((await told(text)).slice(2)).toEqual([
      `lock-renewed 2 B +600.3 us until +2600 lockMs=2000 by ${CLIENT}`,
      `renewal-failed 1 A +600.1 us text=no lock by ${CLIENT}`,
      `renewal-failed 3 A +600.5 us text=no lock by ${CLIENT}`,
    ]);
    const single =
      client(600, 'evalsha', SHA, 2, key('1:lock'), key('stalled'), A, 2000, 1) + lua(600.1, 'GET', key('1:lock'));
    expect(await told(single + END)).toEqual([`renewal-failed 1 A +600.1 us text=no lock by ${CLIENT}`]);
  });

  it('tells a lock or a job that somebody deleted', async () => {
    const other = (...args: string[]) => monitorLine(T + 500, OTHER, ...args);
    expect((await told(activation(0, 1, A) + other('del', key('1:lock'))))[2]).toBe(
      `lock-gone 1 A +500 us until +2000 verb=del ending=deleted by ${OTHER}`,
    );
    expect((await told(activation(0, 1, A) + other('UNLINK', key('1'), key('1:lock')))).slice(2)).toEqual([
      `removed 1 - +500 us verb=UNLINK by ${OTHER}`,
      `lock-gone 1 A +500 us until +2000 verb=UNLINK ending=deleted by ${OTHER}`,
    ]);
    expect((await told(activation(0, 1, A) + other('flushall')))[2]).toBe(
      `lock-gone 1 A +500 us until +2000 verb=flushall ending=deleted by ${OTHER}`,
    );
    expect(await told(other('del', 'app:user:1:lock') + other('del', 'session:1'))).toEqual([]);
  });

  it('tells sweeps: idle, moving, throttled', async () => {
    const sweep = (ms: number) =>
      client(
        ms,
        'evalsha',
        SHA,
        9,
        ...['stalled', 'wait', 'active', 'stalled-check', 'meta', 'paused', 'marker', 'events', 'repeat'].map(key),
        1,
        'bull:q:',
        T + ms,
        5000,
      ) + lua(ms + 0.1, 'EXISTS', key('stalled-check'));
    const set = (ms: number) => lua(ms, 'SET', key('stalled-check'), T, 'PX', 5000);
    const text =
      sweep(0) +
      set(0.2) +
      sweep(100) +
      sweep(5100) +
      set(5100.2) +
      lua(5100.3, 'EXISTS', key('1:lock')) +
      lua(5100.4, 'LREM', key('active'), 1, 1) +
      lua(5100.5, 'XADD', key('events'), '*', 'event', 'waiting', 'jobId', 1, 'prev', 'active') +
      lua(5100.6, 'XADD', key('events'), '*', 'event', 'stalled', 'jobId', 1) +
      lua(5100.7, 'LRANGE', key('active'), 0, -1);
    const { events, facts } = await read(text + END);
    const given = 'settings={"maxStalledCount":1,"stalledInterval":5000}';
    expect(events.map(brief)).toEqual([
      `sweep - - +0.2 us until +5000 ${given} by ${CLIENT}`,
      `sweep - - +100 us text=throttled ${given} by ${CLIENT}`,
      `sweep - - +5100.2 us until +10100 text=moved 1 ${given} by ${CLIENT}`,
      `waiting 1 - +5100 ms prev=active by ${CLIENT}`,
      `stalled 1 - +5100 ms by ${CLIENT}`,
    ]);
    expect(facts.flatMap((fact) => (fact.type !== 'meta' ? [] : `${fact.field} ${fact.value}`))).toEqual([
      'stalledInterval 5000',
      'maxStalledCount 1',
    ]);
  });

  it('learns a script by its text, whatever its keys', async () => {
    const script = '--[[\n  Move job from active to a finished status (completed or failed)\n]]\nlocal x = "\\"é"';
    const sha = createHash('sha1').update(script).digest('hex');
    const call = (ms: number, verb: string, name: string) =>
      client(ms, verb, name, 2, key('odd'), key('7'), 7, pack({ token: A })) +
      lua(ms + 0.1, 'EXISTS', key('7')) +
      lua(ms + 0.2, 'GET', key('7:lock'));
    const refusal = (ms: number) =>
      `finish-rejected 7 A +${ms} us command=moveToFinished frame=handle-failed text=no lock by ${CLIENT}`;
    expect(await told(call(0, 'evalsha', sha) + END)).toEqual([]);
    expect(await told(call(0, 'eval', script) + call(1, 'evalsha', sha) + END)).toEqual([refusal(0), refusal(1)]);
  });

  it('decodes bytes, and keeps return values out', async () => {
    const { events } = await read(
      client(
        0,
        'XADD',
        key('events'),
        '*',
        'event',
        'failed',
        'jobId',
        'é"1',
        'failedReason',
        'schräg\tund\\quer\u0001',
      ) + END,
    );
    expect(events[0]?.job).toBe('é"1');
    expect(events[0]?.data?.text).toBe('schräg\tund\\quer\u0001');
    expect(JSON.stringify(await told(finished(0, 1, A) + END))).not.toContain('é');
  });
});
