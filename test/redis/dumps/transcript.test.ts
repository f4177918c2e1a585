import { describe, expect, test } from 'vitest';
import { lines, notes, RANGE, RANGE_AT, read, SEEN } from './transcript-text.js';

describe('commands that cannot answer', () => {
  test.each([
    ['ZRANGE bull:mail:active 0 -1', 'a list', 'LRANGE bull:mail:active 0 -1'],
    ['ZCARD bull:mail:active', 'a list', 'LRANGE bull:mail:active 0 -1'],
    ['SMEMBERS bull:mail:wait', 'a list', 'LRANGE bull:mail:wait 0 -1'],
    ['ZRANGE bull:mail:stalled 0 -1', 'a set', 'SMEMBERS bull:mail:stalled'],
    ['LRANGE bull:mail:completed 0 -1', 'a sorted set', 'ZRANGE bull:mail:completed 0 -1 WITHSCORES'],
    ['LLEN bull:mail:delayed', 'a sorted set', 'ZRANGE bull:mail:delayed 0 -1 WITHSCORES'],
    ['LRANGE bull:mail:events 0 -1', 'a stream', 'XRANGE bull:mail:events - +'],
    ['HGETALL bull:mail:42:lock', 'a string', 'GET bull:mail:42:lock and PTTL bull:mail:42:lock'],
    ['GET bull:mail:meta', 'a hash', 'HGETALL bull:mail:meta'],
  ])('%s', async (command, what, right) => {
    const key = command.split(' ')[1];
    const sentence = `${key} is ${what}, so this says nothing about it; ${right} would have answered`;
    const refusal = '(error) WRONGTYPE Operation against a key holding the wrong kind of value';
    expect(await notes(lines(`§ ${command}`, refusal))).toEqual([`${command} was refused: ${sentence}`]);
    // An empty answer is no finding either.
    const empty = await read(lines(`§ ${command}`, '(empty array)'));
    expect(empty.report.damage.map(({ what: said }) => said)).toEqual([`${command}: ${sentence}`]);
    expect(empty.facts).toEqual([]);
  });

  test('a job is no string', async () => {
    expect(await notes(lines('§ GET bull:mail:42', '(error) WRONGTYPE Operation against a key'))).toEqual([
      'GET bull:mail:42 was refused: TYPE bull:mail:42 tells what it is; a job is a hash, which HGETALL shows',
    ]);
    expect(await notes(lines('§ GET bull:mail:pc', '"17"'))).toEqual([]);
  });

  test.each(['locktoken', 'lockduration', 'lockToken', 'token'])('HGET … %s', async (field) => {
    expect(await notes(lines(`§ HGET bull:mail:42 ${field}`, '(nil)'))).toEqual([
      `HGET bull:mail:42 ${field}: BullMQ writes no field ${field}, so its absence does not mean that there is no lock; GET bull:mail:42:lock and PTTL bull:mail:42:lock would have answered`,
    ]);
  });

  test.each([
    ['attemptsStarted', /ats/],
    ['processedBy', /pb/],
    ['state', /LPOS bull:mail:active 42 and ZSCORE bull:mail:completed 42/],
    ['retries', /HGETALL bull:mail:42/],
  ])('HMGET … %s', async (field, what) => {
    expect(await notes(lines(`§ HMGET bull:mail:42 name ${field}`, '1) "send"', '2) (nil)'))).toContainEqual(
      expect.stringMatching(what),
    );
  });

  test('other refusals', async () => {
    expect(await notes(lines('§ LRANGE bull:mail:active 0 -1', '(error) NOAUTH Authentication required.'))).toEqual([
      'LRANGE bull:mail:active 0 -1 was refused (NOAUTH Authentication required.): it says nothing',
    ]);
  });
});

