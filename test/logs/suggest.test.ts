/** Rules for what was not understood: they fit what they were made from, and pasted as they are they change nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern, readConfig } from '../../src/logs/team/read-config.js';
import { patternOf } from '../../src/logs/team/suggest.js';
import type { Suggestion } from '../../src/model/evidence.js';
import { readText } from './read-log.js';

const LOG = [
  '2024-01-15T10:30:00.123Z INFO engaging unit 42 of mail',
  '2024-01-15T10:30:01.123Z INFO engaging unit 43 of mail',
  '2024-01-15T10:30:02.123Z INFO unit 42 sealed in 300ms (a+b) "x"',
  '2024-01-15T10:30:03.123Z INFO hello there',
  '2024-01-15T10:30:04.123Z INFO job 42 started',
  '2024-01-15T10:30:05.123Z INFO Job 42: charging the card',
  '{"level":30,"time":1705314600123,"pid":7,"evt":"unit.opened","uow":7}',
];

const toRule = ({ kind, pattern, field, is }: Suggestion) => ({
  kind,
  ...(pattern === undefined ? {} : { pattern }),
  ...(field === undefined ? {} : { field, is }),
});

const suggested = async (text: string): Promise<readonly Suggestion[]> =>
  (await readText(text, { suggest: true })).report.suggestions ?? [];

describe('suggestions', () => {
  it('are the shapes that could matter, most frequent first, with the likely id as the job', async () => {
    expect(await suggested(LOG.join('\n'))).toEqual([
      {
        kind: 'ignore',
        pattern: '^engaging unit (?<job>\\d+) of mail$',
        count: 2,
        firstLine: 1,
        example: 'engaging unit 42 of mail',
      },
      {
        kind: 'ignore',
        pattern: '^unit (?<job>\\d+) sealed in [\\d.]+ms \\(a\\+b\\) "[^"]*"$',
        count: 1,
        firstLine: 3,
        example: 'unit 42 sealed in 300ms (a+b) "x"',
      },
      {
        kind: 'handler-line',
        pattern: '^Job \\d+: charging the card$',
        count: 1,
        firstLine: 6,
        example: 'Job 42: charging the card',
        shape: 'job #: charging the card',
      },
      expect.objectContaining({ kind: 'ignore', field: 'evt', is: 'unit.opened', count: 1, firstLine: 7 }),
    ]);
  });

  it('cost nothing where they are not asked for', async () => {
    expect((await readText(LOG.join('\n'))).report.suggestions).toBeUndefined();
  });

  it('are accepted as a configuration, and change nothing as they are', async () => {
    const rules = (await suggested(LOG.join('\n'))).map(toRule);
    const read = readConfig(JSON.stringify({ events: rules }));
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    const [before, after] = [await readText(LOG.join('\n')), await readText(LOG.join('\n'), { config: read.config })];
    expect(after.events).toEqual(before.events);
    expect(before.events.map(({ kind }) => kind)).toEqual(['handler-started', 'handler-line']);
  });

  it('with the right kind put in tell the story', async () => {
    const rules = (await suggested(LOG.join('\n'))).map((one, n) => ({
      ...toRule(one),
      ...(n === 0 && { kind: 'handler-started' }),
    }));
    const read = readConfig(JSON.stringify({ events: rules }));
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    const { events } = await readText(LOG.join('\n'), { config: read.config });
    expect(events.filter(({ kind }) => kind === 'handler-started').map(({ job }) => job)).toEqual(['42', '43', '42']);
  });

  it('fit what they were made from, whatever it holds, and can be written as JSON', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(...'ab 12.-_:/"\'{}[]()\\^$*+?|\n\t\u0000\ud800\u00e9\ud83d\ude00'),
      maxLength: 260,
    });
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 260 })), fc.boolean(), (message, findsJob) => {
        const pattern: string = JSON.parse(JSON.stringify(patternOf(message, findsJob)));
        expect(pattern.length).toBeLessThanOrEqual(1600);
        expect(compilePattern(pattern).test(message)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
