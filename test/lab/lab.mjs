/** The hands of a scenario: what it can start, add, wait for and say. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { APPLICATIONS } from './applications.mjs';
import { createJournal } from './journal.mjs';
import { factsOf } from './truth.mjs';
import { WORDS } from './words.mjs';
import { startWorkerProcess } from './worker-process.mjs';

/** How long a scenario may wait for one thing: recoveries take up to three lock durations. */
const waitMs = (lockDuration) => 30_000 + 10 * lockDuration;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a scenario has in hand while it plays. */
export function createLab({ bullmq, log, words, lockDuration, redis, folder }) {
  const application = APPLICATIONS[words];
  const journal = createJournal(waitMs(lockDuration));
  const processes = [];
  const blamed = {};
  const label = {};
  const refs = new Map();
  const connection = { host: redis.host, port: redis.port };
  const library = createRequire(import.meta.url)(`bullmq-${bullmq}`);
  const queue = new library.Queue(application.queue, { connection });
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

  const lab = {
    bullmq,
    library,
    connection,
    redis: redis.client,
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
     * `sandboxed`: the processor runs in a child process, and tells nothing of its runs.
     */
    async worker({ onTerm = 'close', skewMs = 0, inPlaceOf, alsoQueues, sandboxed, ...settings } = {}) {
      const places = new Set(processes.map((p) => p.name)).size;
      const place = inPlaceOf === undefined ? places : application.workers.indexOf(inPlaceOf.name);
      const started = await startWorkerProcess({
        config: {
          name: application.workers[place],
          host: application.hosts[place],
          bullmq,
          words,
          plans,
          port: redis.port,
          onTerm,
          skewMs,
          alsoQueues,
          sandboxed,
          heartbeatMs: lockDuration / 3,
          settings: { concurrency: 1, lockDuration, stalledInterval: lockDuration, ...settings },
        },
        log,
        folder: path.join(folder, 'logs'),
        journal,
      });
      processes.push(started);
      return started;
    },

    /** Process of a worker by its name, as records carry it. */
    processOf: (name) => processes.find((p) => p.name === name),

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
      for (let i = 0; i < count; i++) ids.push(await lab.add([[{ do: 'sleep', ms: 20 + ((i * 37) % 70) }]]));
      return ids;
    },

    /** Waits for a cue that a plan gives. */
    cue: (name) => journal.when(`cue ${name}`, (r) => r.k === 'cue' && r.name === name),

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
    async close() {
      await queue.close();
      for (const p of processes) p.remove();
      await Promise.all(processes.map((p) => p.exited));
    },
  };
  return lab;
}
