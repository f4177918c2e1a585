/**
 * A process of the application that works on no job: an API that adds jobs, a deployment that registers a scheduler, a board
 * from which someone retries. It does what it is ordered and logs it in the application's words.
 */
import { createRequire } from 'node:module';
import { obey } from './orders.mjs';
import { application, config, say, tell } from './voice.mjs';

const bullmq = createRequire(import.meta.url)(`bullmq-${config.bullmq}`);
const connection = { host: '127.0.0.1', port: config.port, maxRetriesPerRequest: null };
const queue = new bullmq.Queue(application.queue, { connection });
queue.on('error', () => {});
await queue.waitUntilReady();

obey({
  add: async ({ ref, options }) => {
    const job = await queue.add(application.job, { ref }, options);
    tell('added', { job: job.id, ref });
    say('enqueued', { id: job.id, name: job.name, queue: queue.name, ref });
  },

  schedule: async ({ id, pattern, ref }) => {
    await queue.upsertJobScheduler(id, { pattern }, { name: application.job, data: { ref } });
    tell('scheduled', { scheduler: id });
    say('scheduled', { id, pattern });
  },

  retry: async ({ job: id, state }) => {
    const job = await bullmq.Job.fromId(queue, id);
    await job.retry(state);
    tell('retried', { job: id });
    say('retried', { id, queue: queue.name, state });
  },

  /** Closes a job that some worker holds, as a webhook would, with a token that is not its lock. */
  complete: async ({ job: id, token }) => {
    const job = await bullmq.Job.fromId(queue, id);
    const err = await job.moveToCompleted({ ok: true }, token, false).then(
      () => undefined,
      (reason) => reason,
    );
    tell('completed-outside', { job: id, err: err?.message });
    if (err) say('outside', { id, err });
  },
});
tell('ready');
