/**
 * A worker process of the lab: a real BullMQ worker whose handler follows a plan, and which has two voices. `say` writes
 * the log that becomes evidence, in the words and format of the application. `tell` writes to descriptor 3, synchronously,
 * what really happened; the truth is made of that and the analyzer never sees it.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { APPLICATIONS } from './applications.mjs';
import { LOG_FORMATS } from './log-formats.mjs';
import { LEAVE, STEPS } from './steps.mjs';
import { WORDS } from './words.mjs';

const HEARTBEAT_MS = 500;
const LAG_WORTH_A_LINE_MS = 400;
const SPECIAL_ERRORS = ['DelayedError', 'WaitingError', 'WaitingChildrenError', 'RateLimitError'];

const config = JSON.parse(process.env.LAB_WORKER ?? '{}');
const application = APPLICATIONS[config.words];
const words = WORDS[config.words];
const realNow = Date.now;

/** A host whose clock is wrong: everything in this process believes it, BullMQ too. The truth does not. */
function skewClock(skewMs) {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(realNow() + skewMs);
      else super(...args);
    }
    static now() {
      return realNow() + skewMs;
    }
  };
}
if (config.skewMs) skewClock(config.skewMs);

const tell = (k, about = {}) =>
  fs.writeSync(3, `${JSON.stringify({ t: realNow(), worker: config.name, pid: process.pid, k, ...about })}\n`);

const format = LOG_FORMATS[config.log];
const identity = { service: application.service, host: config.host, pid: application.shownPid ?? process.pid };
function say(moment, about = {}) {
  const said = words[moment]?.(about);
  if (said === undefined) return;
  const { level = 'info', msg, fields = {}, err } = said;
  fs.writeSync(1, `${format({ level, msg, fields, err, at: new Date() }, identity)}\n`);
}

const bullmq = createRequire(import.meta.url)(`bullmq-${config.bullmq}`);
const connection = { host: '127.0.0.1', port: config.port, maxRetriesPerRequest: null };
const queue = new bullmq.Queue(application.queue, { connection });

/** Later runs of a job follow the last plan. `attemptsStarted` counts the activations, whoever ran them. */
function planOf(job) {
  const runs = JSON.parse(fs.readFileSync(path.join(config.plans, job.data.ref), 'utf8'));
  return runs[Math.min(job.attemptsStarted, runs.length) - 1] ?? [];
}

async function handler(job, token) {
  const startedAt = realNow();
  const about = { id: job.id, name: job.name, attempt: job.attemptsMade + 1 };
  const hands = {
    job,
    token,
    bullmq,
    worker,
    queue,
    say: (moment, more) => say(moment, { ...about, ...more }),
    tell: (k, more) => tell(k, { job: job.id, token, ...more }),
  };
  hands.tell('start', { ats: job.attemptsStarted, atm: job.attemptsMade });
  hands.say('start');
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
}

const worker = new bullmq.Worker(application.queue, handler, {
  connection,
  concurrency: 1,
  ...(application.namesWorkers ? { name: config.name } : {}),
  ...config.settings,
});

const aboutJob = (job) => ({ id: job?.id, name: job?.name, data: job?.data, attempt: (job?.attemptsMade ?? 0) + 1 });
worker.on('active', (job) => say('active', aboutJob(job)));
worker.on('completed', (job) => {
  tell('ev-completed', { job: job.id, token: job.token });
  say('completed', aboutJob(job));
});
worker.on('failed', (job, err) => {
  const last = !job || err.name === 'UnrecoverableError' || job.attemptsMade >= (job.opts.attempts ?? 1);
  tell('ev-failed', { job: job?.id, token: job?.token, err: err.message, last });
  say('failed', { ...aboutJob(job), err });
});
worker.on('stalled', (id) => {
  tell('ev-stalled', { job: id });
  say('stalled', { id });
});
worker.on('lockRenewalFailed', (ids) => {
  tell('ev-lock-renewal-failed', { jobs: ids });
  say('lostLock', { ids });
});
worker.on('error', (err) => {
  tell('ev-error', { err: err.message });
  say('error', { err });
});
worker.on('closed', () => {
  tell('ev-closed');
  say('closed');
});
worker.on('ready', () => {
  tell('ready');
  say('ready', { concurrency: worker.opts.concurrency, ...config.settings });
});

/** `close` waits for running jobs, `force` does not, `ignore` is an application that only logs the signal. */
const ON_TERM = {
  close: () => worker.close().then(() => process.exit(0)),
  force: () => worker.close(true).then(() => process.exit(0)),
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
if (words.heartbeat) setInterval(() => say('heartbeat'), HEARTBEAT_MS).unref();
if (words.lag) {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  setInterval(() => {
    const lagMs = Math.round(delay.max / 1e6);
    delay.reset();
    if (lagMs > LAG_WORTH_A_LINE_MS) say('lag', { lagMs });
  }, HEARTBEAT_MS).unref();
}
