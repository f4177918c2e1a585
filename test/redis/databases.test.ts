/** Several databases, several prefixes, Relay: which keys are whose. */
import { describe, expect, test } from 'vitest';
import { aofReader } from '../../src/redis/aof/aof-reader.js';
import { redisJsonReader } from '../../src/redis/dumps/redis-json/redis-json-reader.js';
import { transcriptReader } from '../../src/redis/dumps/transcript/transcript-reader.js';
import { xrangeJsonReader } from '../../src/redis/dumps/xrange-json.js';
import { monitorReader } from '../../src/redis/monitor/monitor-reader.js';
import { aof } from './aof-bytes.js';
import { collect } from './collect.js';
import { toldLines } from './dumps/told-lines.js';

const T = 1_705_314_600_000;
const TOKEN = '99de46a1-1f60-4faf-8c76-55ce518e8ddf:0';
const at = (ms: number): string => new Date(T + ms).toISOString();

const LOG = `
  SELECT 0
  XADD bull:mail:events ${T + 1}-0 event active jobId 1 prev waiting
  SET bull:mail:1:lock ${TOKEN} PXAT ${T + 2001}
  SELECT 3
  XADD bull:mail:events ${T + 2}-0 event active jobId 1 prev waiting
  XADD app:prod:bull:mail:events ${T + 3}-0 event active jobId 2 prev waiting
  XADD bull::relay:{ns}:events ${T + 4}-0 event active jobId 3
  SET bull::relay:{ns}:x:lock ${TOKEN} PXAT ${T + 9000}
  SELECT 0
  XADD bull:mail:events ${T + 900}-0 event completed jobId 1 prev active`;

const MONITOR = [
  `1705314600.001000 [0 10.0.0.1:5] "evalsha" "00" "0"`,
  `1705314600.001000 [0 lua] "XADD" "bull:mail:events" "*" "event" "active" "jobId" "1"`,
  `1705314600.002000 [3 10.0.0.2:5] "evalsha" "00" "0"`,
  `1705314600.002000 [3 lua] "XADD" "bull:mail:events" "*" "event" "active" "jobId" "1"`,
  `1705314600.003000 [0 10.0.0.1:5] "evalsha" "00" "0"`,
  `1705314600.003000 [0 lua] "XADD" "app:mail:events" "*" "event" "active" "jobId" "9"`,
  `1705314600.004000 [0 10.0.0.1:5] "ping"`,
].join('\n');

describe('several databases', () => {
  test('an append-only file: jobs of one id in two of them are two jobs', async () => {
    const { events } = await collect(aofReader, aof(LOG));
    expect(events.map(({ db, prefix, queue, job, kind }) => [db ?? 0, prefix ?? 'bull', queue, job, kind])).toEqual([
      [0, 'bull', 'mail', '1', 'active'],
      [0, 'bull', 'mail', '1', 'lock-renewed'],
      [3, 'bull', 'mail', '1', 'active'],
      [3, 'app:prod:bull', 'mail', '2', 'active'],
      [0, 'bull', 'mail', '1', 'completed'],
    ]);
  });

  test('MONITOR', async () => {
    const { events } = await collect(monitorReader, Buffer.from(`OK\n${MONITOR}\n`));
    expect(events.map(({ db, prefix, job }) => [db ?? 0, prefix ?? 'bull', job])).toEqual([
      [0, 'bull', '1'],
      [3, 'bull', '1'],
      [0, 'app', '9'],
    ]);
  });

  test('a dump that tells them', async () => {
    const job = (db: number) =>
      `{"db":${db},"key":"bull:mail:1","type":"hash","hash":{"name":"n","data":"{}","opts":"{}","timestamp":"${T}"}}`;
    expect(toldLines(await collect(redisJsonReader, Buffer.from(`[${job(0)},${job(3)}]`)))).toEqual([
      `job mail 1 name=n timestamp=${T}`,
      `job mail [3] 1 name=n timestamp=${T}`,
      'moment - - whole',
    ]);
  });
});

describe('--prefix', () => {
  test('an append-only file: only its queues are taken, the others are said', async () => {
    const found = await collect(aofReader, aof(LOG), { prefix: 'app:prod:bull' });
    expect(toldLines(found)).toEqual([
      `event app:prod:bull:mail [3] 2 active ${at(3)}-0`,
      'limit queues under another prefix: 3 keys or records of queues under the prefix bull were left out, because --prefix names another',
    ]);
  });

  test('MONITOR', async () => {
    const found = await collect(monitorReader, Buffer.from(`OK\n${MONITOR}\n`), { prefix: 'app' });
    expect(toldLines(found)).toEqual([
      `event app:mail 9 active ${at(3)}-7`,
      'limit queues under another prefix: 2 keys or records of queues under the prefix bull were left out, because --prefix names another',
    ]);
  });

  test('XRANGE as JSON', async () => {
    const stream = (key: string) => `"${key}":[["${T}-0",["event","active","jobId","1"]]]`;
    const text = Buffer.from(`{${stream('bull:mail:events')},${stream('app:prod:mail:events')}}`);
    expect(toldLines(await collect(xrangeJsonReader, text, { prefix: 'app:prod' }))).toEqual([
      `event app:prod:mail 1 active ${at(0)}-0`,
      'limit queues under another prefix: 1 keys or records of queues under the prefix bull were left out, because --prefix names another',
    ]);
  });

  test('a transcript; with its prefix known, a queue of Bull may hold colons', async () => {
    const text = Buffer.from(
      [
        '127.0.0.1:6379> LRANGE bull:mail:active 0 -1',
        '1) "1"',
        '127.0.0.1:6379> LRANGE app:mail:eu:active 0 -1',
        '1) "2"',
        '127.0.0.1:6379> GET app:mail:eu:2:lock',
        `"${TOKEN}"`,
        '127.0.0.1:6379> PTTL app:mail:eu:2:lock',
        '(integer) -1',
        '127.0.0.1:6379> EXISTS bull:mail:1:lock',
        '(integer) 0',
        '',
      ].join('\n'),
    );
    const found = await collect(transcriptReader, text, { prefix: 'app' });
    expect(found.facts).toMatchObject([
      { type: 'member', prefix: 'app', queue: 'mail:eu', set: 'active', job: '2' },
      { type: 'lock', prefix: 'app', queue: 'mail:eu', job: '2', token: TOKEN },
    ]);
    expect(found.report.limits).toMatchObject([{ what: 'queues under another prefix' }]);
  });
});
