import { describe, expect, it } from 'vitest';
import { logReader } from '../../src/logs/index.js';
import { lineAt } from '../../src/model/place.js';
import { type ReadLog, readBytes, readText } from './read-log.js';

const MS = 1_705_314_600_000;
const told = ({ events }: ReadLog): string[] =>
  events.map(({ kind, job, line }) => `${lineAt(line)} ${kind} ${job ?? '-'}`);
const detected = (text: string, fileName = 'x.json'): string | undefined =>
  logReader.detect(new TextEncoder().encode(text).subarray(0, 65_536), fileName)?.format;
const event = (n: number, message = `Processing job ${n}`): object => ({
  logStreamName: 'worker/1',
  timestamp: MS + n * 1000,
  message,
});

describe('a JSON document', () => {
  it('keeps what stands before its damage', async () => {
    const whole = JSON.stringify({ events: [event(1), event(2), event(3)] }, null, 1);
    const cut = await readText(whole.slice(0, whole.indexOf('job 3')));
    expect(told(cut)).toEqual(['3 handler-started 1', '8 handler-started 2']);
    expect(cut.report.damage).toEqual([
      { what: 'the JSON ends early; the records before were kept', offset: expect.any(Number) },
    ]);
  });

  it('goes on at the next document behind a damage', async () => {
    const [one, two] = [1, 2].map((n) => JSON.stringify({ events: [event(n)] }));
    const read = await readText(`${one}\nUnable to locate credentials.\n${two}\n`);
    expect(told(read)).toEqual(['1 handler-started 1', '3 handler-started 2']);
    expect(read.report.damage).toEqual([
      { what: expect.stringMatching(/^not JSON from here on/), offset: one?.length },
    ]);
  });

  it('cuts a record that is too long, and says so', async () => {
    const long = event(2, `Processing job 2 ${'x'.repeat(3_000_000)}`);
    const read = await readText(JSON.stringify([event(1), long, event(3)]));
    expect(told(read)).toEqual([1, 2, 3].map((n) => `1 handler-started ${n}`));
    expect(read.report.damage).toEqual([{ what: expect.stringMatching(/^1 record cut/), line: 1 }]);
  });

  it('survives nesting without end', async () => {
    const read = await readText(`[${JSON.stringify(event(1))},${'['.repeat(100_000)}`);
    expect(told(read)).toEqual(['1 handler-started 1']);
  });

  it('tells records on one line apart, in order, also where the newest comes first', async () => {
    const text = (numbers: number[]): string => JSON.stringify({ events: numbers.map((n) => event(n)) });
    for (const numbers of [
      [1, 2, 3],
      [3, 2, 1],
    ]) {
      const { events } = await readText(text(numbers));
      const inOrder = events.toSorted((a, b) => a.line - b.line);
      expect(inOrder.map(({ job }) => job)).toEqual(['1', '2', '3']);
      expect(inOrder.map(({ line }) => lineAt(line))).toEqual([1, 1, 1]);
    }
  });

  it('is not what JSON lines are, whatever lists they hold', async () => {
    // An answer of an API as a logger prints it that sorts its keys.
    const data = [{ id: '1', type: 'users', attributes: { message: 'x' } }];
    const line = { data, level: 'info', message: 'Processing job 7' };
    const lines = [line, { ...line, message: 'Job 7 completed' }].map((one) => JSON.stringify(one)).join('\n');
    expect(told(await readText(lines))).toEqual(['1 handler-started 7', '2 acknowledged 7']);
  });

  it('is not a log without the sign of one', () => {
    expect(detected(JSON.stringify({ name: 'app', version: '1.0.0' }, null, 2), 'package.json')).toBeUndefined();
    expect(detected(JSON.stringify([{ key: 'job:1', n: 1 }], null, 2))).toBeUndefined();
    expect(detected(JSON.stringify([event(1)], null, 2))).toBeDefined();
  });
});

describe('a table', () => {
  const rows = (...lines: string[]): string => `@timestamp,@message\n${lines.join('\n')}\n`;
  const at = (n: number): string => `2024-01-15 10:30:0${n}.000`;

  it('takes a line in which quotes are never closed for lost, and no other', async () => {
    const read = await readText(
      rows(`${at(1)},Processing job 1`, `${at(2)},"Processing job 2`, `${at(3)},Processing job 3`),
    );
    expect(told(read)).toEqual(['2 handler-started 1', '4 handler-started 3']);
    expect(read.report.damage).toEqual([{ what: expect.stringMatching(/^1 row with a quote/), line: 3 }]);
  });

  it('is read by the line where quotes mean nothing', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => `${at(1)},"Processing job ${n}`);
    const read = await readText(rows(...lines));
    expect(read.events.length).toBeGreaterThanOrEqual(250);
  });

  it('is a log only with a time and a message', () => {
    expect(detected('key,n,created_at,ok\njob:42,42,2024-01-15 05:30:00-05,t\n', 'x.csv')).toBe('text');
    expect(detected(rows(`${at(1)},Processing job 1`), 'x.csv')).toBe('table');
  });
});

describe('the journal in its export format', () => {
  const entry = (n: number, message: Uint8Array): Uint8Array => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(message.length));
    const head = `__CURSOR=s=${n}\n__REALTIME_TIMESTAMP=${MS + n}000\n_HOSTNAME=web-1\n_PID=7\nMESSAGE\n`;
    return Buffer.concat([Buffer.from(head), length, message, Buffer.from('\n\n')]);
  };

  it('reads values of any bytes, however they are cut', async () => {
    const bytes = Buffer.concat([
      entry(1, Buffer.from('\x1b[32mProcessing job 1\x1b[0m')),
      entry(2, Buffer.from('Error: Missing lock for job 1. moveToFinished\n    at x (/a.js:1:1)\n')),
      entry(3, Buffer.from('Job 1 completed')),
    ]);
    const read = await readBytes(bytes);
    expect(told(read)).toEqual(['1 handler-started 1', '8 lock-missing 1', '17 acknowledged 1']);
    expect(read.report.damage).toEqual([]);
    for (const size of [1, 3, 50]) expect(await readBytes(bytes, {}, [size])).toEqual(read);
  });

  it('believes no length', async () => {
    const bytes = Buffer.concat([
      entry(1, Buffer.from('Processing job 1')),
      Buffer.from('__CURSOR=x\nMESSAGE\n'),
      Buffer.alloc(8, 0x7f),
    ]);
    const read = await readBytes(bytes);
    expect(told(read)).toEqual(['1 handler-started 1']);
    expect(read.report.damage).toHaveLength(1);
  });
});

describe('Markdown', () => {
  const log = '2024-01-15T10:30:00.123Z INFO Processing job 4711';
  const page = [
    '# Incident',
    'Processing job 1 was odd:',
    '```',
    log,
    '```',
    '~~~text',
    '``` not a fence',
    log,
    '~~~',
    '',
  ];

  it('is a log between its fences', async () => {
    expect(detected(page.join('\n'), 'incident.md')).toBe('plain');
    const read = await readText(page.join('\n'), { fileName: 'incident.md' });
    expect(told(read)).toEqual(['4 handler-started 4711', '8 handler-started 4711']);
  });

  it('is none where they hold something else', () => {
    expect(detected('# App\n```sh\nnpm install\nnpm start\n```\n', 'README.md')).toBeUndefined();
    expect(detected(`# App\n${log}\n`, 'README.md')).toBeUndefined();
  });
});
