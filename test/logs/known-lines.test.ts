/**
 * Lines that are known are read without being parsed. What comes out must be what reading each of them in full gives: the
 * same events, spans and counts. An empty configuration makes the reader read every line in full.
 */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonRecord } from '../../src/logs/formats/record-of.js';
import { readRecord } from '../../src/logs/phrases/read-record.js';
import { createKnownLines } from '../../src/logs/stencils/known-lines.js';
import { createTimeReader } from '../../src/time/index.js';
import { inputs } from '../fuzz/inputs.mjs';
import { ROOT } from '../project/tree.js';
import { readBytes, readText } from './read-log.js';

const MOMENT = 1705314600000;

async function expectSame(bytes: Uint8Array): Promise<void> {
  expect(await readBytes(bytes)).toEqual(await readBytes(bytes, { config: {} }));
}

/** Whether the second line is known from the first. */
function knows(first: string, second: string): boolean {
  const context = { time: createTimeReader({}) };
  const lines = createKnownLines(context);
  const record = jsonRecord(first, context);
  if (record === undefined) throw new Error('is no JSON line');
  lines.learn(first, record, readRecord(record));
  return lines.find(second) !== undefined;
}

describe('recorded logs', () => {
  const logs = [
    ...readdirSync(`${ROOT}/samples/incidents`).flatMap((incident) =>
      readdirSync(`${ROOT}/samples/incidents/${incident}/evidence`, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.log'))
        .map((name) => `samples/incidents/${incident}/evidence/${name}`),
    ),
    ...readdirSync(new URL('./formats/', import.meta.url))
      .filter((name) => name.endsWith('.log'))
      .map((name) => `test/logs/formats/${name}`),
  ];

  it.each(logs)('%s says the same, also when it is repeated', async (name) => {
    const bytes = readFileSync(`${ROOT}/${name}`);
    await expectSame(bytes);
    const moved = bytes.toString('utf8').replace(/\d(?=["},])/g, (digit) => String((Number(digit) + 3) % 10));
    await expectSame(Buffer.concat([bytes, Buffer.from(`\n${moved}\n`), bytes]));
  });

  it('the inputs of the fuzz run do, too', async () => {
    for (const { bytes } of inputs().filter(({ reader }) => reader === 'log'))
      await expectSame(Buffer.concat([bytes, Buffer.from('\n'), bytes]));
  });
});

describe('a line is known by its words and keys', () => {
  const line = (more: object, time = MOMENT) =>
    JSON.stringify({ level: 30, time, pid: 12, hostname: 'h-1', ...more, msg: 'Job started' });

  it('whatever the id, the time, the process and what nobody looks at', () => {
    expect(knows(line({ jobId: '1', to: 'ada' }), line({ jobId: '22', to: '"gr\u00e4ce"\\' }, MOMENT + 5))).toBe(true);
    expect(knows(line({ req: { id: 1 }, jobId: 7 }), line({ req: { id: 2.5e3 }, jobId: 8 }))).toBe(true);
    const other = line({ jobId: '1' }).replace('"pid":12,"hostname":"h-1"', '"pid":13,"hostname":"h-2"');
    expect(knows(line({ jobId: '1' }), other)).toBe(true);
  });

  it.each([
    ['another key', line({ jobId: '1', extra: 1 })],
    ['another message', line({ jobId: '1' }).replace('started', 'done')],
    ['another level', line({ jobId: '1' }).replace('30', '50')],
    ['no id', line({ jobId: 'null' })],
    ['an id of another type', line({ jobId: 1 })],
    ['no time', line({ jobId: '1' }, 5)],
    ['no host', line({ jobId: '1' }).replace('h-1', 'unknown')],
    ['a number that JSON does not have', line({ jobId: '1' }).replace('12', '012')],
    ['text that JSON does not have', line({ jobId: '1' }).replace('h-1', 'h\t1')],
    ['more behind it', `${line({ jobId: '1' })} `],
  ])('%s makes it another', (_, second) => {
    expect(knows(line({ jobId: '1' }), second)).toBe(false);
  });

  it('not where the words of the line hold its id', () => {
    const said = (id: string) => JSON.stringify({ time: MOMENT, jobId: id, msg: 'Mail 3 of order 77 sent' });
    expect(knows(said('5'), said('6'))).toBe(true);
    expect(knows(said('5'), said('77'))).toBe(false);
  });
});

/** Values that mean different things in the same field. */
const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    '1',
    '77',
    'x-1',
    'mail',
    'unknown',
    'null',
    '',
    ' ',
    'completed',
    'active',
    'SIGTERM',
    'at 5',
  ),
  fc.constantFrom<unknown>(
    '2/5',
    '50%',
    '1.5s',
    'a"b\\',
    'gr\u00e4ce\u2028',
    '\u001b[31mred',
    'bull:mail:12',
    'Error: boom',
  ),
  fc.constantFrom<unknown>(
    '6f1c9d3e-8f40-4b2a-9a53-0f6f6d0c2b11',
    '6f1c9d3e-8f40-4b2a-9a53-0f6f6d0c2b11:7',
    'h-1',
    'h-2',
  ),
  fc.constantFrom<unknown>(0, 1, 2, 12, -1, 1.5, 1e21, 137, MOMENT, MOMENT / 1000, true, false, null),
);
const key = fc.constantFrom(
  ...'jobId job_id job id queue jobName attempt attemptsMade worker name token progress duration durationMs elapsedSec'.split(
    ' ',
  ),
  ...'event state status prev host hostname port pid container lagMs signal exitCode lockDuration err error stack'.split(
    ' ',
  ),
  ...'opts req res data payload message level v version service user order to __proto__ 0 time timestamp'.split(' '),
);
const field = fc.tuple(
  key,
  fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) }),
);
const inner = fc.tuple(
  key,
  fc.array(field, { maxLength: 4 }).map((fields) => Object.fromEntries(fields)),
);
const head = fc.constantFrom(
  { level: 30, time: MOMENT },
  { level: 30, time: MOMENT, pid: 12, hostname: 'h-1' },
  { level: 'info', timestamp: '2024-01-15T10:30:00.123Z' },
  { '@timestamp': '2024-01-15T10:30:00.123Z', 'log.level': 'warn' },
  { context: 'MailProcessor', level: 'log', timestamp: MOMENT, pid: 4 },
);
const words = fc.constantFrom(
  'Job started',
  'job 77 completed',
  'Mail sent',
  'request completed',
  'Lock 1',
  'status=active',
  '',
);
const record = fc
  .tuple(
    head,
    fc.array(fc.oneof({ weight: 4, arbitrary: field }, { weight: 1, arbitrary: inner }), { maxLength: 5 }),
    words,
  )
  .map(([start, fields, msg]) => ({ ...start, ...Object.fromEntries(fields), msg }));

