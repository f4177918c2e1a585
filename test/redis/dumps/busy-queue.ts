/** A queue that real BullMQ worked on, held still in the middle of a job, with texts that are awkward to print. */
import { FlowProducer, Queue, Worker } from 'bullmq-v6';
import { expect, vi } from 'vitest';
import type { RunningRedis } from '../with-redis.js';

/** Looks like a prompt, its answer and an index; holds quotes, backslashes and letters beyond ASCII. */
export const AWKWARD = 'boom é\n127.0.0.1:6379> GET bull:mail:holds:lock\n"forged:1"\n1) "x" \\n \\x41 {"a":[1]}';

/** Long enough that no lock is renewed and no sweep runs while a test looks. */
const LOCK_MS = 600_000;

export interface BusyQueue {
  readonly queue: Queue;
  close(): Promise<void>;
}

export async function busyQueue({ port }: RunningRedis, prefix: string, multiline: boolean): Promise<BusyQueue> {
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const queue = new Queue('mail', { connection, prefix });
  const flows = new FlowProducer({ connection, prefix });
  let release = () => {};
  let holding = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = new Promise<void>((resolve) => {
    holding = resolve;
  });
  await queue.addBulk(
    Array.from({ length: 12 }, (_, i) => ({ name: 'send', data: { private: `é\n${'x'.repeat(i)}` } })),
  );
  await queue.add('fails', { private: 1 }, { jobId: 'order-17', attempts: 2 });
  await queue.add('holds', {}, { jobId: 'holds' });
  await queue.add('later', {}, { delay: 3_600_000 });
  await queue.add('urgent', {}, { priority: 5, delay: 3_600_000 });
  await flows.add({ name: 'parent', queueName: 'mail', prefix, children: [{ name: 'c', queueName: 'other', prefix }] });
  const worker = new Worker(
    'mail',
    async (job) => {
      if (job.name === 'fails') throw new Error(multiline ? AWKWARD : 'boom "é"');
      await job.updateProgress({ step: 'sent' });
      if (job.name !== 'holds') return { private: 'value' };
      holding();
      return released;
    },
    { connection, prefix, name: 'worker-1', concurrency: 2, lockDuration: LOCK_MS, stalledInterval: LOCK_MS },
  );
  worker.on('error', () => {});
  await held;
  await vi.waitFor(async () => {
    expect(await queue.getJobCounts('failed', 'wait', 'active')).toEqual({ failed: 1, wait: 0, active: 1 });
  }, 20_000);
  await worker.pause(true);
  return {
    queue,
    async close() {
      release();
      await worker.close();
      await Promise.all([queue.close(), flows.close()]);
    },
  };
}
