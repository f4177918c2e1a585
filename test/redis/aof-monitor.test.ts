/** What real BullMQ did on a real Redis, read from its log and from MONITOR: both must tell what the queue itself answers. */
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as v5 from 'bullmq-v5';
import * as v6 from 'bullmq-v6';
import { expect, test } from 'vitest';
import type { EvidenceEvent } from '../../src/model/event.js';
import { aofReader } from '../../src/redis/aof/aof-reader.js';
import { xrangeJsonReader } from '../../src/redis/dumps/xrange-json.js';
import { monitorReader } from '../../src/redis/monitor/monitor-reader.js';
import { type Collected, collect } from './collect.js';
import { describeWithRedis, type RunningRedis } from './with-redis.js';

const LOCK_MS = 1000;
const LOCK_KINDS: ReadonlySet<string> = new Set(['lock-set', 'lock-renewed', 'lock-released', 'lock-gone']);

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Collects what MONITOR says, as it comes from the socket. */
async function startMonitor(port: number): Promise<() => Promise<Buffer>> {
  const socket = connect(port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(Buffer.from(part)));
  await new Promise<void>((resolve) => socket.once('connect', () => socket.write('MONITOR\r\n', () => resolve())));
  await expect.poll(() => Buffer.concat(parts).toString('latin1')).toContain('OK');
  return async () => {
    await expect.poll(() => Buffer.concat(parts).toString('latin1')).toContain('"the-end"');
    socket.destroy();
    return Buffer.concat(parts);
  };
}

async function readLog(redis: RunningRedis): Promise<Collected> {
  const dir = join(redis.dir, 'appendonlydir');
  const names = await readdir(dir);
  const name = names.find((file) => file.endsWith('.incr.aof')) ?? '';
  return collect(aofReader, await readFile(join(dir, name)), { fileName: name });
}

/** The locks' lives, without what only one of the two can see: the server's own deletions. */
function ledger(events: readonly EvidenceEvent[]): Map<string, EvidenceEvent[]> {
  const byLock = new Map<string, EvidenceEvent[]>();
  for (const event of events) {
    if (!LOCK_KINDS.has(event.kind) || event.data?.verb === 'DEL') continue;
    const lock = `${event.job} ${event.token}`;
    byLock.set(lock, [...(byLock.get(lock) ?? []), event]);
  }
  return byLock;
}

