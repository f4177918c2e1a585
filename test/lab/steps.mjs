/**
 * What a handler of the lab can do, one step at a time. A plan is a list of steps, such as
 * `[{ do: 'progress', value: 50 }, { do: 'block', ms: 5000 }]`. A step returns LEAVE to end the handler with a plain
 * return before its last line, and throws what a handler would throw.
 */
import { createHash, randomBytes } from 'node:crypto';

export const LEAVE = Symbol('plain return right after the move');

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const never = () => new Promise(() => {});

/** Work that really uses the CPU: hashing, as a handler that renders or compresses on the main thread would. */
function burn(ms) {
  const block = randomBytes(1 << 20);
  const until = performance.now() + ms;
  while (performance.now() < until) createHash('sha256').update(block).digest();
}

/** How a handler goes on after it has moved its job: by the special error (right), by returning, or as if nothing was. */
function goOn(leaveBy, SpecialError) {
  if (leaveBy === 'error') throw new SpecialError();
  return leaveBy === 'return' ? LEAVE : undefined;
}

/**
 * Each step gets the step itself and what the handler has: `job`, `token`, the `bullmq` module, the `worker`, and the two
 * voices of a worker: `say` writes its log, `tell` the record that the truth is made of.
 */
export const STEPS = {
  sleep: ({ ms }) => sleep(ms),

  block: ({ ms }) => burn(ms),

  progress: async ({ value }, { job, say, tell }) => {
    await job.updateProgress(value);
    tell('progress', { p: value });
    say('progress', { value });
  },

  line: ({ text }, { say }) => say('line', { text }),

  throw: ({ message }) => {
    throw new Error(message);
  },

  /** Tells the one who records that the moment has come; the log knows nothing of it. */
  cue: ({ name }, { tell }) => tell('cue', { name }),

  hang: (_, { tell }) => {
    tell('hang');
    return never();
  },

  /** Killed as by the kernel: no handler of the process can see it. */
  kill: (_, { tell }) => {
    tell('kill');
    process.kill(process.pid, 'SIGKILL');
    return never();
  },

  /** An exception outside every promise, as from a library's own timer. */
  uncaught: ({ message }) => {
    setTimeout(() => {
      throw new TypeError(message);
    }, 1);
    return never();
  },

  /** A rejection nobody handles, as from a promise that was never awaited. */
  unhandled: ({ message }) => {
    Promise.reject(new Error(message));
    return never();
  },

  /** Writes that need no lock, so that a run that lost its job can still do them. */
  'update-data': async ({ data }, { job }) => {
    await job.updateData({ ...job.data, ...data });
  },

  'job-log': async ({ text }, { job }) => {
    await job.log(text);
  },

  /** `noToken`: the application forgot the second argument, and BullMQ then asks for no lock. */
  'move-delayed': async ({ ms, leaveBy, noToken }, { job, token, bullmq, say, tell }) => {
    await job.moveToDelayed(Date.now() + ms, noToken ? undefined : token);
    tell('moved', { to: 'delayed' });
    say('moved', { to: 'delayed' });
    return goOn(leaveBy, bullmq.DelayedError);
  },

  'move-to-wait': async ({ leaveBy }, { job, token, bullmq, say, tell }) => {
    await job.moveToWait(token);
    tell('moved', { to: 'wait' });
    say('moved', { to: 'wait' });
    return goOn(leaveBy, bullmq.WaitingError);
  },

  /** Adds children to the job's own queue and waits for them. */
  'wait-children': async ({ refs, ids, leaveBy }, { job, token, bullmq, queue, say, tell }) => {
    const parent = { id: job.id, queue: job.queueQualifiedName };
    for (const [i, ref] of refs.entries()) {
      await queue.add(`${job.name}-part`, { ref }, { parent, ...(ids ? { jobId: ids[i] } : {}) });
    }
    await job.moveToWaitingChildren(token);
    tell('moved', { to: 'waiting-children' });
    say('moved', { to: 'waiting-children' });
    return goOn(leaveBy, bullmq.WaitingChildrenError);
  },

  'rate-limit': async ({ ms }, { worker, bullmq }) => {
    await worker.rateLimit(ms);
    throw new bullmq.RateLimitError();
  },

  /** Acknowledges its own job by hand, then leaves the end to BullMQ as well. */
  'complete-self': async (_, { job, token, tell }) => {
    await job.moveToCompleted({ ok: true }, token, false);
    tell('moved', { to: 'completed' });
  },
};
