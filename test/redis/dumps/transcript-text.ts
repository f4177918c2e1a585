/** Transcripts written by hand, in the renderings of redis-cli 7.0.15. */
import { expect } from 'vitest';
import type { ReadOptions } from '../../../src/model/evidence.js';
import { transcriptReader } from '../../../src/redis/dumps/transcript/transcript-reader.js';
import { blocks, collect } from '../collect.js';

export const P = '127.0.0.1:6379>';
export const SEEN = 1_705_314_600_123;

/** Lines of a transcript; `§` stands for redis-cli's prompt. */
export const lines = (...text: string[]): Buffer =>
  Buffer.from(`${text.map((line) => line.replace(/^§/, P)).join('\n')}\n`);

export const read = (text: Buffer, options: Partial<ReadOptions> = {}, sizes?: number[]) =>
  collect(transcriptReader, blocks(text, sizes), options);

/** What could not be read, without places. */
export async function damage(text: Buffer, options?: Partial<ReadOptions>): Promise<string[]> {
  return (await read(text, options)).report.damage.map(({ what }) => what);
}

/** What the transcript is said not to tell, without titles and places. */
export async function limits(text: Buffer, options?: Partial<ReadOptions>): Promise<string[]> {
  const { report } = await read(text, options);
  expect(report.damage).toEqual([]);
  return (report.limits ?? []).map(({ detail }) => detail);
}

/** As XRANGE prints it: Redis 7.0.15. */
export const RANGE = [
  `§ XRANGE bull:mail:events - +`,
  `1) 1) "${SEEN}-0"`,
  '   2) 1) "event"',
  '      2) "active"',
  '      3) "jobId"',
  '      4) "42"',
  `2) 1) "${SEEN + 4}-1"`,
  '   2) 1) "event"',
  '      2) "completed"',
  '      3) "jobId"',
  '      4) "42"',
];

export const RANGE_AT = lines(RANGE[0] ?? '').length;
