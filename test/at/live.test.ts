/** What is answered for a moment in the past must be what the server answered when that moment was now. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v5 from 'bullmq-v5';
import * as v6 from 'bullmq-v6';
import { Redis } from 'ioredis';
import { afterAll, expect, test } from 'vitest';
import type { At } from '../../src/model/analysis.js';
import { describeWithRedis } from '../redis/with-redis.js';
import { type Ask, withEvidence } from './evidence-of.js';
import { BASE, capture, IDS, QUEUE, runJobs, type Sample, sample } from './live-queue.js';

const folder = mkdtempSync(join(tmpdir(), 'bullmortem-at-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const answers = (at: At): Map<string, { answer: string | undefined; known: boolean }> =>
  new Map(at.answers.map(({ question, answer, known }) => [question, { answer, known }]));

const LISTS = ['active', 'wait', 'paused'] as const;
const SETS = ['delayed', 'prioritized', 'completed', 'failed', 'waiting-children'] as const;

/** What the server answered about the job, in the words of the answers. Sets that do not hold it are left out. */
function live(seen: Sample, id: string): Map<string, string> {
  const job = seen.jobs.get(id);
  const told = new Map<string, string>();
  for (const list of LISTS) if (seen[list].includes(id)) told.set(`LRANGE ${BASE}:${list} 0 -1`, `… "${id}" …`);
  for (const set of SETS) if (seen[set].includes(id)) told.set(`ZRANGE ${BASE}:${set} 0 -1`, `… "${id}" …`);
  if (told.size === 0) told.set(`the list or set of ${BASE} that holds ${id}`, 'none');
  told.set(`GET ${BASE}:${id}:lock`, job?.token ? `"${job.token}"` : '(nil)');
  told.set(`PTTL ${BASE}:${id}:lock`, `(integer) ${job?.pttl}`);
  told.set(`SISMEMBER ${BASE}:stalled ${id}`, `(integer) ${seen.stalled.includes(id) ? 1 : 0}`);
  const hash = job?.hash ?? {};
  told.set(`EXISTS ${BASE}:${id}`, `(integer) ${Object.keys(hash).length > 0 ? 1 : 0}`);
  if (Object.keys(hash).length === 0) return told;
  for (const field of [
    'name',
    'timestamp',
    'delay',
    'priority',
    'processedOn',
    'pb',
    'ats',
    'atm',
    'stc',
    'defa',
    'finishedOn',
    'failedReason',
  ])
    told.set(`HGET ${BASE}:${id} ${field}`, hash[field] === undefined ? '(nil)' : `"${hash[field]}"`);
  const { progress } = hash;
  const isShort = progress === undefined || /^\d+$/.test(progress);
  told.set(
    `HGET ${BASE}:${id} progress`,
    progress === undefined ? '(nil)' : isShort ? `"${progress}"` : 'set, and left out of this report',
  );
  return told;
}

/** Answers that differ from the server's, and how many questions were not answered. */
function compare(at: At, server: Map<string, string>, aboutMs: number): { wrong: string[]; open: number; all: number } {
  const wrong: string[] = [];
  let open = 0;
  for (const [question, { answer, known }] of answers(at)) {
    if (!known) {
      open++;
      continue;
    }
    const said = server.get(question);
    const [mine, theirs] = [answer, said].map((text) => /^\(integer\) (\d+)$/.exec(text ?? '')?.[1]);
    const isNear =
      question.startsWith('PTTL') &&
      mine !== undefined &&
      theirs !== undefined &&
      Math.abs(Number(mine) - Number(theirs)) <= aboutMs;
    if (answer !== said && !isNear) wrong.push(`${question}: ${answer}, server: ${said}`);
  }
  return { wrong, open, all: at.answers.length };
}

for (const [name, bullmq, options] of [
  // Both majors share the calls used here; their types are not assignable to one another.
  ['BullMQ 5', v5 as unknown as typeof v6, []],
  ['BullMQ 6', v6, ['--aof-timestamp-enabled', 'yes']],
] as const) {
  describeWithRedis(`asked about ${name}`, ['--appendonly', 'yes', ...options], (redis) => {
    test('afterwards', async () => {
      const monitor = join(folder, `${name}.monitor.txt`);
      const client = new Redis({ port: redis().port, host: '127.0.0.1' });
      const stop = await capture(redis(), monitor);
      const samples: Sample[] = [];
      let isOver = false;
      const asking = (async () => {
        while (!isOver) {
          samples.push(await sample(client, IDS));
          await new Promise((resolve) => setTimeout(resolve, 40));
        }
      })();
      await runJobs(bullmq, redis().port);
      isOver = true;
      await asking;
      stop();
      client.disconnect();
      // Every place was seen, so that agreement means something.
      for (const set of ['active', 'wait', ...SETS, 'stalled'] as const)
        expect(
          samples.some((seen) => seen[set].some((id) => IDS.includes(id))),
          set,
        ).toBe(true);
      const aof = join(redis().dir, 'appendonlydir');
      expect(readdirSync(aof).some((file) => file.endsWith('.incr.aof'))).toBe(true);

      const check = (ask: Ask, aboutMs: number): { open: number; all: number } => {
        const total = { open: 0, all: 0 };
        for (const seen of samples)
          for (const id of IDS) {
            const server = live(seen, id);
            const width = seen.untilMs - seen.atMs;
            // A change within the very millisecond may have come before the question or after it.
            const at = (ms: number) => compare(ask(`${QUEUE}:${id}`, ms), server, aboutMs + width);
            const now = at(seen.atMs);
            const others = now.wrong.length === 0 ? [] : [at(seen.atMs - 1), at(seen.untilMs)];
            const best = others.reduce((a, b) => (b.wrong.length < a.wrong.length ? b : a), now);
            expect(best.wrong, `${id} at ${seen.atMs}`).toEqual([]);
            total.open += best.open;
            total.all += best.all;
          }
        return total;
      };
      const jobs = IDS.map((id) => `${QUEUE}:${id}`);
      for (const [paths, aboutMs, mayBeOpen] of [
        [[aof], 1, 0.1],
        [[monitor], 3, 0.05],
        [[aof, monitor], 3, 0.05],
      ] as const) {
        await withEvidence(paths, jobs, (ask) => {
          const { open, all } = check(ask, aboutMs);
          expect(open / all).toBeLessThan(mayBeOpen);
        });
      }
    });
  });
}
