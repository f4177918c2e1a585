/** `bullmortem.config.json`: a team's own field names and words, and what is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/logs/team/read-config.js';
import { type Config, GROUPS, JOB_KINDS, PROCESS_KINDS } from '../../src/model/config.js';
import { EVENT_KINDS } from '../../src/model/event.js';
import { read } from '../project/tree.js';
import { readText } from './read-log.js';

function accepted(value: unknown): Config {
  const read = readConfig(JSON.stringify(value));
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.config;
}

const refused = (value: unknown): string[] => {
  const read = readConfig(typeof value === 'string' ? value : JSON.stringify(value));
  return 'problems' in read ? read.problems.map(({ path, reason }) => `${path}: ${reason}`) : [];
};

const said = async (lines: readonly string[], config: unknown) =>
  (await readText(`${lines.join('\n')}\n`, { config: accepted(config) })).events.map(
    ({ kind, job, queue, data, token, process }) => ({ kind, job, queue, data, token, process }),
  );

describe('a configuration that is refused', () => {
  const cases: [what: string, config: unknown, problem: string | RegExp][] = [
    ['text that is no JSON', '{"events": [', /^: is no JSON: /],
    ['an unknown key', { event: [] }, ': unknown key event'],
    [
      'an unknown key within',
      { events: [{ kind: 'acknowledged', pattern: 'x', patern: 'y' }] },
      'events[0]: unknown key patern',
    ],
    ['an unknown field', { fields: { jobb: 'a' } }, 'fields: unknown key jobb'],
    ['an unknown kind', { events: [{ kind: 'done', pattern: 'x' }] }, /^events\[0\]\.kind: /],
    ['a kind that only Redis tells', { events: [{ kind: 'completed', pattern: 'x' }] }, /^events\[0\]\.kind: /],
    ['a rule without a condition', { events: [{ kind: 'ignore' }] }, /^events\[0\]: needs a pattern/],
    ['two conditions', { events: [{ kind: 'ignore', field: 'a', is: 1, pattern: 'x' }] }, /^events\[0\]: has both/],
    ['a value of no field', { events: [{ kind: 'ignore', is: 'x' }] }, /^events\[0\]\.is: needs the field/],
    [
      'a broken pattern',
      {
        events: [
          { kind: 'ignore', pattern: 'x' },
          { kind: 'ignore', pattern: '(' },
        ],
      },
      /^events\[1\]\.pattern: .*missing closing \)/,
    ],
    ['a look-ahead', { events: [{ kind: 'ignore', pattern: '(?=a)b' }] }, /^events\[0\]\.pattern: .*no look-around/],
    ['a back-reference', { events: [{ kind: 'ignore', pattern: '(a)\\1' }] }, /^events\[0\]\.pattern: .*RE2/],
    [
      'an unknown group',
      { events: [{ kind: 'ignore', pattern: '(?<id>a)' }] },
      /^events\[0\]\.pattern: unknown group id; the names are job, /,
    ],
    [
      'a huge pattern',
      { events: [{ kind: 'ignore', pattern: '(?:[a-z]+x?[0-9]*){900}' }] },
      /^events\[0\]\.pattern: is too large/,
    ],
    [
      'an acknowledgement it does not know',
      { acknowledgement: { completedMeans: 'maybe' } },
      /^acknowledgement\.completedMeans: /,
    ],
  ];
  it.each(cases)('%s', (_what, config, problem) => {
    const problems = refused(config);
    expect(problems).toHaveLength(1);
    if (problem instanceof RegExp) expect(problems[0]).toMatch(problem);
    else expect(problems[0]).toBe(problem);
  });

  it('names every fault, not the first alone', () => {
    expect(
      refused({
        events: [
          { kind: 'ignore', pattern: '(' },
          { kind: 'ignore', pattern: '[' },
        ],
      }),
    ).toHaveLength(2);
  });

  it('never throws, whatever the file holds', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof readConfig(text) === 'object'));
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (pattern) => {
        const read = readConfig(JSON.stringify({ events: [{ kind: 'ignore', pattern }] }));
        return 'config' in read || read.problems.every(({ path }) => path.startsWith('events[0]'));
      }),
    );
  });
});

describe('fields', () => {
  it('are found at the paths of the team, over what stands under the usual names', async () => {
    const line =
      '{"level":30,"time":1705314600123,"pid":7,"hostname":"h","jobId":"wrong","ctx":{"unit":{"id":"42"},"pipe.name":"mail"},"run":3,"msg":"job started"}';
    const [event] = await said([line], {
      fields: { job: ['ctx.none', 'ctx.unit.id'], queue: 'ctx.pipe.name', attempt: 'run' },
    });
    expect(event).toMatchObject({ kind: 'handler-started', job: '42', queue: 'mail', data: { attempt: 3 } });
  });

  it('tell the time and the message, too', async () => {
    const config = accepted({ fields: { time: 'zeit', message: 'was', job: 'uow' } });
    const { events } = await readText('{"zeit":"2024-01-15T10:30:00.123Z","was":"job picked up","uow":7}\n', {
      config,
    });
    expect(events).toMatchObject([
      { kind: 'handler-started', job: '7', t: Date.UTC(2024, 0, 15, 10, 30, 0, 123), precision: 'ms' },
    ]);
  });

  it('are found in logfmt', async () => {
    const line = 'ts=2024-01-15T10:30:00.123Z level=info uow=42 pipe=mail msg="job started"';
    expect(await said([line], { fields: { job: 'uow', queue: 'pipe' } })).toMatchObject([
      { kind: 'handler-started', job: '42', queue: 'mail' },
    ]);
  });

  it('are own keys only', async () => {
    const line = '{"level":30,"time":1705314600123,"pid":7,"msg":"job 5 started"}';
    expect(await said([line], { fields: { job: ['constructor.name', '__proto__', 'toString'] } })).toMatchObject([
      { kind: 'handler-started', job: '5' },
    ]);
  });
});

describe('events', () => {
  const START = '2024-01-15T10:30:00.123Z INFO engaging unit 42 of mail';

  it('are told by patterns, with details in named groups', async () => {
    expect(await said([START], {})).not.toMatchObject([{ kind: 'handler-started' }]);
    expect(
      await said([START], {
        events: [{ kind: 'handler-started', pattern: '^engaging unit (?<job>\\d+) of (?<queue>\\w+)$' }],
      }),
    ).toMatchObject([{ kind: 'handler-started', job: '42', queue: 'mail' }]);
  });

  it('are told by the value of a field', async () => {
    const line = (evt: unknown) =>
      JSON.stringify({ level: 30, time: 1705314600123, pid: 7, jobId: '42', evt: { code: evt } });
    const config = {
      events: [
        { kind: 'acknowledged', field: 'evt.code', is: [17, 'sealed'] },
        { kind: 'handler-returned', field: 'evt.code', pattern: '^r' },
      ],
    };
    expect(await said([line(17), line('sealed'), line('ready'), line('17')], config)).toMatchObject([
      { kind: 'acknowledged', data: undefined },
      { kind: 'acknowledged' },
      { kind: 'handler-returned' },
      { kind: 'handler-line' },
    ]);
  });

  it("go before what the program knows of words, and before BullMQ's own errors; the first rule decides", async () => {
    const lines = ['job 1 completed', 'Missing lock for job 1. moveToFinished'];
    const config = {
      events: [
        { kind: 'handler-returned', pattern: 'completed' },
        { kind: 'ignore', pattern: 'Missing|completed' },
      ],
    };
    expect(await said(lines, config)).toMatchObject([{ kind: 'handler-returned', job: '1' }]);
  });

  it('of a job need one: a rule that finds none leaves the record to the next', async () => {
    const config = {
      events: [
        { kind: 'handler-started', pattern: 'go' },
        { kind: 'worker-ready', pattern: 'go' },
      ],
    };
    expect(await said(['2024-01-15T10:30:00.123Z INFO go'], config)).toMatchObject([
      { kind: 'worker-ready', job: undefined },
    ]);
  });

  it('say what they are as surely as the team does: no acknowledgement is a guess', async () => {
    const config = { events: [{ kind: 'acknowledged', pattern: 'completed' }] };
    expect((await said(['job 1 completed'], config))[0]?.data?.soft).toBeUndefined();
  });

  it('every group has a place in the record', async () => {
    const token = '0f8fad5b-d9cb-469f-a165-70867728950e:3';
    const text = `x 1 mail send 2 w-1 ${token} 50 300ms boom`;
    const pattern =
      '^x (?<job>\\d+) (?<queue>\\w+) (?<jobName>\\w+) (?<attempt>\\d+) (?<worker>\\S+) (?<token>\\S+) (?<progress>\\d+) (?<duration>\\w+) (?<error>\\w+)$';
    expect(GROUPS.every((name) => pattern.includes(`<${name}>`))).toBe(true);
    const [event] = await said([text], { events: [{ kind: 'attempt-failed', pattern }] });
    expect(event).toMatchObject({
      job: '1',
      queue: 'mail',
      token,
      data: { jobName: 'send', attempt: 2, progress: 50, durationMs: 300, text: 'boom' },
    });
  });

  it('have kinds that exist, each once', () => {
    const kinds = [...JOB_KINDS, ...PROCESS_KINDS];
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds.filter((kind) => !EVENT_KINDS.includes(kind))).toEqual([]);
  });

  it('cost time that grows with the line and no faster, on lines made to be slow', async () => {
    const events = [
      { kind: 'ignore', pattern: '^(a+)+$' },
      { kind: 'ignore', pattern: '(x+x+)+y' },
      { kind: 'ignore', pattern: '(.*a){20}' },
      { kind: 'ignore', pattern: '([a-z]+)*\\d' },
    ];
    const line = `${'a'.repeat(2000)}${'x'.repeat(2000)}!`;
    const started = performance.now();
    await said(
      Array.from({ length: 20 }, () => line),
      { events },
    );
    // In the patterns of JavaScript the first of them would not end in a lifetime.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('the acknowledgement of the team', () => {
  const line = '2024-01-15T10:30:00.123Z INFO job 42 completed';

  it('says who writes that a job completed', async () => {
    expect(await said([line], {})).toMatchObject([{ kind: 'acknowledged', data: { soft: true } }]);
    expect(await said([line], { acknowledgement: { completedMeans: 'handler-returned' } })).toMatchObject([
      { kind: 'handler-returned', job: '42', data: undefined },
    ]);
    expect(await said([line], { acknowledgement: { completedMeans: 'acknowledged' } })).toMatchObject([
      { kind: 'acknowledged', job: '42', data: undefined },
    ]);
  });

  it("leaves what the line itself tells: the name of the worker's event is proof", async () => {
    const named = '{"level":30,"time":1705314600123,"pid":7,"event":"completed","jobId":"42","msg":"x"}';
    expect(await said([named], { acknowledgement: { completedMeans: 'handler-returned' } })).toMatchObject([
      { kind: 'acknowledged', job: '42' },
    ]);
  });
});

describe('the README', () => {
  it('shows a configuration that is accepted, with every part of it', () => {
    const [, text = ''] = /## Your own words[\s\S]*?```json\n([\s\S]*?)```/.exec(read('README.md')) ?? [];
    const shown = readConfig(text);
    expect('config' in shown ? Object.keys(shown.config).sort() : shown.problems).toEqual([
      '$schema',
      'acknowledgement',
      'events',
      'fields',
    ]);
  });
});
