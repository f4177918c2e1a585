/** The short form of `npm run fuzz`: the same runs every time, so that a change that breaks one of them is seen at once. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { logReader } from '../../src/logs/index.js';
import { redisReaders } from '../../src/redis/index.js';
import { inputs } from './inputs.mjs';
import { inputOfRun, runInput } from './run.mjs';

const SEED = 20240115;
const RUNS = 2000;
const FINDS = new URL('finds/', import.meta.url);

const readers = [...redisReaders, logReader];

describe('changed inputs', () => {
  test('each reader has inputs', () => {
    const all = inputs();
    for (const { name } of readers) expect(all.filter(({ reader }) => reader === name)).not.toEqual([]);
  });

  test(`${RUNS} are read without a throw, a hang, or a difference by how they are cut`, {
    timeout: 300_000,
  }, async () => {
    const all = inputs();
    for (let run = 0; run < RUNS; run++) {
      const found = await runInput(readers, inputOfRun(all, readers, SEED, run));
      expect(found && `seed ${SEED}, run ${run}: ${found.kind}: ${found.what}`).toBeUndefined();
    }
  });
});

/** Named by their reader: `<reader>.<what it was>.bin`. */
describe('inputs that once were found', () => {
  test.each(readdirSync(FINDS))('%s', async (file) => {
    const bytes = readFileSync(new URL(file, FINDS));
    const [reader = ''] = file.split('.');
    for (const sizes of [[1], [7, 300], [4096]]) {
      expect(await runInput(readers, { reader, bytes, sizes })).toBeUndefined();
    }
  });
});
