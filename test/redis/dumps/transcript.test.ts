import { describe, expect, test } from 'vitest';
import { damage, limits, lines, RANGE, RANGE_AT, read, SEEN } from './transcript-text.js';

describe('commands that cannot answer', () => {
  test.each([
    ['ZRANGE bull:mail:active 0 -1', 'a list', 'LRANGE bull:mail:active 0 -1'],
    ['ZCARD bull:mail:active', 'a list', 'LLEN bull:mail:active'],
    ['SMEMBERS bull:mail:wait', 'a list', 'LRANGE bull:mail:wait 0 -1'],
    ['ZRANGE bull:mail:stalled 0 -1', 'a set', 'SMEMBERS bull:mail:stalled'],
    ['LRANGE bull:mail:completed 0 -1', 'a sorted set', 'ZRANGE bull:mail:completed 0 -1 WITHSCORES'],
    ['LLEN bull:mail:delayed', 'a sorted set', 'ZCARD bull:mail:delayed'],
    ['ZSCORE bull:mail:active 42', 'a list', 'LPOS bull:mail:active 42'],
    ['SISMEMBER bull:mail:failed 42', 'a sorted set', 'ZSCORE bull:mail:failed 42'],
    ['LRANGE bull:mail:events 0 -1', 'a stream', 'XRANGE bull:mail:events - +'],
    ['HGETALL bull:mail:42:lock', 'a string', 'GET bull:mail:42:lock and PTTL bull:mail:42:lock'],
    ['GET bull:mail:meta', 'a hash', 'HGETALL bull:mail:meta'],
  ])('%s', async (command, what, right) => {
    const key = command.split(' ')[1];
    const sentence = `${key} is ${what}, so this says nothing about it; ${right} would have answered`;
    const refusal = '(error) WRONGTYPE Operation against a key holding the wrong kind of value';
    expect(await limits(lines(`§ ${command}`, refusal))).toEqual([`${command} was refused: ${sentence}`]);
    // An empty answer is no finding either.
    const empty = await read(lines(`§ ${command}`, '(empty array)'));
    expect(empty.report.limits).toEqual([
      { what: 'wrong command', detail: `${command}: ${sentence}`, line: 1, offset: 0 },
    ]);
    expect(empty.facts).toEqual([]);
  });

  test('a job is no string', async () => {
    expect(await limits(lines('§ GET bull:mail:42', '(error) WRONGTYPE Operation against a key'))).toEqual([
      'GET bull:mail:42 was refused: TYPE bull:mail:42 tells what it is; a job is a hash, which HGETALL shows',
    ]);
    expect(await limits(lines('§ GET bull:mail:pc', '"17"'))).toEqual([]);
  });

  test.each(['locktoken', 'lockduration', 'lockToken', 'token'])('HGET … %s', async (field) => {
    expect(await limits(lines(`§ HGET bull:mail:42 ${field}`, '(nil)'))).toEqual([
      `HGET bull:mail:42 ${field}: BullMQ writes no field ${field}, so its absence does not mean that there is no lock; GET bull:mail:42:lock and PTTL bull:mail:42:lock would have answered`,
    ]);
  });

  test.each([
    ['attemptsStarted', /ats/],
    ['processedBy', /pb/],
    ['state', /LPOS bull:mail:active 42 and ZSCORE bull:mail:completed 42/],
    ['retries', /HGETALL bull:mail:42/],
  ])('HMGET … %s', async (field, what) => {
    expect(await limits(lines(`§ HMGET bull:mail:42 name ${field}`, '1) "send"', '2) (nil)'))).toContainEqual(
      expect.stringMatching(what),
    );
  });

  test('other refusals', async () => {
    expect(await damage(lines('§ LRANGE bull:mail:active 0 -1', '(error) NOAUTH Authentication required.'))).toEqual([
      'LRANGE bull:mail:active 0 -1 was refused (NOAUTH Authentication required.): it says nothing',
    ]);
  });
});