describe('locks', () => {
  const lock = (...rest: string[]) => lines('§ GET bull:mail:42:lock', '"w:1"', ...rest);
  const fact = { type: 'lock', prefix: 'bull', queue: 'mail', job: '42', token: 'w:1', offset: 0 };

  test.each([
    ['PEXPIRETIME', ['§ PEXPIRETIME bull:mail:42:lock', `(integer) ${SEEN}`], { expiresAtMs: SEEN }, []],
    ['TTL without a time', ['§ TTL bull:mail:42:lock', '(integer) 29'], {}, [/its expiry is unknown; PEXPIRETIME/]],
    ['never', ['§ PTTL bull:mail:42:lock', '(integer) -1'], {}, []],
    ['not asked', [], {}, [/when bull:mail:42:lock expires was not asked: PTTL/]],
  ] as const)('%s', async (_name, rest, more, said) => {
    const { facts, report } = await read(lock(...rest));
    expect(facts).toEqual([{ ...fact, ...more }]);
    expect(report.damage.map(({ what }) => what)).toEqual(said.map((what) => expect.stringMatching(what)));
  });

  test('a relative time counts from the file, unless an answer is later than the file', async () => {
    const ttl = ['§ PTTL bull:mail:42:lock', '(integer) 2900'];
    const modifiedMs = SEEN + 60_000;
    const { facts, report } = await read(lock(...ttl), { modifiedMs });
    expect(facts).toEqual([{ ...fact, expiresAtMs: modifiedMs + 2900 }]);
    expect(report.damage[0]?.what).toMatch(/the time of the file: it is not exact/);
    const older = await read(lock(...ttl, ...RANGE), { modifiedMs: SEEN });
    expect(older.facts).toEqual([fact]);
    expect(older.report.damage[0]?.what).toMatch(/its expiry is unknown/);
  });

  test('the last answer counts: a lock that is gone by then is told by nobody', async () => {
    const gone = await read(lock('§ PTTL bull:mail:42:lock', '(integer) -2'));
    expect(gone.facts).toEqual([]);
    expect((await read(lock('§ GET bull:mail:42:lock', '(nil)'))).facts).toEqual([]);
    expect((await read(lock('§ EXISTS bull:mail:42:lock', '(integer) 0'))).facts).toEqual([]);
  });

  test('a time to live without a token', async () => {
    expect(await notes(lines('§ PTTL bull:mail:42:lock', '(integer) 5'))).toEqual([
      'bull:mail:42:lock exists, but not whose it is: GET bull:mail:42:lock would have shown the token',
    ]);
  });
});

describe('the moment', () => {
  const active = ['§ LRANGE bull:mail:active 0 -1', '1) "42"'];
  const noLock = ['§ GET bull:mail:42:lock', '(nil)'];
  const time = ['§ TIME', `1) "${Math.floor(SEEN / 1000)}"`, `2) "${(SEEN % 1000) * 1000 + 7}"`];

  test('is bounded by what stands before the states, and by the file', async () => {
    const modifiedMs = SEEN + 60_000;
    const snapshot = { type: 'snapshot', momentMs: [SEEN, modifiedMs] };
    expect((await read(lines(...time, ...active, ...noLock), { modifiedMs })).facts).toContainEqual(snapshot);
    expect((await read(lines(...active, ...noLock, ...time), { modifiedMs })).facts).toHaveLength(1);
    const between = await read(lines(...time, ...active, ...noLock, ...time));
    expect(between.facts).toContainEqual({ type: 'snapshot', momentMs: [SEEN, SEEN] });
  });

  test('is not told where the locks of active jobs were not asked: "not asked" must not read as "none"', async () => {
    const { facts, report } = await read(lines(...time, ...active), { modifiedMs: SEEN + 60_000 });
    expect(facts).toMatchObject([{ type: 'member', set: 'active', job: '42' }]);
    expect(report.damage.map(({ what }) => what)).toEqual([
      'whether jobs in active hold a lock was not asked: GET bull:mail:42:lock would have shown it',
    ]);
  });
});

