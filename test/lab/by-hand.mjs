/**
 * A process that takes its jobs with getNextJob under a token of its own and finishes them itself. Nothing renews such a
 * lock unless the application does, and this one does not.
 */
import { createRequire } from 'node:module';
import { obey } from './orders.mjs';
import { STEPS } from './steps.mjs';
import { application, config, planOf, realNow, say, tell } from './voice.mjs';

const bullmq = createRequire(import.meta.url)(`bullmq-${config.bullmq}`);
const connection = { host: '127.0.0.1', port: config.port, maxRetriesPerRequest: null };
const worker = new bullmq.Worker(application.queue, null, {
  connection,
  lockDuration: config.settings.lockDuration,
  ...(application.namesWorkers ? { name: config.name } : {}),
});
worker.on('error', (err) => {
  tell('ev-error', { err: err.message });
  say('error', { err });
});

async function work(job, token) {
  const startedAt = realNow();
  const about = { id: job.id, name: job.name, queue: application.queue, data: job.data, attempt: job.attemptsMade + 1 };
  const hands = {
    job,
    token,
    say: (moment, more) => say(moment, { ...about, ...more }),
    tell: (k, more) => tell(k, { job: job.id, token, ...more }),
  };
  hands.tell('start', { ats: job.attemptsStarted, atm: job.attemptsMade });
  hands.say(config.startMoment);
  for (const step of planOf(job)) await STEPS[step.do](step, hands);
  hands.say('returned', { ms: realNow() - startedAt });
  hands.tell('return');
  try {
    await job.moveToCompleted({ ok: true }, token, false);
    hands.tell('ev-completed');
    hands.say('completed');
  } catch (err) {
    hands.tell('refused', { err: err.message });
    hands.say('error', { err });
  }
}

let open = true;
obey({
  stop: () => {
    open = false;
  },
});
await worker.waitUntilReady();
tell('ready');
while (open) {
  const job = await worker.getNextJob(config.token, { block: true });
  if (job) await work(job, config.token);
}
