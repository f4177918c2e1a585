/**
 * What really happened, from the workers' own records: the runs of each job, how each ended, and whether the work was done
 * twice. A scenario only adds which boundary it broke on purpose, and the recording is refused when the two disagree.
 */

/** How a run ended, from the records after its start: the first that settles it. */
const ENDINGS = {
  return: () => ({ how: 'returned', reachedEnd: true }),
  'left-after-move': () => ({ how: 'left-after-move', reachedEnd: false }),
  throw: ({ special }) => ({ how: special ? 'special-error' : 'threw', reachedEnd: false }),
  exit: () => ({ how: 'died', reachedEnd: false }),
  // A sandboxed child that was killed: its worker lives on and may record the failure.
  kill: ({ child }) => ({ how: child ? 'child-died' : 'died', reachedEnd: false }),
};

/** The runs of one job in order of their start: `{ at, worker, token, endedAt, reachedEnd, how }`. */
export function runsOf(raw, job) {
  const starts = raw.filter((r) => r.k === 'start' && r.job === job).sort((x, y) => x.t - y.t);
  return starts.map((start) => {
    const end = raw.find(
      (r) =>
        r.t >= start.t &&
        r.worker === start.worker &&
        r.k in ENDINGS &&
        (r.k === 'exit' || (r.job === job && r.token === start.token)) &&
        raw.indexOf(r) > raw.indexOf(start),
    );
    const { how, reachedEnd } = end ? ENDINGS[end.k](end) : { how: 'open', reachedEnd: false };
    return { at: start.t, worker: start.worker, token: start.token, endedAt: end?.t ?? null, reachedEnd, how };
  });
}

/** A throw is a recorded failure only when the worker's `failed` event followed: without its lock it never does. */
const recordedFailure = (raw, job, run) =>
  raw.some((r) => r.k === 'ev-failed' && r.job === job && r.worker === run.worker && r.t >= run.endedAt);

/** Longest time two runs went on at once, ms. */
function longestOverlap(runs, recordedUntil) {
  const until = (run) => run.endedAt ?? recordedUntil;
  const pairs = runs.flatMap((x, i) =>
    runs.slice(i + 1).map((y) => Math.min(until(x), until(y)) - Math.max(x.at, y.at)),
  );
  return Math.max(0, ...pairs);
}

function duplicateVerdict(raw, job, runs, overlapMs) {
  if (overlapMs > 0) return 'overlapping';
  const repeated = runs.slice(0, -1).some((run) => {
    if (['threw', 'child-died'].includes(run.how)) return !recordedFailure(raw, job, run);
    return ['returned', 'died', 'open'].includes(run.how);
  });
  return repeated ? 'sequential' : 'none';
}

/** The facts of one job, in the shape that score.mjs reads. */
export function factsOf(raw, job, recordedUntil) {
  const runs = runsOf(raw, job);
  const overlapMs = longestOverlap(runs, recordedUntil);
  return {
    duplicate: duplicateVerdict(raw, job, runs, overlapMs),
    executions: runs.length,
    runs: runs.map(({ how, ...run }) => run),
    overlapMs,
  };
}

const namesJob = (text, job) => new RegExp(`job ${job.replace(/[^\w]/g, '\\$&')}\\b(?!-)`).test(text);

/** What is wrong with a recording: the machine was too slow, or the scenario did not do what it says. Empty: it is sound. */
export function faultsOf({ raw, blamed, recordedUntil }) {
  const faults = [];
  for (const [job, { expect }] of Object.entries(blamed)) {
    const facts = factsOf(raw, job, recordedUntil);
    if (facts.duplicate !== expect.duplicate) faults.push(`job ${job}: ${facts.duplicate}, not ${expect.duplicate}`);
    if (facts.executions !== expect.executions)
      faults.push(`job ${job}: ${facts.executions} runs, not ${expect.executions}`);
  }
  const healthy = new Set(raw.map((r) => r.job).filter((job) => job !== undefined && !(job in blamed)));
  for (const job of healthy) {
    const { duplicate } = factsOf(raw, job, recordedUntil);
    if (duplicate !== 'none') faults.push(`job ${job} should be healthy but is ${duplicate}`);
    const alarm = raw.find(
      (r) =>
        (r.k === 'ev-stalled' && r.job === job) ||
        (r.k === 'ev-lock-renewal-failed' && r.jobs.includes(job)) ||
        (r.k === 'ev-error' && namesJob(r.err, job)),
    );
    if (alarm) faults.push(`job ${job} should be healthy but has ${alarm.k} ${alarm.err ?? ''}`);
  }
  return faults;
}

/** The record an application would keep of its own work: one row a run, closed when the run reached its end. */
export function idempotencyRows(raw, { queue, jobName, hostOf, keyOf }) {
  const head = 'idempotency_key,job_id,queue,attempt,worker,status,checkpoint,started_at,completed_at';
  const iso = (t) => new Date(t).toISOString();
  const rows = raw
    .filter((r) => r.k === 'start')
    .map((start) => {
      const run = runsOf(raw, start.job).find((x) => x.token === start.token && x.at === start.t);
      const checkpoints = raw.filter(
        (r) => r.k === 'progress' && r.job === start.job && r.token === start.token && r.t >= start.t,
      );
      const [id, otherQueue] = start.job.split('/').reverse();
      const status = run?.reachedEnd ? 'completed' : run?.how === 'threw' ? 'failed' : 'started';
      return [
        `${otherQueue ?? queue}:${jobName}:${keyOf(start.job)}`,
        id,
        otherQueue ?? queue,
        start.atm + 1,
        hostOf(start.worker),
        status,
        checkpoints.at(-1)?.p ?? 0,
        iso(start.t),
        run?.reachedEnd ? iso(run.endedAt) : '',
      ].join(',');
    });
  return `${[head, ...rows].join('\n')}\n`;
}
