/** No line, however wrong, makes reading fail or hides a good one. */
import { describe, expect, it } from 'vitest';
import { detectLog } from '../../src/logs/detect.js';
import { hostileLines } from './hostile-json.js';
import { type ReadLog, readBytes } from './read-log.js';

const LINE_BREAK = Buffer.from('\n');
const T0 = 1_705_314_600_000;

const good = (n: number): Buffer =>
  Buffer.from(`{"level":30,"time":${T0 + n},"pid":7,"hostname":"h","jobId":"good-${n}","msg":"job started"}`);

const jobsOf = ({ events }: ReadLog): (string | undefined)[] =>
  events.filter(({ kind, job }) => kind === 'handler-started' && job?.startsWith('good-')).map(({ job }) => job);

const log = (lines: readonly Buffer[]): Buffer => Buffer.concat(lines.flatMap((line) => [line, LINE_BREAK]));

describe('hostile JSON as lines of a log', () => {
  const all = hostileLines();

  it('is much and of every kind', () => {
    expect(all.length).toBeGreaterThan(250);
    expect(new Set(all.map(([name]) => name)).size).toBe(all.length);
    expect(all.filter(([, line]) => line.includes(10) || line.includes(13)).map(([name]) => name)).toEqual([]);
  });

  it('all of it in one log hides no good line, whatever the blocks', async () => {
    const lines = all.flatMap(([, line], n) => [good(n), line]);
    for (const sizes of [[65_536], [1000, 7, 4096]]) {
      const read = await readBytes(log([...lines, good(all.length)]), {}, sizes);
      expect(jobsOf(read)).toEqual(Array.from({ length: all.length + 1 }, (_, n) => `good-${n}`));
    }
  });

  it.each(all)('%s: between good lines, at the beginning and at the end', async (_name, line) => {
    const places: readonly (readonly Buffer[])[] = [
      [good(1), line, good(2), good(3)],
      [line, good(1), good(2), good(3)],
      [good(1), good(2), good(3), line],
      [line, line, good(1), line, good(2), line, good(3)],
    ];
    for (const lines of places) {
      expect(jobsOf(await readBytes(log(lines)))).toEqual(['good-1', 'good-2', 'good-3']);
      expect(() => detectLog(log(lines), 'worker.log')).not.toThrow();
    }
  });

  it.each(all)('%s: alone invents no job of ours and never throws', async (_name, line) => {
    const { events, report } = await readBytes(line);
    expect(jobsOf({ events, report, presence: [] })).toEqual([]);
    expect(events.every(({ t }) => t === undefined || Number.isFinite(t))).toBe(true);
  });
});
