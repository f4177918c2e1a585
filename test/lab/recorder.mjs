/**
 * Records one incident: starts Redis and worker processes, lets the scenario play, collects the evidence, and writes the
 * truth beside it. A recording that does not show what its scenario says is refused and played again, because a busy machine
 * can starve a worker that should have been healthy.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { anonymous } from './anonymous.mjs';
import { APPLICATIONS } from './applications.mjs';
import { WRAPPERS } from './log-formats.mjs';
import { startRedis } from './redis-server.mjs';
import { factsOf, faultsOf, idempotencyRows } from './truth.mjs';
import { WORDS } from './words.mjs';

const LAB = path.dirname(fileURLToPath(import.meta.url));
/** How long a scenario may wait for one thing: recoveries take up to three lock durations. */
const waitMs = (lockDuration) => 30_000 + 10 * lockDuration;
const TRIES = 3;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Everything told by workers and by the harness, in order of arrival, and a way to wait for something to be told. */
function createJournal(patienceMs) {
  const raw = [];
  const waiting = new Set();
  return {
    raw,
    write(record) {
      raw.push(record);
      for (const check of waiting) check();
    },
    /** First record that fits. Rejects after a while, so that a scenario that went wrong ends. */
    when(what, fits) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`waited ${patienceMs} ms for ${what}`));
        }, patienceMs);
        const check = () => {
          const record = raw.find(fits);
          if (record === undefined) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(record);
        };
        waiting.add(check);
        check();
      });
    },
  };
}

/** Where a process writes its log: straight into the file, or through a container runtime that adds its own to each line. */
function openLog(file, wrapper, host) {
  if (wrapper === undefined) {
    const fd = fs.openSync(file, 'a');
    return { stdio: fd, attach: () => fs.closeSync(fd) };
  }
  const attach = (child) => {
    for (const stream of ['stdout', 'stderr']) {
      createInterface({ input: child[stream] }).on('line', (line) => {
        fs.appendFileSync(
          file,
          `${wrapper.wrap(line, stream, performance.timeOrigin + performance.now(), { host })}\n`,
        );
      });
    }
  };
  return { stdio: 'pipe', attach };
}

/** What a scenario has in hand while it plays. */
function createLab({ bullmq, log, words, lockDuration, redis, folder }) {
  const application = APPLICATIONS[words];
  const journal = createJournal(waitMs(lockDuration));
  const processes = [];
  const blamed = {};
  const label = {};
  const refs = new Map();
  const connection = { host: redis.host, port: redis.port };
  const library = createRequire(import.meta.url)(`bullmq-${bullmq}`);
  const queue = new library.Queue(application.queue, { connection });
  const note = (k, about = {}) => journal.write({ t: Date.now(), harness: true, k, ...about });
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
    note,
    plan,
    idOf,
    key: (job, suffix = '') => `bull:${application.queue}:${job}${suffix}`,

    /**
     * Starts the next worker process and waits until it is ready. `onTerm`: close, force or ignore. `inPlaceOf`: the process
     * that a supervisor restarts on the same host, into the same log. `alsoQueues`: further queues the process works on.
     * `sandboxed`: the processor runs in a child process, and tells nothing of its runs.
     */
    async worker({
      concurrency = 1,
      onTerm = 'close',
      skewMs = 0,
      inPlaceOf,
      alsoQueues,
      sandboxed,
      ...settings
    } = {}) {
      const place =
        inPlaceOf === undefined
          ? new Set(processes.map((p) => p.name)).size
          : application.workers.indexOf(inPlaceOf.name);
      const name = application.workers[place];
      const host = application.hosts[place];
      const logFile = path.join(folder, 'logs', `${name}.log`);
      fs.mkdirSync(path.dirname(logFile), { recursive: true });
      const out = openLog(logFile, WRAPPERS[log], host);
      const config = {
        name,
        host,
        bullmq,
        log: WRAPPERS[log]?.inside ?? log,
        words,
        plans,
        port: redis.port,
        onTerm,
        skewMs,
        alsoQueues,
        sandboxed,
        heartbeatMs: lockDuration / 3,
        settings: { concurrency, lockDuration, stalledInterval: lockDuration, ...settings },
      };
      const child = spawn(process.execPath, [path.join(LAB, 'worker.mjs')], {
        env: { TZ: 'UTC', NODE_ENV: 'production', LAB_WORKER: JSON.stringify(config) },
        stdio: ['ignore', out.stdio, out.stdio, 'pipe'],
      });
      out.attach(child);
      const killWithUs = () => child.kill('SIGKILL');
      process.once('exit', killWithUs);
      const told = createInterface({ input: child.stdio[3] });
      told.on('line', (line) => journal.write(JSON.parse(line)));
      let exitedAt;
      child.once('exit', () => {
        exitedAt = Date.now();
        process.off('exit', killWithUs);
      });
      const exited = new Promise((resolve) => {
        // After `exit`, when what the process still told before it died has been read from the pipe.
        child.once('close', (code, signal) => {
          journal.write({ t: exitedAt, harness: true, k: 'exit', worker: name, pid: child.pid, code, sig: signal });
          resolve();
        });
      });
      const process_ = {
        name,
        host,
        pid: child.pid,
        exited,
        skewMs,
        signal(signal) {
          note(signal.toLowerCase(), { worker: name });
          child.kill(signal);
        },
        isAlive: () => child.exitCode === null && child.signalCode === null,
      };
      processes.push(process_);
      await Promise.race([
        journal.when(`${name} to be ready`, (r) => r.k === 'ready' && r.pid === child.pid),
        exited.then(() => {
          throw new Error(
            `${name} ended before it was ready:\n${fs.existsSync(logFile) ? fs.readFileSync(logFile, 'utf8').slice(-1500) : ''}`,
          );
        }),
      ]);
      return process_;
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
      for (const p of processes) if (p.isAlive()) process.kill(p.pid, 'SIGKILL');
      await Promise.all(processes.map((p) => p.exited));
    },
  };
  return lab;
}

