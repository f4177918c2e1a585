/** A worker process of the lab: real BullMQ workers whose handler follows a plan. */
import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { obey } from './orders.mjs';
import { LEAVE, STEPS } from './steps.mjs';
import { application, config, planOf, realNow, say, tell, words } from './voice.mjs';

const LAG_LOOK_MS = 500;
const LAG_WORTH_A_LINE_MS = 400;
const SPECIAL_ERRORS = ['DelayedError', 'WaitingError', 'WaitingChildrenError', 'RateLimitError'];

const bullmq = createRequire(import.meta.url)(`bullmq-${config.bullmq}`);
const connection = { host: '127.0.0.1', port: config.port, maxRetriesPerRequest: null };

/** Ids count per queue: the truth tells a job of a second queue apart by the queue's name. */
const keyOf = (queueName, id) => (queueName === application.queue ? id : `${queueName}/${id}`);

function handlerOf(queue, workerOf) {
  return async (job, token) => {
    const startedAt = realNow();
    const about = { id: job.id, name: job.name, queue: queue.name, attempt: job.attemptsMade + 1 };
    const hands = {
      job,
      token,
      bullmq,
      queue,
      worker: workerOf(),
      say: (moment, more) => say(moment, { ...about, ...more }),
      tell: (k, more) => tell(k, { job: keyOf(queue.name, job.id), token, ...more }),
    };
    hands.tell('start', { ats: job.attemptsStarted, atm: job.attemptsMade });
    hands.say('start');
    hands.say('work');
    const plan = planOf(job);
    try {
      for (const step of plan.filter((s) => !s.afterReturn)) {
        if ((await STEPS[step.do](step, hands)) === LEAVE) {
          hands.tell('left-after-move');
          return undefined;
        }
      }
    } catch (err) {
      const special = SPECIAL_ERRORS.includes(err.name);
      hands.tell('throw', { err: err.name, message: err.message, special });
      if (!special) hands.say('threw', { err });
      throw err;
    }
    hands.say('returned', { ms: realNow() - startedAt });
    hands.tell('return');
    // What strikes between the handler's last line and the acknowledgement.
    for (const step of plan.filter((s) => s.afterReturn)) await STEPS[step.do](step, hands);
    return { ok: true };
  };
}

/** Work that an application does after the acknowledgement, in the `completed` event: nobody does it again when it is cut. */
async function sendReceipt(job, ms) {
  tell('receipt', { job: job.id });
  say('receipt', { id: job.id, name: job.name, queue: job.queueName });
  await new Promise((resolve) => setTimeout(resolve, ms));
  say('receiptSent', { id: job.id, name: job.name, queue: job.queueName });
  tell('receipt-sent', { job: job.id });
}

/** Says and tells what BullMQ tells the application. */
function listen(worker) {
  const queue = worker.name;
  const key = (id) => keyOf(queue, id);
  const about = (job) => ({
    id: job?.id,
    name: job?.name,
    queue,
    data: job?.data,
    attempt: (job?.attemptsMade ?? 0) + 1,
  });
  worker.on('active', (job) => say('active', about(job)));
  worker.on('completed', (job, result) => {
    tell('ev-completed', { job: key(job.id), token: job.token });
    say('completed', { ...about(job), result });
    if (config.receiptMs) sendReceipt(job, config.receiptMs);
  });
  worker.on('failed', (job, err) => {
    const last = !job || err.name === 'UnrecoverableError' || job.attemptsMade >= (job.opts.attempts ?? 1);
    tell('ev-failed', { job: job && key(job.id), token: job?.token, err: err.message, last });
    say('failed', { ...about(job), err });
  });
  worker.on('stalled', (id) => {
    tell('ev-stalled', { job: key(id) });
    say('stalled', { id, queue });
  });
  worker.on('lockRenewalFailed', (ids) => {
    tell('ev-lock-renewal-failed', { jobs: ids.map(key) });
    say('lostLock', { ids, queue });
  });
  worker.on('error', (err) => {
    tell('ev-error', { err: err.message });
    say('error', { err, queue });
  });
  for (const event of ['paused', 'resumed']) {
    worker.on(event, () => {
      tell(`ev-${event}`);
      say(event, { queue });
    });
  }
  worker.on('closed', () => {
    tell('ev-closed');
    say('closed', { queue });
  });
  worker.on('ready', () => {
    tell('ready', { queue });
    say('ready', { queue, concurrency: worker.opts.concurrency, ...config.settings });
  });
}

function startWorker(queueName) {
  const queue = new bullmq.Queue(queueName, { connection });
  const inProcess = handlerOf(queue, () => worker);
  const handler = config.sandboxed ? new URL('./sandboxed.mjs', import.meta.url) : inProcess;
  const worker = new bullmq.Worker(queueName, handler, {
    connection,
    concurrency: 1,
    ...(application.namesWorkers ? { name: config.name } : {}),
    // The child of a sandboxed processor gets the voice that tells the truth.
    ...(config.sandboxed ? { workerForkOptions: { stdio: ['ignore', 'pipe', 'pipe', 'ipc', 3] } } : {}),
    ...config.settings,
  });
  listen(worker);
  return worker;
}
const workers = [application.queue, ...(config.alsoQueues ?? [])].map(startWorker);
const closeAll = (force) => Promise.all(workers.map((worker) => worker.close(force)));

obey({
  pause: () => workers.map((worker) => worker.pause()),
  resume: () => workers.map((worker) => worker.resume()),
});

/** `close` waits for running jobs, `force` does not, `ignore` is an application that only logs the signal. */
const ON_TERM = {
  close: () => closeAll(false).then(() => process.exit(0)),
  force: () => closeAll(true).then(() => process.exit(0)),
  ignore: () => {},
};
process.on('SIGTERM', () => {
  tell('signal', { signal: 'SIGTERM' });
  say('signal', { signal: 'SIGTERM' });
  ON_TERM[config.onTerm]();
});

if (words.uncaught) {
  process.on('uncaughtException', (err) => {
    say('uncaught', { err });
    process.exit(1);
  });
}
if (words.heartbeat) setInterval(() => say('heartbeat'), config.heartbeatMs).unref();
if (config.watchesLag ?? words.watchesLag) {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  setInterval(() => {
    const lagMs = Math.round(delay.max / 1e6);
    delay.reset();
    if (lagMs > LAG_WORTH_A_LINE_MS) say('lag', { lagMs });
  }, LAG_LOOK_MS).unref();
}
