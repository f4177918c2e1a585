/**
 * The lab records with each BullMQ on a real Redis: the files are there, they are what they claim to be, and the truth says
 * what the scenario did. Needs redis-server; without one it is skipped, and with CI=true that is a failure.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findTool, inCi } from '../../scripts/external-tools.mjs';
import { ROOT } from '../project/tree.js';
import { matrix } from './matrix.mjs';
import { record } from './recorder.mjs';
import { scenarios } from './scenarios.mjs';

const hasRedis = findTool('redis-server') !== undefined;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lab-test-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('lab', () => {
  it.runIf(inCi())('has a redis-server to record on', () => {
    expect(hasRedis).toBe(true);
  });

  it('has scenarios that say what they are, and a matrix that holds each with both versions', () => {
    for (const { name, about, play } of scenarios.values()) {
      expect(about, name).toMatch(/^.{20,}\.$/);
      expect(play, name).toBeTypeOf('function');
    }
    for (const name of scenarios.keys()) {
      const chosen = matrix([name]);
      expect(new Set(chosen.map(({ bullmq }) => bullmq)).size, name).toBe(2);
      expect(new Set(chosen.map((c) => c.folder)).size, name).toBe(chosen.length);
    }
  });

  it.runIf(hasRedis).each(['v5', 'v6'])(
    'records an incident with BullMQ %s',
    async (bullmq) => {
      const out = path.join(folder, bullmq);
      const scenario = scenarios.get('delayed-return');
      if (scenario === undefined) throw new Error('the scenario delayed-return is gone');
      await record({ scenario, bullmq, log: 'pino', words: 'a', lockDuration: 1500, out });

      const text = (file: string) => fs.readFileSync(path.join(out, file), 'latin1');
      expect(fs.readdirSync(out).sort()).toEqual(['logs', 'records', 'redis', 'truth.json']);
      expect(text('redis/dump.rdb').slice(0, 5)).toBe('REDIS');
      expect(text('redis/appendonlydir/appendonly.aof.1.incr.aof')).toMatch(/^#TS:\d+\r\n/);
      expect(text('redis/monitor.txt')).toMatch(/^\d+\.\d{6} \[0 (127\.0\.0\.1:\d+|lua)\] "/m);
      expect(JSON.parse(text('redis/events.xrange.json')).length).toBeGreaterThan(20);
      expect(text('records/idempotency.csv')).toMatch(/^mail:send-invoice:INV-1046,6,mail,1,mailer-\w+,completed,/m);

      const truth = JSON.parse(text('truth.json'));
      expect(truth).toMatchObject({ scenario: 'delayed-return', bullmq, queue: 'mail', lockDuration: 1500 });
      expect(Object.keys(truth.label.jobs)).toEqual(['6', '7']);
      expect(truth.label.jobs['6']).toMatchObject({
        boundary: 'step-transition',
        cause: ['returned-after-move'],
        duplicate: 'none',
        executions: 2,
        overlapMs: 0,
        runs: [{ reachedEnd: false }, { reachedEnd: true }],
      });

      const files = fs
        .readdirSync(out, { recursive: true, encoding: 'utf8' })
        .filter((file) => fs.statSync(path.join(out, file)).isFile());
      const everything = files.map(text).join('\n');
      expect(everything).toContain('Missing lock for job 6. moveToFinished');
      for (const trace of [ROOT, os.hostname(), os.homedir()]) expect(everything).not.toContain(trace);
    },
    120_000,
  );
});
