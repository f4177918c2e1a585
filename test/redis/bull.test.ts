/**
 * Bull 3 and 4 (the `bull` package): its keys and hash fields, and what it publishes, as a MONITOR capture shows it. Written
 * by hand after Bull 4.16.5; the package is not run here.
 */
import { describe, expect, test } from 'vitest';
import { transcriptReader } from '../../src/redis/dumps/transcript/transcript-reader.js';
import { monitorReader } from '../../src/redis/monitor/monitor-reader.js';
import { collect } from './collect.js';
import { toldLines } from './dumps/told-lines.js';

const A = '99de46a1-1f60-4faf-8c76-55ce518e8ddf';
const B = 'ae1e95b8-53dd-43d4-ad4f-eadca4f89b8c';

/** Lines of MONITOR from 10:30:00 on, one each 100 ms, unless a line says its own second. */
const monitor = (...rows: string[]): Buffer =>
  Buffer.from(
    `OK\n${rows
      .map((row, n) => {
        const [, second, rest] = /^(?:(\d+): )?(.*)$/.exec(row) ?? [];
        const micros = second === undefined ? n * 100_000 : 0;
        return `${1705314600 + Number(second ?? Math.floor(micros / 1e6))}.${String(micros % 1e6).padStart(6, '0')} ${rest}`;
      })
      .join('\n')}\n`,
  );
const lua = (...words: string[]) => `[0 lua] ${words.map((word) => JSON.stringify(word)).join(' ')}`;
const call = '[0 10.0.0.1:5000] "evalsha" "0000000000000000000000000000000000000000" "0"';

describe('published events in MONITOR', () => {
  test('one job: taken over after a stall, completed by the second', async () => {
    const found = await collect(
      monitorReader,
      monitor(
        call,
        lua('INCR', 'bull:mail:id'),
        lua('LPUSH', 'bull:mail:wait', '1'),
        lua('PUBLISH', `bull:mail:waiting@${B}`, '1'),
        '1: [0 10.0.0.1:5000] "brpoplpush" "bull:mail:wait" "bull:mail:active" "5"',
        `1: ${call}`,
        `1: ${lua('SET', 'bull:mail:1:lock', A, 'PX', '30000')}`,
        `1: ${lua('PUBLISH', `bull:mail:active@${A}`, '1')}`,
        `1: ${lua('HSET', 'bull:mail:1', 'processedOn', '1705314601000')}`,
        `2: ${call}`,
        `2: ${lua('HSET', 'bull:mail:1', 'progress', '50')}`,
        `2: ${lua('PUBLISH', 'bull:mail:progress', '{"jobId":"1","progress":50}')}`,
        `40: ${call}`,
        `40: ${lua('SET', 'bull:mail:stalled-check', '1705314640000', 'PX', '30000')}`,
        `40: ${lua('LREM', 'bull:mail:active', '1', '1')}`,
        `40: ${lua('RPUSH', 'bull:mail:wait', '1')}`,
        `40: ${lua('PUBLISH', 'bull:mail:stalled@', '1')}`,
        `41: ${call}`,
        `41: ${lua('SET', 'bull:mail:1:lock', B, 'PX', '30000')}`,
        `41: ${lua('PUBLISH', `bull:mail:active@${B}`, '1')}`,
        `41: ${lua('HSET', 'bull:mail:1', 'processedOn', '1705314641000')}`,
        `42: ${call}`,
        `42: ${lua('GET', 'bull:mail:1:lock')}`,
        `42: ${lua('DEL', 'bull:mail:1:lock')}`,
        `42: ${lua('LREM', 'bull:mail:active', '-1', '1')}`,
        `42: ${lua('ZADD', 'bull:mail:completed', '1705314642000', '1')}`,
        `42: ${lua('PUBLISH', 'bull:mail:completed', '{"jobId":"1","val":"secret of a customer"}')}`,
        '43: [0 10.0.0.1:5000] "ping"',
      ),
    );
    expect(found.report.damage).toEqual([]);
    expect(JSON.stringify(found)).not.toContain('secret');
    const at = (second: string) => `2024-01-15T10:30:${second}Z`;
    // How a worker's clock stands is tested elsewhere.
    expect(toldLines(found).filter((line) => !line.startsWith('clock'))).toEqual(
      [
        `event mail 1 waiting ${at('00.300')}-5`,
        `event mail 1 lock-set ${at('01.000')}-8 token=${A}`,
        `event mail 1 active ${at('01.000')}-9 token=${A}`,
        `event mail 1 progress ${at('02.000')}-13`,
        `event mail - sweep ${at('40.000')}-15`,
        `event mail 1 stalled ${at('40.000')}-18`,
        `event mail 1 lock-set ${at('41.000')}-20 token=${B}`,
        `event mail 1 active ${at('41.000')}-21 token=${B}`,
        `event mail 1 lock-released ${at('42.000')}-25 token=${B}`,
        `event mail 1 completed ${at('42.000')}-28 token=${B}`,
        'meta mail library=bull',
        'meta mail lockDuration=30000',
        'meta mail stalledInterval=30000',
      ].sort(),
    );
  });

  test('a failure over the stall limit, and what is none of its events', async () => {
    const found = await collect(
      monitorReader,
      monitor(
        call,
        lua('PUBLISH', 'bull:mail:failed', '{"jobId":7,"val":"job stalled more than maxStalledCount"}'),
        '[0 10.0.0.1:5000] "publish" "bull:mail:active" "not an event: no token"',
        '[0 10.0.0.1:5000] "publish" "chat:room:active@1" "7"',
        '[0 10.0.0.1:5000] "publish" "bull:mail:completed" "no JSON"',
        '[0 10.0.0.1:5000] "publish" "bull:mail:delayed" "1705314700000"',
        '[0 10.0.0.1:5000] "publish" "bull:mail:paused" "paused"',
      ),
    );
    expect(toldLines(found)).toEqual([
      'event mail - paused 2024-01-15T10:30:00.600Z-8',
      'event mail 7 failed 2024-01-15T10:30:00.100Z-3',
      'meta mail library=bull',
    ]);
    expect(found.events[0]?.data).toMatchObject({ text: 'job stalled more than maxStalledCount' });
  });
});