describe('locks', () => {
  const lock = (...rest: string[]) => lines('§ GET bull:mail:42:lock', '"w:1"', ...rest);
  const fact = { type: 'lock', prefix: 'bull', queue: 'mail', job: '42', token: 'w:1', offset: 0 };
  const time = (ms: number) => ['§ TIME', `1) "${Math.floor(ms / 1000)}"`, `2) "${(ms % 1000) * 1000}"`];
  const ttl = ['§ PTTL bull:mail:42:lock', '(integer) 2900'];

  test.each([
    ['PEXPIRETIME', ['§ PEXPIRETIME bull:mail:42:lock', `(integer) ${SEEN}`], { expiresAtMs: SEEN }, []],
    ['TTL without a time', ['§ TTL bull:mail:42:lock', '(integer) 29'], {}, [/its expiry is unknown; PEXPIRETIME/]],
    ['never', ['§ PTTL bull:mail:42:lock', '(integer) -1'], {}, []],
    ['not asked', [], {}, [/when bull:mail:42:lock expires was not asked: PTTL/]],
  ] as const)('%s', async (_name, rest, more, said) => {
    const { facts, report } = await read(lock(...rest));
    expect(facts).toEqual([{ ...fact, ...more }]);
    expect(report.limits?.map(({ detail }) => detail)).toEqual(said.map((what) => expect.stringMatching(what)));
  });

  test("a time to live is bounded by the readings of Redis' clock around it", async () => {
    const { facts, report } = await read(
      Buffer.concat([lines(...time(SEEN)), lock(...ttl), lines(...time(SEEN + 800))]),
    );
    expect(facts[0]).toMatchObject({ type: 'lock', expiresAtMs: SEEN + 800 + 2900 });
    expect(report.limits).toMatchObject([
      {
        what: 'expiry of a lock',
        detail: `the expiry of bull:mail:42:lock is reckoned from its time to live and Redis' clock, which the transcript shows later: between ${new Date(SEEN + 2900).toISOString()} and ${new Date(SEEN + 3700).toISOString()}; PEXPIRETIME bull:mail:42:lock (Redis 7) would have shown it`,
      },
    ]);
  });

  test('TTL is rounded to a second', async () => {
    const seconds = ['§ TTL bull:mail:42:lock', '(integer) 3'];
    const { facts } = await read(Buffer.concat([lock(...seconds), lines(...time(SEEN))]));
    expect(facts[0]).toMatchObject({ type: 'lock', expiresAtMs: SEEN + 3500 });
  });

  test('a clock before it alone gives about when', async () => {
    const { facts, report } = await read(Buffer.concat([lines(...time(SEEN)), lock(...ttl)]), {
      modifiedMs: SEEN + 1e9,
    });
    expect(facts[0]).toMatchObject({ type: 'lock', expiresAtMs: SEEN + 2900 });
    expect(report.limits?.[0]?.detail).toMatch(/shows before it: about 2024-01-15T10:30:03.023Z/);
  });

  test("the shell's clock is taken as right within a second, which is said", async () => {
    const text = lines(
      'ops@db:~$ date -u',
      'Mon 15 Jan 2024 10:30:00 AM UTC',
      'ops@db:~$ redis-cli GET bull:mail:42:lock',
      '"w:1"',
      'ops@db:~$ redis-cli PTTL bull:mail:42:lock',
      '(integer) 2900',
      'ops@db:~$ date -u +%FT%TZ',
      '2024-01-15T10:30:09Z',
    );
    const { facts, report } = await read(text);
    const [from, to] = ['2024-01-15T10:29:59.000Z', '2024-01-15T10:30:11.000Z'];
    expect(facts).toMatchObject([
      { type: 'lock', expiresAtMs: Date.parse(to) + 2900 },
      { type: 'snapshot', isPartial: true, momentMs: [Date.parse(from), Date.parse(to)] },
    ]);
    expect(report.assumptions).toEqual([
      { name: 'moment', value: "the clock of a shell in a transcript is within 1000 ms of Redis' clock" },
    ]);
  });

  test('a time in the prompt bounds what stands around it', async () => {
    const text = lines(
      '[2024-01-15 10:30:00] $ redis-cli GET bull:mail:42:lock',
      '"w:1"',
      '[2024-01-15 10:30:05] $ redis-cli PTTL bull:mail:42:lock',
      '(integer) 2900',
      '[2024-01-15 10:30:07] $ ls',
      'dump.rdb',
    );
    const { facts } = await read(text, { assumeTz: 'UTC' });
    expect((await read(text)).facts[0]).not.toHaveProperty('expiresAtMs');
    expect(facts[0]).toMatchObject({
      type: 'lock',
      token: 'w:1',
      expiresAtMs: Date.parse('2024-01-15T10:30:09Z') + 2900,
    });
  });

  test('a relative time counts from the file, unless an answer is later than the file', async () => {
    const modifiedMs = SEEN + 60_000;
    const { facts, report } = await read(lock(...ttl), { modifiedMs });
    expect(facts).toEqual([{ ...fact, expiresAtMs: modifiedMs + 2900 }]);
    expect(report.limits?.[0]?.detail).toMatch(/the time at which the file was last written: \S+ or before/);
    expect(report.assumptions).toEqual([
      { name: 'moment', value: 'answers of a transcript were given before its file was last written' },
    ]);
    const older = await read(lock(...ttl, ...RANGE), { modifiedMs: SEEN });
    expect(older.facts).toEqual([fact]);
    expect(older.report.limits?.[0]?.detail).toMatch(/its expiry is unknown/);
  });

  test.each([
    ['PTTL', ['§ PTTL bull:mail:42:lock', '(integer) -2']],
    ['GET', ['§ GET bull:mail:42:lock', '(nil)']],
    ['EXISTS', ['§ EXISTS bull:mail:42:lock', '(integer) 0']],
    ['TYPE', ['§ TYPE bull:mail:42:lock', 'none']],
  ])('the last answer counts: %s says that there is none', async (_name, answer) => {
    const { facts, report } = await read(lock(...answer));
    const { offset: _offset, token: _token, ...rest } = fact;
    expect(facts).toMatchObject([{ ...rest, type: 'absent', what: 'lock' }]);
    expect(facts[0]).not.toHaveProperty('whileActive');
    expect(report.limits).toEqual([]);
  });

  test('a time to live without a token is a lock of nobody known', async () => {
    const { facts, report } = await read(lines('§ PEXPIRETIME bull:mail:42:lock', `(integer) ${SEEN}`));
    expect(facts).toEqual([{ type: 'lock', prefix: 'bull', queue: 'mail', job: '42', offset: 0, expiresAtMs: SEEN }]);
    expect(report.limits?.map(({ detail }) => detail)).toEqual([
      'bull:mail:42:lock exists, but not whose it is: GET bull:mail:42:lock would have shown the token',
    ]);
  });
});

