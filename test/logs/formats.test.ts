import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { logReader } from '../../src/logs/index.js';
import { lineAt } from '../../src/model/place.js';
import { eventLines } from './event-lines.js';
import { readBytes } from './read-log.js';

const FOLDER = new URL('./formats/', import.meta.url);
const rewrite = process.env.GOLDEN === 'write';
const samples = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.log'))
  .sort();
const beside = (file: string, ending: string): URL => new URL(file.replace(/\.log$/, ending), FOLDER);

/**
 * Every sample beside what is read from it; a new sample needs no code. `<name>.events` is short and written by hand
 * (`event-lines.ts`); `<name>.expected.json` has everything, and `GOLDEN=write` rewrites it.
 */
describe('formats', () => {
  it.each(samples.filter((file) => !existsSync(beside(file, '.events'))))('%s', async (file) => {
    const bytes = readFileSync(new URL(file, FOLDER));
    const { events, presence, report } = await readBytes(bytes, { fileName: file });
    const detection = logReader.detect(bytes.subarray(0, 65_536), file);
    const seen = `${JSON.stringify({ detection, report, events, presence }, null, 1)}\n`;
    const expected = beside(file, '.expected.json');
    if (rewrite || !existsSync(expected)) writeFileSync(expected, seen);
    expect(JSON.parse(seen)).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
  });

  it.each(samples.filter((file) => existsSync(beside(file, '.events'))))('%s', async (file) => {
    const bytes = readFileSync(new URL(file, FOLDER));
    const read = await readBytes(bytes, { fileName: file });
    expect(eventLines(read)).toBe(readFileSync(beside(file, '.events'), 'utf8'));
    expect(read.report.damage).toEqual([]);
    expect(logReader.detect(bytes.subarray(0, 65_536), file)?.score).toBe(0.5);
  });

  it.each(samples)('%s: references lead to the record', async (file) => {
    const bytes = readFileSync(new URL(file, FOLDER));
    const { events } = await readBytes(bytes, { fileName: file });
    for (const { line: place, offset, job } of events) {
      const line = lineAt(place);
      const before = bytes.subarray(0, offset).toString('latin1');
      expect(before.split('\n').length, `line of the byte ${offset}`).toBe(line);
      // A line begins there, or an element of a document.
      if (!/(?:^|\n)\ufeff?$/.test(bytes.subarray(0, offset).toString('utf8')))
        expect(bytes.subarray(offset, offset + 1).toString('latin1')).toMatch(/[{[]/);
      const record = bytes.subarray(offset, offset + 1500).toString('utf8');
      // journald writes a message with colours as numbers.
      if (job !== undefined && !/"MESSAGE"\s*:\s*\[/.test(record)) expect(record).toContain(job);
    }
  });
});