describe('what is not published', () => {
  const keys = (...names: string[]) => names.map((name) => `bull:mail:${name}`);
  const script = (client: string, names: readonly string[], ...args: string[]) =>
    `[0 ${client}] ${['evalsha', '0'.repeat(40), String(names.length), ...names, ...args].map((word) => JSON.stringify(word)).join(' ')}`;
  const BEGIN = [call, lua('SET', 'bull:mail:1:lock', A, 'PX', '30000'), lua('PUBLISH', `bull:mail:active@${A}`, '1')];
  const RELEASED = [
    lua('EXISTS', 'bull:mail:1'),
    lua('GET', 'bull:mail:1:lock'),
    lua('DEL', 'bull:mail:1:lock'),
    lua('SREM', 'bull:mail:stalled', '1'),
  ];
  const kinds = async (...rows: string[]) => {
    const { events, report } = await collect(monitorReader, monitor(...BEGIN, ...rows, '[0 10.0.0.1:5000] "ping"'));
    expect(report.damage).toEqual([]);
    return events.map(({ kind, token, data }) => {
      const { client: _client, lockMs: _life, expiresAtMs: _expiry, ...rest } = data ?? {};
      return `${kind} ${token === A ? 'A' : token === B ? 'B' : '-'} ${JSON.stringify(rest)}`;
    });
  };
  const BEGUN = ['lock-set A {}', 'active A {}'];

  test('a failed attempt that is to run again later', async () => {
    expect(
      await kinds(
        script('10.0.0.1:5000', keys('active', 'delayed', '1', 'stalled'), '0', '1', A),
        ...RELEASED,
        lua('ZADD', 'bull:mail:delayed', String(1_705_314_700_000 * 4096 + 7), '1'),
        lua('PUBLISH', 'bull:mail:delayed', '1705314700000.0017'),
        // Its last command: the removal is not in vain.
        lua('LREM', 'bull:mail:active', '0', '1'),
      ),
    ).toEqual([...BEGUN, 'lock-released A {}', 'delayed A {"prev":"active","dueMs":1705314700000}']);
  });

  test.each([
    ['', lua('LPUSH', 'bull:mail:wait', '1')],
    ['with a priority', lua('LINSERT', 'bull:mail:wait', 'BEFORE', '7', '1')],
  ])('a failed attempt that runs again at once %s', async (_name, push) => {
    const names = keys('active', 'wait', '1', 'meta-paused', 'paused', 'stalled', 'priority');
    expect(
      await kinds(
        script('10.0.0.1:5000', names, 'LPUSH', '1', A),
        ...RELEASED,
        lua('LREM', 'bull:mail:active', '0', '1'),
        lua('EXISTS', 'bull:mail:meta-paused'),
        lua('HGET', 'bull:mail:1', 'priority'),
        push,
      ),
    ).toEqual([...BEGUN, 'lock-released A {}', 'waiting A {"prev":"active"}']);
  });

  test('a failed job that somebody retried', async () => {
    expect(
      await kinds(
        script('10.0.0.9:1', keys('1', '1:lock', 'failed', 'wait'), '1', 'LPUSH', B, '1705314650000'),
        lua('EXISTS', 'bull:mail:1'),
        lua('EXISTS', 'bull:mail:1:lock'),
        lua('HDEL', 'bull:mail:1', 'finishedOn', 'processedOn', 'failedReason'),
        lua('ZREM', 'bull:mail:failed', '1'),
        lua('LPUSH', 'bull:mail:wait', '1'),
        lua('PUBLISH', `bull:mail:waiting@${B}`, '1'),
      ),
    ).toEqual([...BEGUN, 'waiting - {"prev":"failed"}']);
  });

  test('a delayed job whose time has come is told once', async () => {
    expect(
      await kinds(
        script(
          '10.0.0.1:5000',
          keys('delayed', 'active', 'wait', 'priority', 'paused', 'meta-paused'),
          'bull:mail:',
          '0',
          A,
        ),
        lua('ZREM', 'bull:mail:delayed', '2'),
        lua('LREM', 'bull:mail:active', '0', '2'),
        lua('LPUSH', 'bull:mail:wait', '2'),
        lua('PUBLISH', `bull:mail:waiting@${A}`, '2'),
        lua('HSET', 'bull:mail:2', 'delay', '0'),
      ),
    ).toEqual([...BEGUN, 'waiting - {}']);
  });

  test('a finish that was refused, seen by its keys alone', async () => {
    const names = keys('active', 'completed', '1', 'wait', 'priority', `active@${B}`, 'delayed', 'stalled', 'metrics');
    expect(
      await kinds(
        script('10.0.0.2:5000', names, '1', '1705314600000', 'returnvalue', 'null', B, '0', '{}', '1', 'bull:mail:'),
        lua('EXISTS', 'bull:mail:1'),
        lua('GET', 'bull:mail:1:lock'),
      ),
    ).toEqual([
      ...BEGUN,
      'finish-rejected B {"command":"moveToFinished","frame":"handle-completed","text":"lock of another token"}',
    ]);
  });

  test('a removal looks at the lock and refuses nothing', async () => {
    const names = keys(
      'active',
      'wait',
      'delayed',
      'paused',
      'completed',
      'failed',
      'priority',
      '1',
      '1:logs',
      'limiter',
    );
    expect(await kinds(script('10.0.0.9:1', names, '1', B), lua('GET', 'bull:mail:1:lock'))).toEqual(BEGUN);
  });

  test('progress as Bull 3 publishes it', async () => {
    expect(await kinds(call, lua('PUBLISH', 'bull:mail:progress', '1,{"step":"mail","percent":40}'))).toEqual([
      ...BEGUN,
      'progress - {"progress":40}',
    ]);
  });
});