async function recordOnce({ scenario, bullmq, log, words, lockDuration, out }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bullmq-recording-'));
  const startedAt = Date.now();
  const redis = await startRedis();
  const lab = createLab({ bullmq, log, words, lockDuration, redis, folder });
  const { application } = lab;
  try {
    await scenario.play(lab);
    const endedAt = Date.now();
    await redis.collect(path.join(folder, 'redis'), application.queue);
    // Evidence is taken while the workers still run. What ends them afterwards is the harness, and no part of it.
    const raw = [...lab.journal].sort((x, y) => x.t - y.t);
    const faults = faultsOf({ raw, blamed: lab.blamed, recordedUntil: endedAt });
    for (const file of fs.readdirSync(path.join(folder, 'logs'))) {
      const log = path.join(folder, 'logs', file);
      fs.writeFileSync(log, anonymous(fs.readFileSync(log, 'utf8')));
    }
    const records = idempotencyRows(raw, {
      queue: application.queue,
      jobName: application.job,
      hostOf: (name) => lab.processOf(name).host,
      keyOf: lab.refOf,
    });
    fs.mkdirSync(path.join(folder, 'records'));
    fs.writeFileSync(path.join(folder, 'records', 'idempotency.csv'), records);
    const jobs = Object.fromEntries(
      Object.entries(lab.blamed).map(([job, { boundary, cause, more }]) => [
        job,
        { boundary, cause, ...more, ...factsOf(raw, job, endedAt) },
      ]),
    );
    const truth = {
      scenario: scenario.name,
      bullmq,
      log,
      words,
      queue: application.queue,
      lockDuration,
      stalledInterval: lockDuration,
      startedAt,
      endedAt,
      label: { jobs, ...lab.label },
      raw,
    };
    fs.writeFileSync(path.join(folder, 'truth.json'), `${JSON.stringify(truth, null, 1)}\n`);
    if (faults.length === 0) {
      fs.rmSync(path.join(folder, 'plans'), { recursive: true });
      fs.rmSync(out, { recursive: true, force: true });
      fs.mkdirSync(path.dirname(out), { recursive: true });
      fs.cpSync(folder, out, { recursive: true });
    }
    return { faults, truth };
  } finally {
    await lab.close();
    await redis.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Records a scenario into `out` and returns its truth. Refused recordings are played again; `onRefused` hears why.
 * Throws when no try was sound.
 */
export async function record(options) {
  const refused = [];
  for (let n = 1; n <= TRIES; n++) {
    try {
      const { faults, truth } = await recordOnce(options);
      if (faults.length === 0) return truth;
      refused.push(faults.join('; '));
    } catch (err) {
      refused.push(err.message);
    }
    options.onRefused?.(refused.at(-1));
  }
  throw new Error(
    `${options.scenario.name} (${options.bullmq}, ${options.log}): ${TRIES} recordings refused: ${refused.join(' | ')}`,
  );
}
