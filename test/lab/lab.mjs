/** The hands of a scenario: what it can start, add, wait for and say. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { APPLICATIONS } from './applications.mjs';
import { createJournal } from './journal.mjs';
import { startProcess } from './processes.mjs';
import { startProxy } from './proxy.mjs';
import { factsOf } from './truth.mjs';
import { WORDS } from './words.mjs';

/** How long a scenario may wait for one thing: recoveries take up to three lock durations. */
const waitMs = (lockDuration) => 30_000 + 10 * lockDuration;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a scenario has in hand while it plays. */
export function createLab({ bullmq, log, words, lockDuration, redis, folder }) {
  const application = APPLICATIONS[words];
  const journal = createJournal(waitMs(lockDuration));
  const processes = [];
  const others = [];
  const proxies = [];
  const shipping = [];
  const blamed = {};
  const label = {};
  const refs = new Map();
  const connection = { host: redis.host, port: redis.port };
  const library = createRequire(import.meta.url)(`bullmq-${bullmq}`);
  const queue = new library.Queue(application.queue, { connection });
  // Redis may be away for a while.
  queue.on('error', () => {});
  const second = application.alsoQueue && new library.Queue(application.alsoQueue, { connection });
  second?.on('error', () => {});
  const plans = path.join(folder, 'plans');
  fs.mkdirSync(plans, { recursive: true });
  let added = 0;

  /** A business key with its plan: one list of steps for each run; later runs follow the last. */
  function plan(runs) {
    const ref = application.ref(++added);
    fs.writeFileSync(path.join(plans, ref), JSON.stringify(runs));
    return ref;
  }
  const idOf = (ref) => (application.customIds ? { jobId: ref } : {});

  /** Adds a job to the application's second queue. Returns the name that the journal has for it. */
  async function addToSecond(runs) {
    const ref = plan(runs);
    const { id } = await second.add(application.job, { ref }, idOf(ref));
    refs.set(`${second.name}/${id}`, ref);
    return `${second.name}/${id}`;
  }

  const base = { bullmq, words, plans, port: redis.port, skewMs: 0 };
  const place = { log, folder: path.join(folder, 'logs'), journal };

  /** Starts a process of the application that is no worker, on a host of its own. */
  async function other(program, role, config = {}) {
    const name = `${application.service.toLowerCase()}-${role}`;
    const started = await startProcess({ program, config: { ...base, name, host: name, ...config }, ...place });
    others.push(started);
    return started;
  }

  const lab = {
    bullmq,
    library,
    connection,
    redis: redis.client,
    redisServer: redis,
    queue,
    application,
    lockDuration,
    /** Whether the log of this recording has a line for the handler's return. */
    tellsReturn: WORDS[words].tellsReturn,
    journal: journal.raw,
    sleep,
    note: journal.note,
    plan,
    idOf,
    key: (job, suffix = '') => `bull:${application.queue}:${job}${suffix}`,

    /**
     * Starts the next worker process and waits until it is ready. `onTerm`: close, force or ignore. `inPlaceOf`: the process
     * that a supervisor restarts on the same host, into the same log. `alsoQueues`: further queues the process works on.
     * `onHostOf`: a process whose host it shares. `sandboxed`: the processor runs in a child process. `through`: a proxy
     * that stands between it and Redis. `receiptMs`: it does work of that length after each acknowledgement. `watchesLag`:
     * it prints event loop lag, or does not, whatever the words do.
     */
    async worker(options = {}) {
      const { inPlaceOf, onHostOf, through, onTerm = 'close', skewMs = 0, alsoQueues = [], ...rest } = options;
      const { sandboxed, receiptMs, watchesLag, ...settings } = rest;
      const places = new Set(processes.map((p) => p.name)).size;
      const n = inPlaceOf === undefined ? places : application.workers.indexOf(inPlaceOf.name);
      const config = {
        ...base,
        name: application.workers[n],
        host: onHostOf?.host ?? application.hosts[n],
        port: through?.port ?? redis.port,
        onTerm,
        skewMs,
        alsoQueues: second ? [second.name, ...alsoQueues] : alsoQueues,
        sandboxed,
        receiptMs,
        watchesLag,
        heartbeatMs: lockDuration / 3,
        settings: { concurrency: 1, lockDuration, stalledInterval: lockDuration, ...settings },
      };
      const started = await startProcess({ program: 'worker.mjs', config, ...place });
      processes.push(started);
      return started;
    },

    /** Starts a process of the application that obeys the orders of app-process.mjs. */
    app: (role) => other('app-process.mjs', role),

    /** Starts a process that follows the queue's events: see consumer.mjs. */
    consumer: (role, config) => other('consumer.mjs', role, config),

    /** Starts a process that takes jobs with getNextJob under its own token: see by-hand.mjs. */
    byHand: (token) =>
      other('by-hand.mjs', 'fetcher', {
        token,
        startMoment: WORDS[words].start === undefined ? 'active' : 'start',
        settings: { lockDuration },
      }),

    /** The network between a process and Redis, in hand: see proxy.mjs. */
    async proxy() {
      const proxy = await startProxy(redis.port);
      proxies.push(proxy);
      return proxy;
    },

    /** Changes the folder of logs after the recording, as the shipping of logs does. */
    ship: (change) => shipping.push(change),

    /** A process by its name, as records carry it. */
    processOf: (name) => [...processes, ...others].find((p) => p.name === name),

    /** Adds a job that follows a plan. Returns its id. */
    async add(runs, options = {}) {
      const ref = plan(runs);
      const job = await queue.add(application.job, { ref }, { attempts: 1, ...idOf(ref), ...options });
      refs.set(job.id, ref);
      return job.id;
    },

    /** Quick jobs that end well, as there are around every incident. */
    async background(count) {
      const ids = [];
      for (let i = 0; i < count; i++) {
        const runs = [[{ do: 'sleep', ms: 20 + ((i * 37) % 70) }]];
        ids.push(second && i % 2 === 1 ? await addToSecond(runs) : await lab.add(runs));
      }
      return ids;
    },

    /** Waits for a cue that a plan gives. */
    cue: (name) => journal.when(`cue ${name}`, (r) => r.k === 'cue' && r.name === name),

    /** Waits for a record of the journal. */
    told: journal.when,

    /** Waits for run `n` of a job to start. */
    started: (job, n = 1) =>
      journal.when(`run ${n} of job ${job}`, (r) => {
        if (r.k !== 'start' || r.job !== job) return false;
        return journal.raw.filter((x) => x.k === 'start' && x.job === job).indexOf(r) === n - 1;
      }),

    /** Waits until jobs are acknowledged: completed, or failed for good. */
    finished: (...jobs) =>
      Promise.all(
        jobs
          .flat()
          .map((job) =>
            journal.when(
              `the end of job ${job}`,
              (r) => r.job === job && (r.k === 'ev-completed' || (r.k === 'ev-failed' && r.last)),
            ),
          ),
      ),

    /** Waits until every run that began in a living process has ended, so that no zombie is left out of the truth. */
    async settled(exceptJobs = []) {
      const open = () =>
        [...new Set(journal.raw.filter((r) => r.k === 'start').map((r) => r.job))]
          .filter((job) => !exceptJobs.includes(job))
          .some((job) => factsOf(journal.raw, job, Date.now()).runs.some((run) => run.endedAt === null));
      const until = Date.now() + waitMs(lockDuration);
      while (open() && Date.now() < until) await sleep(50);
      await sleep(300);
    },

    /** Says what the scenario broke on purpose, and what must be found in the recording for it to be sound. */
    blame(job, { boundary, cause, ...more }, expect) {
      blamed[job] = { boundary, cause, expect, more };
    },

    label,
    refOf: (job) => refs.get(job) ?? job,
    processes,
    blamed,
    shipping,
    async close() {
      await queue.close();
      await second?.close();
      for (const p of [...processes, ...others]) p.remove();
      await Promise.all([...processes, ...others].map((p) => p.exited));
      for (const proxy of proxies) proxy.close();
    },
  };
  return lab;
}