describe('keys', () => {
  test('hash, paused queue, and a lock whose token is that of the Queue instance', async () => {
    const text = [
      '127.0.0.1:6379> HGETALL bull:mail:7',
      ' 1) "name"',
      ' 2) "__default__"',
      ' 3) "data"',
      ' 4) "{}"',
      ' 5) "opts"',
      ' 6) "{\\"attempts\\":3,\\"delay\\":0,\\"timestamp\\":1705314590000}"',
      ' 7) "timestamp"',
      ' 8) "1705314590000"',
      ' 9) "delay"',
      '10) "0"',
      '11) "processedOn"',
      '12) "1705314600000"',
      '13) "attemptsMade"',
      '14) "1"',
      '15) "stalledCounter"',
      '16) "1"',
      '17) "failedReason"',
      '18) "Lock mismatch for job 7. Cmd finished from active"',
      '19) "retriedOn"',
      '20) "1705314650000"',
      '127.0.0.1:6379> GET bull:mail:7:lock',
      `"${A}"`,
      '127.0.0.1:6379> PTTL bull:mail:7:lock',
      '(integer) -1',
      '127.0.0.1:6379> GET bull:mail:meta-paused',
      '"1"',
      '',
    ].join('\n');
    expect(toldLines(await collect(transcriptReader, Buffer.from(text)))).toEqual(
      [
        // What Bull counts in attemptsMade are ends of attempts; it keeps no count of activations.
        'job mail 7 name=__default__ timestamp=1705314590000 processedOn=1705314600000 attemptsMade=1 stalledCounter=1 maxAttempts=3 failedReason=Lock mismatch for job 7. Cmd finished from active delayMs=0',
        `lock mail 7 token=${A} expires=-`,
        'meta mail library=bull',
        'meta mail meta-paused=1',
      ].sort(),
    );
  });

  test('a repeated job has the same options in both libraries: what attemptsMade counts is left open', async () => {
    const options = '{"delay":0,"timestamp":1705314590000,"prevMillis":1705314600000,"repeat":{"cron":"* * * * *"}}';
    const hash = { name: 'x', data: '{}', opts: options, timestamp: '1705314590000', attemptsMade: '2' };
    const text = `$ redis-cli --json HGETALL bull:mail:repeat:abc:1705314600000\n${JSON.stringify(hash)}\n`;
    expect(toldLines(await collect(transcriptReader, Buffer.from(text)))).toEqual([
      'job mail repeat:abc:1705314600000 name=x timestamp=1705314590000',
    ]);
  });
});