/** The same record with other values of some fields. */
function changed(value: unknown, values: readonly unknown[], next: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => changed(item, values, next));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, name === 'msg' ? item : changed(item, values, next)]),
    );
  const pick = next();
  if (typeof value === 'number' && pick % 3 === 0) return value + (pick % 7) * 10;
  return pick % 2 === 0 ? value : values[pick % values.length];
}

describe('lines that are alike', () => {
  it('say what each of them says by itself', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 3 }),
        fc.array(scalar, { minLength: 4, maxLength: 8 }),
        fc.array(fc.nat(1000), { minLength: 20, maxLength: 60 }),
        async (records, values, picks) => {
          let at = 0;
          const next = () => picks[at++ % picks.length] ?? 0;
          const lines = Array.from({ length: 24 }, (_, n) => {
            const text = JSON.stringify(
              n < 3 ? records[n % records.length] : changed(records[n % records.length], values, next),
            );
            const cut = next() % 40;
            // Now and then a character too few or too many.
            return next() % 9 === 0
              ? `${text.slice(0, cut)}${['', '0', '"', ','][next() % 4]}${text.slice(cut + 1)}`
              : text;
          });
          const log = `${lines.join('\n')}\n`;
          expect(await readText(log)).toEqual(await readText(log, { config: {} }));
        },
      ),
      { numRuns: 400 },
    );
  });
});
