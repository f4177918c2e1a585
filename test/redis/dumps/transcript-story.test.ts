/** What a transcript adds to logs: a lock that was not there counts only if the job was active at that moment. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Analysis } from '../../../src/model/analysis.js';
import { analyze } from '../../../src/pipeline/analyze.js';

let folder = '';
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'transcript-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const line = (worker: string, second: number, msg: string, more: object = {}) =>
  JSON.stringify({
    level: 30,
    time: 1_705_314_600_000 + second * 1000,
    pid: worker === 'a' ? 11 : 22,
    hostname: worker,
    queue: 'mail',
    ...more,
    msg,
  });

/** Worker a falls silent within job 42, worker b goes on. */
const LOGS = {
  'a.log': [
    line('a', 0, 'job started', { jobId: '41' }),
    line('a', 1, 'job completed', { jobId: '41' }),
    line('a', 2, 'job started', { jobId: '42' }),
  ],
  'b.log': Array.from({ length: 60 }, (_, n) => [
    line('b', 5 * n, 'job started', { jobId: String(100 + n) }),
    line('b', 5 * n + 1, 'job completed', { jobId: String(100 + n) }),
  ]).flat(),
};

const time = (second: number) => ['127.0.0.1:6379> TIME', `1) "${1_705_314_600 + second}"`, '2) "0"'];
const ACTIVE = ['127.0.0.1:6379> LRANGE bull:mail:active 0 -1', '1) "42"'];
const NO_LOCK = ['127.0.0.1:6379> EXISTS bull:mail:42:lock', '(integer) 0'];

async function analysed(...transcript: string[]): Promise<Analysis> {
  const files = { ...LOGS, 'redis.txt': transcript };
  for (const [name, lines] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`);
  return (await analyze([folder], { version: '0', given: { lockDuration: 30_000, stalledInterval: 30_000 } })).analysis;
}

const firm = ({ findings }: Analysis) =>
  findings.filter(({ status, boundary }) => (status === 'shown' || status === 'likely') && boundary !== 'undetermined');

describe('a job in active without a lock', () => {
  test('at one moment: nobody works on it', async () => {
    const analysis = await analysed(...time(290), ...NO_LOCK, ...ACTIVE, ...time(291));
    expect(firm(analysis).flatMap(({ jobs }) => jobs.map(({ id }) => id))).toEqual(['42']);
    const story = analysis.stories.find(({ id }) => id === '42');
    expect(story?.noLockAtSnapshot).toMatchObject({ ref: { source: 'redis.txt', key: 'bull:mail:42:lock' } });
  });

  test.each([
    ['asked one after the other: it may have ended in between', [...ACTIVE, ...NO_LOCK]],
    ['the lock was not asked', ACTIVE],
    [
      'only a field was asked that is never written',
      ['127.0.0.1:6379> HGET bull:mail:42 locktoken', '(nil)', ...ACTIVE],
    ],
    ['a wrong command was refused', ['127.0.0.1:6379> ZRANGE bull:mail:active 0 -1', '(error) WRONGTYPE x', ...ACTIVE]],
  ])('%s', async (_name, asked) => {
    const analysis = await analysed(...time(290), ...asked, ...time(291));
    expect(firm(analysis)).toEqual([]);
  });
});

test('a lock that is alive is none that ran out', async () => {
  const analysis = await analysed(
    ...time(290),
    ...ACTIVE,
    '127.0.0.1:6379> PTTL bull:mail:42:lock',
    '(integer) 21000',
    ...time(291),
  );
  // Held for five minutes where runs take a second: the handler hangs.
  expect(firm(analysis).map(({ boundary }) => boundary)).toEqual(['progress-to-ack']);
  const story = analysis.stories.find(({ id }) => id === '42');
  expect(story?.lockAtSnapshot).toMatchObject({ expiresAt: '2024-01-15T10:35:12.000Z' });
});

test('what Redis says of itself stands in the analysis, and what follows from it in the limits', async () => {
  const { observed, limits } = await analysed(
    ...time(290),
    '127.0.0.1:6379> CONFIG GET maxmemory-policy',
    '1) "maxmemory-policy"',
    '2) "allkeys-lru"',
    '127.0.0.1:6379> LLEN bull:mail:wait',
    '(integer) 7',
    '127.0.0.1:6379> CLIENT LIST',
    'id=4 addr=10.0.0.1:5 name=bull:bWFpbA==:w:worker-1 age=100 idle=3 flags=b db=0 cmd=bzpopmin',
    ...time(291),
  );
  const rows = observed?.map(({ name, value, scope }) => [name, value, scope]);
  expect(rows).toEqual([
    ['moment of the answers', '2024-01-15T10:34:50.000Z to 2024-01-15T10:34:51.000Z', 'Redis'],
    ['maxmemory-policy', 'allkeys-lru', 'Redis'],
    ['connections of workers', '1', 'Redis'],
    ['jobs in wait', '7', 'mail'],
    ['connected worker', 'worker-1, 10.0.0.1:5, connected for 1 min 40 s, idle for 3.00 s, bzpopmin', 'mail'],
  ]);
  expect(limits.map(({ what }) => what)).toContain('Redis may drop keys');
});
