/** Answers from MONITOR, from the events stream alone, from snapshots, and from several sources at once. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../project/tree.js';
import { aof } from '../redis/aof-bytes.js';
import { monitorLine } from '../redis/monitor-text.js';
import { rdb, str } from '../redis/rdb/write-rdb.js';
import { A, type Answers, ask, B, T, toAnswers } from './ask.js';
import { withEvidence } from './evidence-of.js';

const CLIENT = '10.0.0.5:35900';
const client = (ms: number, ...args: (string | number)[]) => monitorLine(T + ms, CLIENT, ...args);
const lua = (ms: number, ...args: (string | number)[]) => monitorLine(T + ms, 'lua', ...args);
const call = (ms: number) => client(ms, 'evalsha', '5ab432e88830d573e2fa33392ffbd4ad25a9b100', 1, 'bull:q:wait');
const OTHER = (ms: number) => client(ms, 'ping');

const ADD =
  call(100) +
  lua(100.1, 'EXISTS', 'bull:q:7') +
  lua(100.2, 'HMSET', 'bull:q:7', 'name', 'send', 'data', '{}', 'opts', '{}', 'timestamp', T + 95, 'delay', 0) +
  lua(100.3, 'XADD', 'bull:q:events', '*', 'event', 'added', 'jobId', 7, 'name', 'send') +
  lua(100.4, 'LPUSH', 'bull:q:wait', 7) +
  lua(100.5, 'XADD', 'bull:q:events', '*', 'event', 'waiting', 'jobId', 7);
const activate = (ms: number, token: string) =>
  call(ms) +
  lua(ms + 0.1, 'RPOPLPUSH', 'bull:q:wait', 'bull:q:active') +
  lua(ms + 0.2, 'SET', 'bull:q:7:lock', token, 'PX', 1000) +
  lua(ms + 0.3, 'XADD', 'bull:q:events', '*', 'event', 'active', 'jobId', 7, 'prev', 'waiting') +
  lua(ms + 0.4, 'HMSET', 'bull:q:7', 'processedOn', T + ms) +
  lua(ms + 0.5, 'HINCRBY', 'bull:q:7', 'ats', 1);
const capture = (...lines: string[]) => ({ 'monitor.txt': `OK\n${OTHER(0)}${lines.join('')}${OTHER(9000)}` });

describe('a MONITOR capture', () => {
  it('answers for what its scripts wrote', async () => {
    const [before, waiting, active, edge, expired] = await ask(
      capture(ADD, activate(200, A)),
      'q:7',
      ...[50, 150, 700, 1201, 1300],
    );
    expect(before?.of('EXISTS')).toMatch(/^\? monitor\.txt does not hold what was there before it begins/);
    expect(waiting?.of('LRANGE bull:q:wait')).toBe('… "7" …');
    expect(waiting?.of('GET')).toBe('(nil)');
    expect(active?.of('LRANGE bull:q:active')).toBe('… "7" …');
    expect(active?.of('GET')).toBe(`"${A}"`);
    expect(active?.of('PTTL')).toBe('(integer) 500');
    expect(active?.of('HGET bull:q:7 ats')).toBe('"1"');
    expect(active?.at.answers.find(({ question }) => question.startsWith('PTTL'))).toMatchObject({
      note: expect.stringContaining('give or take 2 ms'),
      refs: [{ source: 'monitor.txt', line: 11 }],
    });
    expect(edge?.of('GET')).toMatch(/^\? the lock ran out within 2 ms/);
    expect(expired?.of('GET')).toBe('(nil)');
  });

  it('a command in vain changes nothing', async () => {
    // An empty list was popped, retention found nothing, and the job was not in the list it was taken out of.
    const vain =
      call(500) +
      lua(500.1, 'RPOPLPUSH', 'bull:q:wait', 'bull:q:active') +
      call(510) +
      lua(510.1, 'ZREMRANGEBYRANK', 'bull:q:completed', 0, -101) +
      lua(510.2, 'LREM', 'bull:q:wait', 1, 7) +
      lua(510.3, 'SREM', 'bull:q:stalled', 7);
    const [at] = await ask(capture(ADD, activate(200, A), vain), 'q:7', 600);
    expect(at?.of('LRANGE bull:q:active')).toBe('… "7" …');
    expect(at?.of('SISMEMBER')).toBe('(integer) 0');
    const done = call(600) + lua(600.1, 'LREM', 'bull:q:active', -1, 7) + lua(600.2, 'ZADD', 'bull:q:completed', T, 7);
    const [kept] = await ask(capture(ADD, activate(200, A), done, vain.replaceAll(':q:7', ':q:8')), 'q:7', 700);
    expect(kept?.of('ZRANGE bull:q:completed')).toBe('… "7" …');
  });

  it('a finish that takes the next job does not take the one it removed', async () => {
    const removed =
      call(500) +
      lua(500.1, 'DEL', 'bull:q:7:lock') +
      lua(500.2, 'LREM', 'bull:q:active', -1, 7) +
      lua(500.3, 'DEL', 'bull:q:7', 'bull:q:7:logs') +
      lua(500.4, 'XADD', 'bull:q:events', '*', 'event', 'completed', 'jobId', 7) +
      lua(500.5, 'RPOPLPUSH', 'bull:q:wait', 'bull:q:active') +
      lua(500.6, 'SET', 'bull:q:8:lock', B, 'PX', 1000) +
      lua(500.7, 'XADD', 'bull:q:events', '*', 'event', 'active', 'jobId', 8, 'prev', 'waiting');
    const [at] = await ask(capture(ADD, activate(200, A), removed), 'q:7', 600);
    expect(at?.of('the list or set')).toBe('none');
    expect(at?.of('EXISTS')).toBe('(integer) 0');
  });

  it('does not know what a conditional command did', async () => {
    const odd = client(500, 'set', 'bull:q:7:lock', B, 'NX', 'PX', 1000);
    const [at] = await ask(capture(ADD, activate(200, A), odd), 'q:7', 600);
    expect(at?.of('GET')).toMatch(/^\? the log does not show what set did to it/);
  });

  it('knows nothing any more behind lines that are missing, until they are set anew', async () => {
    const broken = `${OTHER(400)}OK\n${OTHER(500)}`;
    const [lost, again] = await ask(capture(ADD, activate(200, A), broken, activate(800, B)), 'q:7', 600, 900);
    expect(lost?.of('GET')).toMatch(/^\? commands are missing/);
    expect(again?.of('GET')).toBe(`"${B}"`);
    expect(again?.of('HGET bull:q:7 ats')).toMatch(/^\?/);
  });

  it('up to BullMQ 4 a waiting worker has a job before any line says so', async () => {
    const blocks = client(50, 'brpoplpush', 'bull:q:wait', 'bull:q:active', 5);
    const [open] = await ask(capture(blocks, ADD), 'q:7', 150);
    expect(open?.of('the list or set')).toMatch(/^\? brpoplpush took ids out of wait/);
  });

  it('goes on from a snapshot that was saved meanwhile', async () => {
    const hash = Buffer.concat([
      Buffer.from([5]),
      ...['name', 'send', 'data', '{}', 'opts', '{}', 'timestamp', `${T}`, 'ats', '4'].map(str),
    ]);
    const dump = rdb(
      'REDIS0010',
      0xfa,
      str('ctime'),
      str(`${T / 1000 + 2}`),
      0xfe,
      0,
      4,
      str('bull:q:7'),
      hash,
      1,
      str('bull:q:wait'),
      1,
      str('7'),
    );
    const files = { ...capture(ADD, activate(5000, A)), 'dump.rdb': dump };
    const [after] = await ask(files, 'q:7', 6000);
    expect(after?.of('HGET bull:q:7 ats')).toMatch(/contradict/);
    const [only] = await ask({ ...capture(activate(5000, A)), 'dump.rdb': dump }, 'q:7', 5500);
    expect(only?.of('HGET bull:q:7 ats')).toBe('"5"');
    expect(only?.of('HGET bull:q:7 stc')).toBe('(nil)');
  });
});

const entry = (ms: number, ...fields: string[]) => [`${T + ms}-0`, fields];
const xrange = (...entries: unknown[]) => ({ 'events.json': JSON.stringify({ 'bull:q:events': entries }) });
const OF = (event: string, prev?: string) => [
  'event',
  event,
  'jobId',
  '7',
  ...(prev === undefined ? [] : ['prev', prev]),
];
const STREAM = [
  entry(0, 'event', 'added', 'jobId', '6', 'name', 'send'),
  entry(100, ...OF('added'), 'name', 'send'),
  entry(101, ...OF('waiting')),
  entry(200, ...OF('active', 'waiting')),
  entry(300, ...OF('delayed'), 'delay', `${T + 900}`),
  entry(900, ...OF('waiting', 'delayed')),
  entry(901, ...OF('active', 'waiting')),
  entry(1000, ...OF('completed', 'active')),
  entry(2000, 'event', 'added', 'jobId', '8', 'name', 'send'),
];

describe('the events stream alone', () => {
  it('tells the state, and no lock', async () => {
    const [before, waiting, active, delayed] = await ask(xrange(...STREAM), 'q:7', 50, 150, 250, 400);
    expect(before?.of('the list or set')).toBe('none');
    expect(waiting?.of('LRANGE bull:q:wait')).toBe('… "7" …');
    expect(waiting?.at.answers[0]?.note).toContain('in wait, or paused, or prioritized: which is not told');
    expect(active?.of('LRANGE bull:q:active')).toBe('… "7" …');
    expect(delayed?.of('ZRANGE bull:q:delayed')).toBe('… "7" …');
    expect(active?.of('GET')).toMatch(/^\? the events stream does not show it; an AOF, or a MONITOR capture/);
    expect(active?.of('HGETALL')).toMatch(/^\?/);
  });

  it('does not say that a finished job was still there, nor anything beyond its ends', async () => {
    const [done, late, early] = await ask(xrange(...STREAM), 'q:7', 1500, 2500, -10);
    expect(done?.of('the list or set')).toMatch(/^\? the events stream says completed .* retention/);
    expect(late?.of('the list or set')).toMatch(/ends before this moment/);
    expect(early?.of('the list or set')).toMatch(/begins later/);
  });

  it('an id that people choose may have been there before it was added', async () => {
    const custom = JSON.stringify(STREAM).replaceAll('"7"', '"order-7"');
    const [at] = await ask({ 'events.json': `{"bull:q:events":${custom}}` }, 'q:order-7', 50);
    expect(at?.of('the list or set')).toMatch(/^\? the job was added later; an earlier job of the same id/);
  });

  it('before BullMQ 5.56.9 a job came to waiting-children without an entry', async () => {
    const silent = [
      ...STREAM.slice(0, 4),
      entry(700, ...OF('waiting', 'waiting-children')),
      entry(2000, 'event', 'drained'),
    ];
    const [at] = await ask(xrange(...silent), 'q:7', 400);
    expect(at?.of('the list or set')).toMatch(/^\? .*waiting-children without an entry/);
  });
});

it('two sources that contradict each other give no answer', async () => {
  const log = (token: string) =>
    aof(`
    SELECT 0
    MULTI
    HMSET bull:q:7 name send data {} opts {} timestamp ${T}
    XADD bull:q:events ${T + 100}-0 event added jobId 7 name send
    EXEC
    MULTI
    SET bull:q:7:lock ${token} PXAT ${T + 1200}
    XADD bull:q:events ${T + 200}-0 event active jobId 7 prev waiting
    HMSET bull:q:7 processedOn ${T + 198}
    EXEC
    XADD bull:q:events ${T + 9000}-0 event progress jobId 9 data 1`);
  const [at] = await ask({ 'one.aof': log(A), 'two.aof': log(B) }, 'q:7', 500);
  expect(at?.of('GET')).toMatch(/^\? two sources contradict each other/);
  expect(at?.of('HGET bull:q:7 processedOn')).toBe(`"${T + 198}"`);
});

it('says how far each source reaches', async () => {
  const files = { ...capture(ADD, activate(200, A)), ...xrange(...STREAM) };
  const [at] = await ask(files, 'q:7', 5000);
  expect(at?.at.sources).toEqual([
    { source: 'monitor.txt', says: expect.stringContaining('what was there before it begins is not in it') },
    { source: 'events.json', says: expect.stringContaining('ends before this moment') },
  ]);
});

describe('a snapshot', () => {
  const dump = join(ROOT, 'samples/incidents/starved/evidence/redis/dump.rdb');
  const at = async (time: string): Promise<Answers> => {
    let answers: Answers | undefined;
    await withEvidence([dump], ['mail:7'], (askAt) => {
      answers = toAnswers(askAt('mail:7', Date.parse(time)));
    });
    if (answers === undefined) throw new Error('nothing was asked');
    return answers;
  };

  it('shows what cannot have changed since the last entry of the job in its stream', async () => {
    const after = await at('2026-11-30T15:39:00Z');
    expect(after.of('ZRANGE bull:mail:completed')).toBe('… "7" …');
    expect(after.of('EXISTS')).toBe('(integer) 1');
    for (const [field, value] of [
      ['ats', '"2"'],
      ['atm', '"1"'],
      ['stc', '"1"'],
      ['defa', '(nil)'],
    ])
      expect(after.of(`HGET bull:mail:7 ${field}`), field).toBe(value);
    // A priority is changed without an entry, a lock is renewed without one.
    expect(after.of('HGET bull:mail:7 priority')).toMatch(/^\? .*may change without an entry in the stream/);
    expect(after.of('PTTL')).toMatch(/^\? renewals leave no trace/);
  });

  it('says nothing of the hash before that, and nothing of later', async () => {
    const before = await at('2026-11-30T15:38:40Z');
    expect(before.of('LRANGE bull:mail:active')).toBe('… "7" …');
    expect(before.of('HGETALL')).toMatch(/^\? .* after the job had changed once more/);
    const later = await at('2026-11-30T16:00:00Z');
    expect(later.of('the list or set')).toMatch(/^\?/);
    expect(later.of('EXISTS')).toMatch(/^\?/);
    expect(later.at.sources[0]?.says).toContain('with the job in completed');
  });
});