describe('answers', () => {
  test('HGET by HGET is one job, of which only that is known', async () => {
    const { facts, report } = await read(
      lines(
        '§ HGET bull:mail:42 processedOn',
        `"${SEEN}"`,
        '§ HGET bull:mail:42 ats',
        '"2"',
        '§ HGET bull:mail:42 pb',
        '(nil)',
      ),
    );
    const job = { type: 'job', prefix: 'bull', queue: 'mail', job: '42', offset: 0, hasReturnValue: false };
    expect(facts).toEqual([{ ...job, processedOn: SEEN, attemptsStarted: 2 }]);
    expect(report.damage.map(({ what }) => what)).toEqual([
      'of bull:mail:42 only single fields were asked (processedOn, ats); HGETALL bull:mail:42 would have shown all',
    ]);
  });

  test('membership of one job', async () => {
    const { facts } = await read(
      lines(
        '§ LPOS bull:mail:active 7',
        '(nil)',
        '§ LPOS bull:mail:wait 7',
        '(integer) 0',
        '§ ZSCORE bull:mail:failed 8',
        '"17"',
      ),
    );
    expect(facts).toMatchObject([
      { type: 'member', set: 'wait', job: '7' },
      { type: 'member', set: 'failed', job: '8', score: 17 },
    ]);
  });

  test('INFO, CONFIG and CLIENT LIST', async () => {
    const name = Buffer.from('mail').toString('base64');
    const { facts, report } = await read(
      lines(
        '§ INFO',
        '# Server\r\nredis_version:7.2.4\r\n\r\n# Stats\r\nevicted_keys:12\r',
        '§ CONFIG GET maxmemory-policy',
        '1) "maxmemory-policy"',
        '2) "allkeys-lru"',
        '§ CLIENT LIST',
        `id=5 addr=10.0.0.1:9 name=my:app:${name}:w:worker-1 age=1 db=0`,
        '§ HGET my:app:mail:42 atm',
        '"1"',
      ),
    );
    expect(facts).toMatchObject([
      { type: 'job', prefix: 'my:app', queue: 'mail', job: '42', attemptsMade: 1 },
      { type: 'snapshot', redisVersion: '7.2.4' },
    ]);
    expect(report.damage.map(({ what }) => what)).toEqual([
      'evicted_keys is 12: Redis dropped keys because memory was short',
      'maxmemory-policy is allkeys-lru: Redis may drop keys of queues when memory is short; BullMQ needs noeviction',
      expect.stringMatching(/only single fields/),
    ]);
  });

  test.each([
    ['a filter', 'ops@db:~$ redis-cli LRANGE bull:mail:active 0 -1 | head -1', /it goes through \| head -1/],
    ['a repetition', 'ops@db:~$ redis-cli -r 5 LRANGE bull:mail:active 0 -1', /it was repeated/],
    ['a delimiter', 'ops@db:~$ redis-cli -d , LRANGE bull:mail:active 0 -1', /another delimiter/],
  ])('%s spoils the answer', async (_name, command, said) => {
    const { facts, report } = await read(lines(command, '1) "42"'));
    expect(facts).toEqual([]);
    expect(report.damage).toMatchObject([{ what: expect.stringMatching(said), line: 1, offset: 0 }]);
  });

  test('what a person left out is a cut', async () => {
    const tty = ['§ LRANGE bull:mail:active 0 -1', ' 1) "42"', ' 2) "43"'];
    for (const rest of [[], [' ...'], ['[8 more]'], ['10) "51"']]) {
      const { facts, report } = await read(lines(...tty, ...rest));
      expect(facts).toEqual([]);
      expect(report.damage[0]?.what).toMatch(/was not used: (it stops after 2 items|something else follows it)/);
    }
    expect(await notes(lines('§ GET bull:mail:42:lock', '§ PING', 'PONG'))).toEqual([
      'the answer of GET bull:mail:42:lock was not used: no answer follows',
    ]);
  });

  test('headings and remarks around answers', async () => {
    const text = lines(
      'Incident 17, notes of the night:',
      '',
      '## locks',
      '# GET bull:mail:42:lock',
      'w:1',
      '',
      '== active ==',
      '# LRANGE bull:mail:active 0 -1',
      '42',
      '43',
      '',
      '# both were gone a minute later',
    );
    expect((await read(text)).facts).toMatchObject([
      { type: 'member', job: '42' },
      { type: 'member', job: '43' },
      { type: 'lock', token: 'w:1' },
    ]);
  });

  test('an entry shown twice is told once', async () => {
    const twice = await read(lines(...RANGE, ...RANGE));
    expect(twice.events).toEqual((await read(lines(...RANGE))).events);
    expect(twice.events).toMatchObject([
      { kind: 'active', t: SEEN, line: 0, offset: RANGE_AT },
      { kind: 'completed', t: SEEN + 4, line: 1 },
    ]);
  });
});
