/** What a job is beside others: the same effect of several processes, an id used again, two jobs for one piece of work. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../src/pipeline/analyze.js';
import { scratch } from '../cli/command.js';

const T0 = 1_750_000_000_000;
const folder = scratch();
let cases = 0;

/** A line of pino, of the process on this host. */
const line = (host: string, ms: number, jobId: string, fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ level: 30, time: T0 + ms, pid: 7, hostname: host, jobId, ...fields });

/** A job that goes well, in the log of its worker; it ends at `ms`. */
const goesWell = (job: string, ms: number, fields: Readonly<Record<string, unknown>> = {}): string[] => [
  line('worker', ms - 100, job, { msg: 'Processing job', ...fields }),
  line('worker', ms, job, { event: 'completed', msg: 'Job completed' }),
];

type Entry = readonly [ms: number, event: string, job: string, ...fields: string[]];
const xrange = (entries: readonly Entry[]): string =>
  JSON.stringify(
    [...entries]
      .sort((a, b) => a[0] - b[0])
      .map(([ms, event, jobId, ...fields], n) => [`${T0 + ms}-${n}`, ['event', event, 'jobId', jobId, ...fields]]),
  );
/** Entries of one life of a job, from its add to its end. */
const life = (job: string, ms: number): Entry[] => [
  [ms, 'added', job, 'name', 'refresh'],
  [ms + 2, 'active', job, 'prev', 'waiting'],
  [ms + 90, 'completed', job, 'returnvalue', 'null'],
];

async function findingsOf(files: Readonly<Record<string, readonly string[] | string>>) {
  const evidence = join(folder, `case-${++cases}`);
  mkdirSync(evidence);
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(evidence, name), typeof text === 'string' ? text : `${text.join('\n')}\n`);
  const { analysis } = await analyze([evidence], { version: '0' });
  return analysis.findings.map(({ boundary, cause, status, jobs, counterfactual, summary }) => ({
    ...{ boundary, cause, status, summary, counterfactual },
    jobs: jobs.map(({ id }) => id).sort(),
  }));
}

describe('the same effect of several processes', () => {
  const receipt = (host: string, job: string, ms: number): string => line(host, ms, job, { msg: 'Receipt sent' });
  const jobs = ['1', '2', '3', '4'];
  const worker = jobs.flatMap((job, n) => goesWell(job, 1000 * (n + 1)));
  const first = jobs.map((job, n) => receipt('receipts-1', job, 1000 * (n + 1) + 2));

  it('is a fan-out where other jobs have it once, and all its jobs stand in one finding', async () => {
    const second = jobs.slice(2).map((job, n) => receipt('receipts-2', job, 1000 * (n + 3) + 4));
    expect(await findingsOf({ 'w.log': worker, 'r1.log': first, 'r2.log': second })).toMatchObject([
      { boundary: 'post-ack', cause: 'event-fan-out', status: 'likely', jobs: ['3', '4'] },
    ]);
  });

  it('is possible where every job has it so', async () => {
    const second = jobs.map((job, n) => receipt('receipts-2', job, 1000 * (n + 1) + 4));
    expect(await findingsOf({ 'w.log': worker, 'r1.log': first, 'r2.log': second })).toMatchObject([
      { cause: 'event-fan-out', status: 'possible', jobs },
    ]);
  });

  it('is none where one process does it, or where a log was shipped twice', async () => {
    expect(await findingsOf({ 'w.log': worker, 'r1.log': first })).toEqual([]);
    expect(await findingsOf({ 'w.log': worker, 'r1.log': first, 'again.log': first.slice(1) })).toEqual([]);
  });
});

describe('an id that is used again', () => {
  it('is told where the queue has it once', async () => {
    const entries = [...life('order-7', 0), ...life('order-8', 300), ...life('order-7', 5000)];
    expect(await findingsOf({ 'bull_mail_events.json': xrange(entries) })).toMatchObject([
      { boundary: 'enqueue', cause: 'id-reused', status: 'possible', jobs: ['order-7'] },
    ]);
  });

  it('is the way of a queue that does it with many ids', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'].map((id) => `refresh-${id}`);
    const entries = ids.flatMap((id, n) => [...life(id, 1000 * n), ...life(id, 20_000 + 1000 * n)]);
    expect(await findingsOf({ 'bull_mail_events.json': xrange(entries) })).toEqual([]);
    const log = ids.flatMap((id, n) => [...goesWell(id, 1000 * (n + 1)), ...goesWell(id, 20_000 + 1000 * n)]);
    expect(await findingsOf({ 'w.log': log })).toEqual([]);
    expect(await findingsOf({ 'w.log': [...goesWell('order-7', 1000), ...goesWell('order-7', 20_000)] })).toMatchObject(
      [{ cause: 'completed-job-retried', status: 'possible', jobs: ['order-7'] }],
    );
  });
});

describe('two jobs under one idempotency key', () => {
  const key = { idempotencyKey: 'pay-5', jobName: 'charge' };

  it('are told as one finding', async () => {
    const log = [...goesWell('1', 1000, key), ...goesWell('2', 3000), ...goesWell('3', 90_000, key)];
    expect(await findingsOf({ 'w.log': log })).toMatchObject([
      { boundary: 'enqueue', cause: 'duplicate-enqueue', status: 'likely', jobs: ['1', '3'] },
    ]);
  });

  it('are none where the key is of the attempts of one job, or where jobs only look alike', async () => {
    expect(await findingsOf({ 'w.log': goesWell('1', 1000, key) })).toEqual([]);
    const alike = { jobName: 'charge', orderId: 5 };
    expect(await findingsOf({ 'w.log': [...goesWell('1', 1000, alike), ...goesWell('2', 3000, alike)] })).toEqual([]);
  });
});