for (const [name, bullmq] of [
  // Both majors share the calls used here; their types are not assignable to one another.
  ['BullMQ 5', v5 as unknown as typeof v6],
  ['BullMQ 6', v6],
] as const) {
  const options = ['--appendonly', 'yes', '--aof-timestamp-enabled', 'yes', '--appendfsync', 'no'];
  describeWithRedis(`the log and the monitor of ${name}`, options, (redis) => {
    test('tell what happened', { timeout: 60_000 }, async () => {
      const monitor = await startMonitor(redis().port);
      const connection = { host: '127.0.0.1', port: redis().port, maxRetriesPerRequest: null };
      const queue = new bullmq.Queue('mail', { connection });
      const tokens = new Map<string, string | undefined>();
      const worker = new bullmq.Worker(
        'mail',
        async (job, token) => {
          tokens.set(`${job.id} ${job.attemptsStarted}`, token);
          await job.updateProgress(50);
          if (job.name === 'fails') throw new Error('boom');
          if (job.name === 'slow') await sleep(2 * LOCK_MS);
          if (job.name === 'robbed' && job.attemptsStarted === 1) {
            await redis().client.unlink(`bull:mail:${job.id}:lock`);
            // Long enough for a renewal to fail, and over before the sweep starts the job again in the same worker.
            await sleep(0.7 * LOCK_MS);
          }
        },
        { connection, concurrency: 8, lockDuration: LOCK_MS, stalledInterval: LOCK_MS, maxStalledCount: 3 },
      );
      worker.on('error', () => {});
      await queue.addBulk(Array.from({ length: 20 }, () => ({ name: 'quick', data: { address: 'é "quoted" \\' } })));
      await queue.add('slow', {}, { jobId: 'order-17' });
      await queue.add('fails', {}, { attempts: 2, backoff: 100 });
      await queue.add('robbed', {}, { jobId: 'robbed' });
      await expect.poll(async () => (await queue.getJobCounts('completed')).completed, { timeout: 30_000 }).toBe(22);
      await expect.poll(async () => (await queue.getJobCounts('failed')).failed).toBe(1);
      await worker.close();
      const entries = JSON.stringify(await redis().client.xrange('bull:mail:events', '-', '+'));
      const stream = (await collect(xrangeJsonReader, Buffer.from(entries))).events;
      await queue.close();
      await redis().client.echo('the-end');
      const seen = await collect(monitorReader, await monitor());
      const log = await readLog(redis());
      expect([log.report.damage, seen.report.damage]).toEqual([[], []]);
      expect(seen.report.understood).toBe(seen.report.records);

      // Every entry of the stream, in the log under its id, in MONITOR at its time.
      const kinds = new Set(stream.map(({ kind }) => kind));
      const said = ({ kind, job, data }: EvidenceEvent) => ({ kind, job, prev: data?.prev, text: data?.text });
      const inLog = log.events.filter(({ kind }) => kinds.has(kind));
      const inMonitor = seen.events.filter(({ kind }) => kinds.has(kind));
      expect(inLog.map((event) => ({ ...said(event), id: `${event.t}-${event.line}` }))).toEqual(
        stream.map((event) => ({ ...said(event), id: `${event.t}-${event.line}` })),
      );
      expect(inMonitor.map(said)).toEqual(stream.map(said));
      inMonitor.forEach((event, n) => {
        expect(Math.abs((event.t ?? 0) - (stream[n]?.t ?? 0))).toBeLessThanOrEqual(5);
      });

      // The same life of every lock, at the same times.
      const [logged, monitored] = [ledger(log.events), ledger(seen.events)];
      expect([...monitored].map(([lock, events]) => [lock, events.map(({ kind }) => kind)]).sort()).toEqual(
        [...logged].map(([lock, events]) => [lock, events.map(({ kind }) => kind)]).sort(),
      );
      for (const [lock, events] of monitored) {
        events.forEach((event, n) => {
          const other = logged.get(lock)?.[n];
          const apart = Math.abs((event.t ?? 0) - (other?.t ?? 0));
          expect(apart, `${lock} ${event.kind}`).toBeLessThanOrEqual(other?.precision === 'ms' ? 5 : 1100);
        });
      }
      expect(logged.get(`order-17 ${tokens.get('order-17 1')}`)?.some(({ kind }) => kind === 'lock-renewed')).toBe(
        true,
      );

      // Tokens are those the handler was given.
      for (const source of [inLog, inMonitor]) {
        const activations = new Map<string, number>();
        for (const { kind, job, token } of source) {
          if (kind !== 'active') continue;
          const n = (activations.get(String(job)) ?? 0) + 1;
          activations.set(String(job), n);
          expect(token, `${job} ${n}`).toBe(tokens.get(`${job} ${n}`));
        }
      }

      // The robbery: before the lock could run out, by whom, and what the worker was refused then.
      for (const { events } of [log, seen]) {
        const gone = events.find(({ kind, data }) => kind === 'lock-gone' && data?.verb === 'unlink');
        expect(gone).toMatchObject({ job: 'robbed', token: tokens.get('robbed 1') });
        expect(gone?.t).toBeLessThan(gone?.data?.expiresAtMs ?? 0);
      }
      expect(seen.events.find(({ kind }) => kind === 'lock-gone')?.data?.client).toMatch(/^127\.0\.0\.1:\d+$/);
      const ofRobbed = seen.events.filter(({ job, token }) => job === 'robbed' && token === tokens.get('robbed 1'));
      expect(ofRobbed.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['renewal-failed', 'finish-rejected']));
      expect(seen.events.some(({ kind, data }) => kind === 'sweep' && data?.text === 'moved 1')).toBe(true);
      expect(log.events.some(({ kind, data }) => kind === 'sweep' && data?.text === 'moved 1')).toBe(true);

      for (const { facts } of [log, seen]) {
        const values = (field: string) =>
          facts.flatMap((fact) => (fact.type === 'meta' && fact.field === field ? [fact.value] : []));
        expect(values('lockDuration')).toEqual([String(LOCK_MS)]);
        expect(values('stalledInterval')).toEqual([String(LOCK_MS)]);
        expect(values('version')[0]).toMatch(/^bullmq:\d/);
      }
    });
  });
}
