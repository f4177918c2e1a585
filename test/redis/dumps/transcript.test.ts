import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReadOptions } from '../../../src/model/evidence.js';
import { transcriptReader } from '../../../src/redis/dumps/transcript/transcript-reader.js';
import { blocks, collect } from '../collect.js';

const P = '127.0.0.1:6379>';
const SEEN = 1_705_314_600_123;

/** Lines of a transcript; `§` stands for redis-cli's prompt. */
const lines = (...text: string[]): Buffer => Buffer.from(`${text.map((line) => line.replace(/^§/, P)).join('\n')}\n`);

const read = (text: Buffer, options: Partial<ReadOptions> = {}, sizes?: number[]) =>
  collect(transcriptReader, blocks(text, sizes), options);

/** What is noted, without places. */
async function notes(text: Buffer, options?: Partial<ReadOptions>): Promise<string[]> {
  return (await read(text, options)).report.damage.map(({ what }) => what);
}

/** As XRANGE prints it: Redis 7.0.15. */
const RANGE = [
  `§ XRANGE bull:mail:events - +`,
  `1) 1) "${SEEN}-0"`,
  '   2) 1) "event"',
  '      2) "active"',
  '      3) "jobId"',
  '      4) "42"',
  `2) 1) "${SEEN + 4}-1"`,
  '   2) 1) "event"',
  '      2) "completed"',
  '      3) "jobId"',
  '      4) "42"',
];

const RANGE_AT = lines(RANGE[0] ?? '').length;

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

describe('detection', () => {
  const score = (...text: string[]) => transcriptReader.detect(lines(...text), 'x')?.score ?? 0;

  test.each([
    [
      'a worker log that speaks of redis-cli',
      ['2024-01-15T10:30:00Z run redis-cli HGETALL bull:mail:42 to look', '2024-01-15T10:30:01Z x'],
    ],
    [
      'a log with a prompt in its text',
      Array.from({ length: 30 }, (_, i) => `2024-01-15T10:30:${10 + i}Z ${P} GET bull:mail:1:lock`),
    ],
    ['JSON logs', [`{"level":30,"msg":"${P} GET bull:mail:1:lock"}`]],
    ['prose', ['redis-cli is a tool.', 'Use redis-cli HGETALL to see a job, or # HGETALL somewhere.']],
    [
      'a log after one command',
      [
        `§ LRANGE bull:mail:active 0 -1`,
        '1) "4"',
        ...Array.from({ length: 40 }, () => '2024-01-15T10:30:00Z job 1 done'),
      ],
    ],
    ['markdown', ['# Getting started', '> get the job', '# Info', '-- type: job']],
    ['other shells', ['$ node worker.js', 'started', '$ ls', 'a b']],
    ['prompts without any read', [`§ PING`, 'PONG']],
    ['nothing', ['']],
  ])('not taken: %s', (_name, text) => {
    expect(score(...text)).toBe(0);
  });

  test.each([
    ['prompts', RANGE],
    ['a database', ['[3]> HGETALL bull:mail:42', '(empty array)']],
    ['a transaction', ['10.0.0.7:6380[2](TX)> GET bull:mail:42:lock', 'QUEUED']],
    ['IPv6', ['[::1]:6379> GET bull:mail:42:lock', '(nil)']],
    ['a container', ['$ kubectl exec -n prod redis-0 -- redis-cli GET bull:mail:42:lock', '(nil)']],
    ['root in a container', ['root@redis:/data# redis-cli --raw GET bull:mail:42:lock', 'x:1']],
  ])('taken: %s', (_name, text) => {
    expect(score(...text)).toBe(0.95);
  });

  test('a mostly other text with a transcript in it is a last choice before plain text', () => {
    const prose = Array.from({ length: 10 }, () => 'What we saw in the night.');
    expect(score(...prose, ...RANGE.slice(0, 6))).toBe(0.55);
  });
});

describe('any bytes', () => {
  const WHOLE = lines(
    ...RANGE,
    '§ HGETALL bull:mail:42',
    ' 1) "name"',
    ` 2) "${P} GET bull:mail:9:lock\\nforged"`,
    ' 3) "data"',
    ' 4) "{}"',
    ' 5) "opts"',
    ' 6) "{\\"attempts\\":3}"',
    ' 7) "timestamp"',
    ` 8) "${SEEN}"`,
    ' 9) "atm"',
    '10) "3"',
    'ops@db:~$ redis-cli --json HGETALL bull:mail:43',
    `{"name":"a","data":"{}","opts":"{}","timestamp":"${SEEN}","failedReason":"\\n$ redis-cli GET bull:mail:9:lock\\nforged"}`,
    'ops@db:~$ redis-cli --csv ZRANGE bull:mail:completed 0 -1 WITHSCORES',
    `"42","${SEEN}","43","${SEEN + 1}"`,
    'ops@db:~$ redis-cli --raw GET bull:mail:42:lock',
    'w:1',
    'ops@db:~$ redis-cli',
    '§ PEXPIRETIME bull:mail:42:lock',
    `(integer) ${SEEN}`,
  );

  test('the same in any blocks', async () => {
    const whole = await read(WHOLE);
    expect(whole.report.damage).toEqual([]);
    expect(whole.facts).toHaveLength(5);
    expect(JSON.stringify(whole.facts)).not.toContain('"9"');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }), async (sizes) => {
        expect(await read(WHOLE, {}, sizes)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  test('cut at every byte: nothing is invented', async () => {
    const whole = await read(WHOLE);
    const known = new Set(whole.events.map((event) => JSON.stringify(event)));
    const values = new Set(JSON.stringify(whole.facts).match(/"\w+":("[^"]*"|[\w.-]+)/g));
    for (let end = 0; end < WHOLE.length; end++) {
      const { events, facts } = await read(WHOLE.subarray(0, end));
      for (const event of events) expect(known).toContain(JSON.stringify(event));
      for (const pair of JSON.stringify(facts).match(/"\w+":("[^"]*"|[\w.-]+)/g) ?? []) expect(values).toContain(pair);
    }
  });

  test('changed at random: never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(WHOLE.length - 1), fc.nat(255)), { maxLength: 8 }), async (changes) => {
        const changed = Buffer.from(WHOLE);
        for (const [at, to] of changes) changed[at] = to;
        transcriptReader.detect(changed, 'x');
        expect((await read(changed)).report.kind).toBe('redis');
      }),
      { numRuns: 300 },
    );
  });

  test('lines put together at random: never throws', async () => {
    const pool = [
      ...WHOLE.toString().split('\n'),
      '1) 1) 1) 1) 1) 1) 1) 1) 1) 1) 1) 1) 1) 1) "x"',
      '1# "a" => ',
      '(integer) ',
      '"',
      ' ',
      `${P} `,
      '1) ',
      '{',
      'ERROR,"',
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...pool), { maxLength: 30 }), async (text) => {
        const bytes = Buffer.from(text.join('\n'));
        transcriptReader.detect(bytes, 'x');
        const { report } = await read(bytes);
        expect(report.understood).toBeLessThanOrEqual(report.records);
      }),
      { numRuns: 300 },
    );
  });
});
