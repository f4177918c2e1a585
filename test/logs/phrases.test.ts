import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText as readLog } from './read-log.js';

const FOLDER = new URL('./phrases/', import.meta.url);

/** Every file is a table of lines and of what they must be read as; a new file needs no code. */
for (const file of readdirSync(FOLDER).sort()) {
  describe(file, () => {
    const rows = readFileSync(new URL(file, FOLDER), 'utf8')
      .split('\n')
      .filter((row) => row !== '' && !row.startsWith('#'))
      .map((row) => row.split('\t'));
    it.each(rows)('%s %s: %s', async (kinds, jobs, ...line) => {
      const { events } = await readLog(`${line.join('\t')}\n`);
      const found = events.map((event) => `${event.kind}${event.data?.soft ? '~' : ''}`);
      expect({
        kinds: [...new Set(found)].join(' ') || '-',
        jobs: [...new Set(events.flatMap((event) => event.job ?? []))].join(',') || '-',
      }).toEqual({ kinds: [...new Set(kinds?.split(' '))].join(' '), jobs });
    });
  });
}
