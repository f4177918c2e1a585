/** A queue that real BullMQ works on, with somebody asking Redis about its jobs all the while. */
import { appendFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as v6 from 'bullmq-v6';
import type { Redis } from 'ioredis';
import type { RunningRedis } from '../redis/with-redis.js';

export const QUEUE = 'mail';
export const BASE = `bull:${QUEUE}`;

/** What one transaction of reads answered about all jobs, at one moment of Redis' clock. */
export interface Sample {
  /** Redis' clock when the first answer was given, and the last. */
  readonly atMs: number;
  readonly untilMs: number;
  readonly active: readonly string[];
  readonly wait: readonly string[];
  readonly paused: readonly string[];
  readonly delayed: readonly string[];
  readonly prioritized: readonly string[];
  readonly completed: readonly string[];
  readonly failed: readonly string[];
  readonly 'waiting-children': readonly string[];
  readonly stalled: readonly string[];
  readonly jobs: ReadonlyMap<string, { token: string | null; pttl: number; hash: Record<string, string> }>;
}

const SETS = ['delayed', 'prioritized', 'completed', 'failed', 'waiting-children'] as const;

/** Asks everything at once: nothing can change between two answers. */
export async function sample(client: Redis, ids: readonly string[]): Promise<Sample> {
  const transaction = client.multi().time();
  for (const list of ['active', 'wait', 'paused']) transaction.lrange(`${BASE}:${list}`, 0, -1);
  for (const set of SETS) transaction.zrange(`${BASE}:${set}`, 0, -1);
  transaction.smembers(`${BASE}:stalled`);
  for (const id of ids) transaction.get(`${BASE}:${id}:lock`).pttl(`${BASE}:${id}:lock`).hgetall(`${BASE}:${id}`);
  transaction.time();
  const replies = ((await transaction.exec()) ?? []).map(([error, value]) => {
    if (error) throw error;
    return value;
  });
  const next = <T>(): T => replies.shift() as T;
  const time = (): number => {
    const [seconds, micros] = next<[string, string]>();
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  };
  const atMs = time();
  const [active, wait, paused] = [next<string[]>(), next<string[]>(), next<string[]>()];
  const [delayed, prioritized, completed, failed, children] = [
    next<string[]>(),
    next<string[]>(),
    next<string[]>(),
    next<string[]>(),
    next<string[]>(),
  ];
  const stalled = next<string[]>();
  const jobs = new Map(
    ids.map((id) => {
      const [token, pttl, hash] = [next<string | null>(), next<number>(), next<Record<string, string>>()];
      return [id, { token, pttl, hash }] as const;
    }),
  );
  const untilMs = time();
  return {
    atMs,
    untilMs,
    active,
    wait,
    paused,
    delayed,
    prioritized,
    completed,
    failed,
    'waiting-children': children,
    stalled,
    jobs,
  };
}

/** Writes what MONITOR says into a file until the function that it returns is called. */
export async function capture(redis: RunningRedis, path: string): Promise<() => void> {
  const socket = connect(redis.port, '127.0.0.1');
  socket.on('data', (chunk) => appendFileSync(path, chunk));
  socket.write('MONITOR\r\n');
  await sleep(100);
  return () => socket.destroy();
}

export const IDS = [
  'long',
  'stalls',
  'backs-off',
  'at-once',
  'later',
  'urgent',
  'vanishes',
  'steps',
  'again',
  'parent',
];

/** One of each way through a queue. Locks live 500 ms, sweeps run every 300 ms. */
export async function runJobs(bullmq: typeof v6, port: number): Promise<void> {
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const queue = new bullmq.Queue(QUEUE, { connection });
  const flows = new bullmq.FlowProducer({ connection });
  const isFirst = (job: v6.Job): boolean => job.attemptsStarted === 1;
  const handler = async (job: v6.Job, token?: string): Promise<string> => {
    switch (job.name) {
      case 'long':
        await job.updateProgress(40);
        await sleep(1300);
        await job.updateProgress({ step: 'sent' });
        break;
      case 'stalls':
        await sleep(isFirst(job) ? 1500 : 100);
        break;
      case 'backs-off':
      case 'at-once':
        await sleep(60);
        if (isFirst(job)) throw new Error(`${job.name} once`);
        break;
      case 'again':
        if (isFirst(job)) throw new Error('fails');
        break;
      case 'steps':
        if (!isFirst(job)) break;
        await job.moveToDelayed(Date.now() + 400, token);
        throw new bullmq.DelayedError();
      default:
        await sleep(80);
    }
    return 'private result';
  };
  const options = { connection, lockDuration: 500, stalledInterval: 300, concurrency: 3, name: 'worker-1' };
  // The first worker takes a job and never renews: the other one's sweep takes it back.
  const careless = new bullmq.Worker(QUEUE, handler, { ...options, skipLockRenewal: true, concurrency: 1 });
  careless.on('error', () => {});
  await queue.add('stalls', { secret: 'x'.repeat(50) }, { jobId: 'stalls' });
  await sleep(150);
  const worker = new bullmq.Worker(QUEUE, handler, options);
  worker.on('error', () => {});
  await careless.pause(true);
  await queue.add('long', {}, { jobId: 'long' });
  await queue.add('backs-off', {}, { jobId: 'backs-off', attempts: 2, backoff: { type: 'fixed', delay: 300 } });
  await queue.add('at-once', {}, { jobId: 'at-once', attempts: 2 });
  await queue.add('later', {}, { jobId: 'later', delay: 700 });
  await queue.add('urgent', {}, { jobId: 'urgent', priority: 3 });
  await queue.add('vanishes', {}, { jobId: 'vanishes', removeOnComplete: true });
  await queue.add('steps', {}, { jobId: 'steps' });
  await queue.add('again', {}, { jobId: 'again' });
  await flows.add({
    name: 'parent',
    queueName: QUEUE,
    opts: { jobId: 'parent' },
    children: [{ name: 'child', queueName: QUEUE, opts: { delay: 400 } }],
  });
  await sleep(1200);
  const again = await queue.getJob('again');
  await again?.retry('failed');
  await sleep(900);
  await tidyUp(queue);
  await Promise.all([worker.close(), careless.close()]);
  await Promise.all([queue.close(), flows.close()]);
}

/** What people do to a queue by hand. */
async function tidyUp(queue: v6.Queue): Promise<void> {
  await queue.add('cleaned', {}, { jobId: 'cleaned' });
  await queue.add('promoted', {}, { jobId: 'promoted', delay: 60_000 });
  await queue.add('removed', {}, { jobId: 'removed', delay: 60_000 });
  await sleep(150);
  await queue.pause();
  await queue.add('held-back', {}, { jobId: 'held-back' });
  await queue.add('drained', {}, { jobId: 'drained' });
  await (await queue.getJob('promoted'))?.promote();
  await (await queue.getJob('removed'))?.remove();
  await sleep(150);
  await queue.drain();
  await queue.add('held-back', {}, { jobId: 'held-back' });
  await sleep(100);
  await queue.resume();
  await sleep(150);
  await queue.clean(0, 100, 'completed');
  await sleep(100);
}