describe('no lock while active', () => {
  const active = ['§ LRANGE bull:mail:active 0 -1', '1) "42"'];
  const noLock = ['§ GET bull:mail:42:lock', '(nil)'];
  const told = async (...text: string[]) => (await read(lines(...text))).facts.filter(({ type }) => type === 'absent');

  test.each([
    ['active asked after it', [...noLock, ...active], true],
    ['active asked before and after it', [...active, ...noLock, '§ LPOS bull:mail:active 42', '(integer) 0'], true],
    [
      'one transaction',
      [
        '§ MULTI',
        'OK',
        '§ LRANGE bull:mail:active 0 -1',
        'QUEUED',
        '§ GET bull:mail:42:lock',
        'QUEUED',
        '§ EXEC',
        '1) 1) "42"',
        '2) (nil)',
      ],
      true,
    ],
    ['active asked only before: it may have ended in between', [...active, ...noLock], false],
    ['active no more afterwards', [...active, ...noLock, '§ LRANGE bull:mail:active 0 -1', '(empty array)'], false],
    ['active in another database', [...noLock, '127.0.0.1:6379[3]> LRANGE bull:mail:active 0 -1', '1) "42"'], false],
  ] as const)('%s', async (_name, text, isSure) => {
    const [absent] = await told(...text);
    expect(absent).toMatchObject({ type: 'absent', what: 'lock', job: '42' });
    expect(absent !== undefined && 'whileActive' in absent).toBe(isSure);
  });
});

describe('the moment', () => {
  const active = ['§ LRANGE bull:mail:active 0 -1', '1) "42"'];
  const noLock = ['§ GET bull:mail:42:lock', '(nil)'];
  const time = ['§ TIME', `1) "${Math.floor(SEEN / 1000)}"`, `2) "${(SEEN % 1000) * 1000 + 7}"`];
  const moment = (to: number) => ({ type: 'snapshot', isPartial: true, momentMs: [SEEN, to] });

  test('is bounded by what stands before the states, and by the file', async () => {
    const modifiedMs = SEEN + 60_000;
    expect((await read(lines(...time, ...active, ...noLock), { modifiedMs })).facts).toContainEqual(moment(modifiedMs));
    expect((await read(lines(...active, ...noLock, ...time), { modifiedMs })).facts).toHaveLength(2);
    const between = await read(lines(...time, ...active, ...noLock, ...time));
    expect(between.facts).toContainEqual(moment(SEEN));
  });

  test('locks of active jobs that nobody asked for are named', async () => {
    expect(await limits(lines(...time, ...active))).toEqual([
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
    expect(report.limits?.map(({ detail }) => detail)).toEqual([
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
      { type: 'absent', what: 'active', job: '7' },
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
    expect(await damage(lines('§ GET bull:mail:42:lock', '§ PING', 'PONG'))).toEqual([
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
