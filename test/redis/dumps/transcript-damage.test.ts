import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transcriptReader } from '../../../src/redis/dumps/transcript/transcript-reader.js';
import { lines, P, RANGE, read, SEEN } from './transcript-text.js';

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
