/**
 * A process of the application that follows the queue's events. `effect`: it does the work that comes after a job, once for
 * each completed event it hears. `retriesStalled`: its callback for stalled jobs puts them back once they are finished.
 */
import { createRequire } from 'node:module';
import { obey } from './orders.mjs';
import { application, config, say, tell } from './voice.mjs';

const LOOK_AGAIN_MS = 100;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const bullmq = createRequire(import.meta.url)(`bullmq-${config.bullmq}`);
const connection = { host: '127.0.0.1', port: config.port, maxRetriesPerRequest: null };
const events = new bullmq.QueueEvents(application.queue, { connection });
const queue = new bullmq.Queue(application.queue, { connection });
for (const source of [events, queue]) source.on('error', () => {});

async function putBack(id) {
  const job = await bullmq.Job.fromId(queue, id);
  let state = await job.getState();
  while (state !== 'completed' && state !== 'failed') {
    await sleep(LOOK_AGAIN_MS);
    state = await job.getState();
  }
  await job.retry(state);
  tell('retried', { job: id });
  say('retried', { id, queue: queue.name, state });
}

if (config.effect) {
  events.on('completed', ({ jobId }) => {
    tell('effect', { job: jobId });
    say('receiptSent', { id: jobId, queue: queue.name });
  });
}
if (config.retriesStalled) events.on('stalled', ({ jobId }) => putBack(jobId));

obey({});
await Promise.all([events.waitUntilReady(), queue.waitUntilReady()]);
tell('ready');
