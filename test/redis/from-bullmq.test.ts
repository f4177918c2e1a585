/** Snapshots of queues that real BullMQ worked on: what is read must be what the queue itself answers. */
import * as v5 from 'bullmq-v5';
import * as v6 from 'bullmq-v6';
import { expect, test } from 'vitest';
import type { EvidenceEvent } from '../../src/model/event.js';
import type { Fact, QueueSet } from '../../src/model/fact.js';
import { rdbReader } from '../../src/redis/rdb-reader.js';
import { collect } from './collect.js';
import { describeWithRedis } from './with-redis.js';

const STATES: readonly [QueueSet, Parameters<v6.Queue['getJobs']>[0]][] = [
  ['wait', ['wait']],
  ['active', ['active']],
  ['delayed', ['delayed']],
  ['prioritized', ['prioritized']],
  ['completed', ['completed']],
  ['failed', ['failed']],
  ['waiting-children', ['waiting-children']],
];

const entryOf = ({ kind, t, line, job, data }: EvidenceEvent) => ({
  id: `${t}-${line}`,
  ...{ kind, job, prev: data?.prev, jobName: data?.jobName },
});

function ofType<T extends Fact['type']>(facts: readonly Fact[], type: T): Extract<Fact, { type: T }>[] {
  return facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
}

for (const [name, bullmq] of [
  // Both majors share the calls used here; their types are not assignable to one another.
  ['BullMQ 5', v5 as unknown as typeof v6],
  ['BullMQ 6', v6],
] as const) {
  describeWithRedis(`a snapshot of ${name}`, ['--stream-node-max-entries', '20'], (redis) => {
    test.each(['bull', '{eu}:app'])('under the prefix %s', async (prefix) => {
      const connection = { host: '127.0.0.1', port: redis().port, maxRetriesPerRequest: null };
      const queue = new bullmq.Queue('mail', { connection, prefix });
      const flows = new bullmq.FlowProducer({ connection, prefix });
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let holding = () => {};
      const held = new Promise<void>((resolve) => {
        holding = resolve;
      });
      await queue.addBulk(Array.from({ length: 30 }, (_, i) => ({ name: 'send', data: { to: 'x'.repeat(i * 5) } })));
      await queue.add('fails', {}, { jobId: 'order-17', attempts: 2 });
      await queue.add('holds', {});
      await queue.add('later', {}, { delay: 3_600_000 });
      await queue.add('urgent', {}, { priority: 5, delay: 3_600_000 });
      await queue.upsertJobScheduler('nightly', { every: 3_600_000, offset: 1_800_000 }, { name: 'tick' });
      await flows.add({
        name: 'parent',
        queueName: 'mail',
        prefix,
        children: [{ name: 'c', queueName: 'other', prefix }],
      });
      const worker = new bullmq.Worker(
        'mail',
        async (job) => {
          if (job.name === 'fails') throw new Error('boom');
          await job.updateProgress({ step: 'sent' });
          if (job.name !== 'holds') return { private: 'value' };
          holding();
          return released;
        },
        { connection, prefix, name: 'worker-1', concurrency: 2 },
      );
      worker.on('error', () => {});
      await held;
      await expect.poll(async () => (await queue.getJobCounts('wait')).wait).toBe(0);
      await expect.poll(async () => (await queue.getJobCounts('failed')).failed).toBe(1);
      await expect.poll(async () => (await queue.getJobCounts('active')).active).toBe(1);
      await worker.pause(true);

      const { facts, events, report } = await collect(rdbReader, await redis().save());
      expect(report.damage).toEqual([]);
      const base = `${prefix}:mail`;
      const mine = <T extends { queue?: string; prefix?: string }>(list: readonly T[]) =>
        list.filter((one) => one.queue === 'mail' && (one.prefix ?? 'bull') === prefix);

      for (const [set, types] of STATES) {
        const ids = (await queue.getJobs(types)).map(({ id }) => id).sort();
        const members = mine(ofType(facts, 'member')).filter((member) => member.set === set);
        expect(members.map(({ job }) => job).sort(), set).toEqual(ids);
      }
      const all = await queue.getJobs();
      const jobs = new Map(mine(ofType(facts, 'job')).map((fact) => [fact.job, fact]));
      expect([...jobs.keys()].sort()).toEqual(all.map(({ id }) => id).sort());
      for (const job of all) {
        const fact = jobs.get(job.id ?? '');
        expect(fact).toMatchObject({ name: job.name, timestamp: job.timestamp, delayMs: job.delay });
        expect(fact?.attemptsStarted ?? 0).toBe(job.attemptsStarted);
        expect(fact?.attemptsMade ?? 0).toBe(job.attemptsMade);
        // Jobs of schedulers carry no `attempts`; BullMQ then reads 0.
        expect(fact?.maxAttempts ?? 0).toBe(job.opts.attempts);
        expect(fact?.processedOn).toBe(job.processedOn);
        expect(fact?.finishedOn).toBe(job.finishedOn ?? undefined);
        expect(fact?.processedBy).toBe(job.processedBy);
        expect(fact?.failedReason).toBe(job.failedReason);
        expect(fact?.hasReturnValue).toBe(job.returnvalue !== null);
        expect(fact?.progress).toBe(job.progress === 0 ? undefined : 'sent');
      }
      const locks = mine(ofType(facts, 'lock'));
      expect(locks).toHaveLength(1);
      const [lock] = locks;
      const lockKey = `${base}:${lock?.job}:lock`;
      expect(lock?.token).toBe(await redis().client.get(lockKey));
      expect(lock?.expiresAtMs).toBe(await redis().client.call('PEXPIRETIME', lockKey));

      const entries = await redis().client.xrange(`${base}:events`, '-', '+');
      const expected = entries.map(([id, flat]) => {
        const field = (wanted: string) => flat.find((_, at) => at % 2 === 1 && flat[at - 1] === wanted);
        const jobName = field('event') === 'added' ? field('name') : undefined;
        return { id, kind: field('event'), job: field('jobId'), prev: field('prev'), jobName };
      });
      const live = mine(events).filter(({ data }) => data?.deleted !== true);
      expect(live.map(entryOf)).toEqual(expected);
      expect(JSON.stringify([facts, events])).not.toMatch(/private|xxxxx/);

      await queue.trimEvents(5);
      const trimmed = await collect(rdbReader, await redis().save());
      const kept = mine(trimmed.events).filter(({ data }) => data?.deleted !== true);
      expect(kept.length).toBe(await redis().client.xlen(`${base}:events`));
      expect(mine(ofType(trimmed.facts, 'stream'))).toMatchObject([{ length: kept.length }]);

      release();
      await worker.close();
      await Promise.all([queue.close(), flows.close()]);
    });
  });
}