describe('jobs of schedulers', () => {
  const slot = (scheduler: string, ms: number): string => `repeat:${scheduler}:${T0 + ms}`;
  const iteration = (scheduler: string, at: number, added: number): Entry[] => [
    [added, 'added', slot(scheduler, at), 'name', 'sync'],
    [added, 'delayed', slot(scheduler, at), 'delay', String(T0 + at)],
    [at + 5, 'active', slot(scheduler, at), 'prev', 'waiting'],
    [at + 90, 'completed', slot(scheduler, at), 'returnvalue', 'null'],
  ];
  const hash = (key: string, fields: Readonly<Record<string, string>>) => ({ db: 0, key, type: 'hash', hash: fields });
  const schedulers = (...data: readonly string[]): string =>
    JSON.stringify([
      hash('bull:mail:meta', { 'opts.maxLenEvents': '10000' }),
      ...data.map((payload, n) =>
        hash(`bull:mail:repeat:sync-${n + 1}`, { name: 'sync', pattern: '0 * * * *', ic: '3', data: payload }),
      ),
    ]);
  const both = [
    ...iteration('sync-1', 1000, 0),
    ...iteration('sync-2', 1000, 20),
    ...iteration('sync-2', 90_000, 1100),
  ];
  const again = [...both, ...iteration('sync-1', 90_000, 1100)];

  it('two schedulers of one payload make each job twice', async () => {
    const files = { 'bull_mail_events.json': xrange(again), 'dump.json': schedulers('{"all":1}', '{"all":1}') };
    expect(await findingsOf(files)).toMatchObject([
      {
        boundary: 'enqueue',
        cause: 'scheduler-duplicate',
        status: 'likely',
        jobs: [slot('sync-1', 1000), slot('sync-1', 90_000), slot('sync-2', 1000), slot('sync-2', 90_000)],
      },
    ]);
  });

  it('two schedulers of two customers do not', async () => {
    for (const payloads of [
      ['{"tenant":1}', '{"tenant":2}'],
      ['{}', '{}'],
    ])
      expect(
        await findingsOf({ 'bull_mail_events.json': xrange(again), 'dump.json': schedulers(...payloads) }),
      ).toEqual([]);
  });

  it('one scheduler that made a job while its last one waited made one too many', async () => {
    const entries = [...iteration('sync', 1000, 0), ...iteration('sync', 2000, 300), ...iteration('sync', 5000, 2010)];
    expect(await findingsOf({ 'bull_mail_events.json': xrange(entries) })).toMatchObject([
      { cause: 'scheduler-duplicate', status: 'likely', jobs: [slot('sync', 1000), slot('sync', 2000)] },
    ]);
  });

  it('one that was registered again before its job began did not, and neither did one that is due', async () => {
    const entries: Entry[] = [
      [0, 'added', slot('sync', 5000), 'name', 'sync'],
      ...iteration('sync', 2000, 500),
      ...iteration('sync', 5000, 2010),
      [5010, 'added', slot('sync', 9000), 'name', 'sync'],
      [5010, 'delayed', slot('sync', 9000), 'delay', String(T0 + 9000)],
    ];
    expect(await findingsOf({ 'bull_mail_events.json': xrange(entries) })).toEqual([]);
  });
});

describe('a job that is called like data', () => {
  it('hides nothing', async () => {
    const names = ['{x"shape":', '{"label":', '{"key":', '{"bullmq":"', '{"client":"'];
    const log = names.flatMap((name, n) => goesWell(name, 1000 * (n + 1), { idempotencyKey: 'k-1', jobName: 'a' }));
    const [finding] = await findingsOf({ 'w.log': log });
    expect(finding).toMatchObject({ cause: 'duplicate-enqueue', jobs: [...names].sort() });
  });
});

describe('the version of BullMQ', () => {
  it('is that of the stack traces of a worker, and decides what the advice says', async () => {
    const stack = (version: string): string =>
      `Error: Missing lock for job 1. moveToFinished\n    at Scripts.finishedErrors (/app/node_modules/.pnpm/bullmq@${version}/node_modules/bullmq/dist/cjs/classes/scripts.js:256:24)\n    at Job.moveToFailed (/app/node_modules/.pnpm/bullmq@${version}/node_modules/bullmq/dist/cjs/classes/job.js:430:20)`;
    const log = (version: string): string[] => [
      line('worker', 0, '1', { msg: 'Processing job' }),
      line('worker', 5, '1', { msg: 'moved to delayed, trying later' }),
      line('worker', 8, '1', {
        level: 50,
        msg: 'worker error',
        err: { message: 'Missing lock for job 1. moveToFinished', stack: stack(version) },
      }),
    ];
    const adviceOf = async (version: string): Promise<string> => {
      const evidence = join(folder, `case-${++cases}`);
      mkdirSync(evidence);
      writeFileSync(join(evidence, 'w.log'), `${log(version).join('\n')}\n`);
      writeFileSync(
        join(evidence, 'bull_mail_events.json'),
        xrange([
          [0, 'active', '1', 'prev', 'waiting'],
          [4, 'delayed', '1', 'delay', String(T0 + 600)],
        ]),
      );
      const { analysis } = await analyze([evidence], { version: '0' });
      expect(analysis.findings).toMatchObject([{ cause: 'returned-after-move' }]);
      return analysis.findings.flatMap(({ advice }) => advice).join('\n');
    };
    expect(await adviceOf('5.30.1')).toMatch(/throw new DelayedError\(\).*the evidence shows BullMQ 5\.30\.1/);
    expect(await adviceOf('3.9.0')).toMatch(/Upgrade to 3\.10\.2 .*the evidence shows BullMQ 3\.9\.0/);
  });
});
