import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type ReadLog, readBytes, readText } from './read-log.js';

const FOLDER = new URL('./formats/', import.meta.url);
const samples = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.log'))
  .sort()
  .map((file) => ({ file, bytes: readFileSync(new URL(file, FOLDER)) }));
/** Begins with words, so that it is read line by line. */
const everything = Buffer.concat([Buffer.from('everything at once\n'), ...samples.map(({ bytes }) => bytes)]);

describe('cutting the bytes', () => {
  it.each(samples)('$file gives the same byte by byte', async ({ bytes }) => {
    expect(await readBytes(bytes, {}, [1])).toEqual(await readBytes(bytes));
  });

  it('anywhere gives the same events', async () => {
    const whole = await readBytes(everything);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 20 }), async (sizes) => {
        expect(await readBytes(everything, {}, sizes)).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  it('beyond the head gives the same events', async () => {
    const long = Buffer.concat(Array.from({ length: 12 }, () => everything));
    const whole = await readBytes(long, {}, [long.length]);
    for (const size of [1000, 65_535, 65_536, 65_537]) expect(await readBytes(long, {}, [size])).toEqual(whole);
  });
});

describe('line ends', () => {
  const withoutOffsets = ({ events, presence, report }: ReadLog) => ({
    events: events.map((event) => ({ ...event, offset: 0 })),
    presence,
    report,
  });

  it.each(samples)('$file with CRLF says the same', async ({ bytes }) => {
    const text = bytes.toString('utf8');
    expect(withoutOffsets(await readText(text.replace(/\n/g, '\r\n')))).toEqual(withoutOffsets(await readText(text)));
  });

  it.each(samples)('$file without its last newline says the same', async ({ bytes }) => {
    expect(await readBytes(bytes.subarray(0, bytes.length - 1))).toEqual(await readBytes(bytes));
  });

  it('a byte order mark changes only the offsets after it', async () => {
    const line = '{"level":30,"time":1705314600123,"jobId":"1","msg":"Job started"}\n';
    expect((await readText(`\ufeff${line}`)).events).toEqual((await readText(line)).events);
  });
});

describe('the zone of the machine', () => {
  const before = process.env.TZ;
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it('changes nothing', async () => {
    const seen: ReadLog[] = [];
    for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns']) {
      process.env.TZ = zone;
      seen.push(await readBytes(everything));
      seen.push(await readBytes(everything, { assumeTz: 'Europe/Paris' }));
    }
    for (let at = 2; at < seen.length; at++) expect(seen[at]).toEqual(seen[at - 2]);
  });
});

describe('hostile input', () => {
  it('never throws', async () => {
    const words = fc.constantFrom(
      'job ',
      'Error: ',
      '{"',
      '}',
      '[',
      ']',
      '"',
      'completed ',
      '1',
      '\u0000',
      '\u001b[',
      'at ',
    );
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(words, { maxLength: 400 }).map((a) => a.join('')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 30 }), async (lines) => {
        const { report } = await readText(lines.join('\n'));
        expect(report.understood).toBeLessThanOrEqual(report.records);
      }),
      { numRuns: 200 },
    );
  });

  it('any bytes are survived', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4000 }), async (bytes) => {
        await readBytes(bytes);
      }),
      { numRuns: 100 },
    );
  });

  it('a line of 10 MB is cut and said', async () => {
    const { events, report } = await readText(`Job 1 started ${'x'.repeat(10_000_000)}\nJob 2 started\n`);
    expect(events.map((event) => event.job)).toEqual(['1', '2']);
    expect(report.damage).toEqual([expect.objectContaining({ what: expect.stringMatching(/1 line cut/), line: 1 })]);
  });

  it('a stack without end is cut and said', async () => {
    const { events, report } = await readText(
      `Error: Missing lock for job 1. failed\n${'    at x (/a.js:1:1)\n'.repeat(5000)}`,
    );
    expect(events.map((event) => event.kind)).toEqual(['lock-missing']);
    expect(report.damage).toEqual([expect.objectContaining({ what: expect.stringMatching(/1 record cut/), line: 1 })]);
  });

  it.each(['job ', 'job #1 ', 'a=', '[', '{"a":', 'not to be ', 'jobs 1, ', 'worker started ', '\u001b[', 'at ('])(
    'a line of nothing but %j takes no time to speak of',
    async (word) => {
      const line = `${word.repeat(200_000 / word.length)}\n`;
      const start = performance.now();
      await readText(line.repeat(20));
      expect(performance.now() - start).toBeLessThan(4000);
    },
  );
});
