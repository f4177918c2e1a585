import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { logReader } from '../../src/logs/index.js';
import { readBytes } from './read-log.js';

const FOLDER = new URL('./formats/', import.meta.url);
const rewrite = process.env.GOLDEN === 'write';

/** Every sample beside what is read from it; a new sample needs no code. `GOLDEN=write` rewrites the expectations. */
describe('formats', () => {
  const samples = readdirSync(FOLDER).filter((file) => file.endsWith('.log'));
  it.each(samples.sort())('%s', async (file) => {
    const bytes = readFileSync(new URL(file, FOLDER));
    const { events, presence, report } = await readBytes(bytes, { fileName: file });
    const detection = logReader.detect(bytes.subarray(0, 65_536), file);
    const seen = `${JSON.stringify({ detection, report, events, presence }, null, 1)}\n`;
    const expected = new URL(file.replace(/\.log$/, '.expected.json'), FOLDER);
    if (rewrite || !existsSync(expected)) writeFileSync(expected, seen);
    expect(JSON.parse(seen)).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
  });
});
