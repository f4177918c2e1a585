/**
 * From the records of one job to its runs.
 *
 * Activations come from Redis, starts and ends from the workers' logs; the two are matched, never merged. Each log line
 * belongs to the run of its own worker that was open when it was written. What no record shows stays absent.
 */
import type { JobRecord, StoredEvent } from '../model/stored.js';
import { assignStalls, takeNoticedMovesAsStalls } from './assign-stalls.js';
import { orderBlindRuns } from './blind-order.js';
import { type Draft, isAtOrAfter } from './draft-run.js';
import { droppedAtClose } from './dropped-at-close.js';
import { matchStarts, type Pairing } from './match-starts.js';
import { redisInterval } from './moments.js';
import { readStream, STALL_LIMIT_TEXT, type StreamReading, streamEntries } from './read-stream.js';
import { tellOnce } from './routes.js';
import type { Scene, WorkerProcess } from './scene.js';
import { lockDurationOf } from './settings-of.js';
import type { BareActivation, Run, Story } from './story.js';
import { asWritten } from './written-order.js';

const LOCK_ERRORS = new Set(['lock-missing', 'lock-mismatch', 'not-in-state', 'key-missing', 'pending-children']);
/** Records between two start lines that make them two runs. */
const BETWEEN_RUNS = new Set([
  ...LOCK_ERRORS,
  'active',
  'stalled',
  'stalled-notice',
  'handler-returned',
  'handler-threw',
  'moved-by-handler',
  'acknowledged',
  'attempt-failed',
  'renewal-failed',
]);

/** Builds the story of one job. Pure: the same records and scene give the same story. */
export function buildStory(seen: JobRecord, scene: Scene): Story {
  const told = tellOnce(seen.events);
  const record: JobRecord = { ...seen, events: told.map(({ event }) => event) };
  const stream = readStream(streamEntries(record.events));
  const logs = asWritten(
    record.events.filter((event) => event.clock !== 'redis'),
    scene,
  );
  const starts = logs.filter((event) => event.kind === 'handler-started');
  const between = record.events.filter((event) => BETWEEN_RUNS.has(event.kind));
  const pairs = matchStarts(stream.activations, starts, between, scene);

  const { runs, bareActivations } = draftRuns(pairs, logs, scene, record.queue);
  adoptEarlyEnd(runs, stream);
  takeNoticedMovesAsStalls(runs, logs, scene);
  assignLines(runs, logs, scene);
  orderBlindRuns(runs);
  assignLedger(runs, record.events);
  assignStalls(runs, logs, scene);
  demoteSoftEnds(runs, stream);
  return {
    ...(record.queue === undefined ? {} : { queue: record.queue }),
    job: record.job,
    ...nameOf(record),
    record,
    alsoTold: new Map(told.flatMap(({ event, also }) => (also.length > 0 ? [[event, also] as const] : []))),
    runs,
    bareActivations,
    requeues: stream.requeues,
    rebirths: stream.rebirths,
    lateProgress: stream.lateProgress,
    ...verdictOf(record),
    ...(stream.removed ? { removed: stream.removed } : {}),
    outcome: outcomeOf(record, runs, stream),
  };
}

function draftRuns(
  pairs: readonly Pairing[],
  logs: readonly StoredEvent[],
  scene: Scene,
  queue: string | undefined,
): { runs: Draft[]; bareActivations: BareActivation[] } {
  const runs: Draft[] = [];
  const bareActivations: BareActivation[] = [];
  for (const { activation, started } of pairs) {
    // BullMQ fails such a job without calling its handler, although an `active` listener may print a start line.
    if (activation && STALL_LIMIT_TEXT.test(activation.failed?.data.text ?? '')) {
      bareActivations.push({
        activation: activation.active,
        why: 'stall-limit',
        ...(activation.failed ? { failed: activation.failed } : {}),
      });
      continue;
    }
    const verdict = started && activation === undefined ? nextLineOf(started, logs, scene) : undefined;
    if (started && verdict && isStallVerdict(verdict)) {
      bareActivations.push({ activation: started, why: 'stall-limit', failed: verdict });
      continue;
    }
    const dropped = activation && started === undefined ? droppedAtClose(activation, logs, scene) : undefined;
    if (activation && dropped) {
      bareActivations.push({
        activation: activation.active,
        why: 'dropped-at-close',
        ...dropped,
        ...(activation.stalled ? { stalled: activation.stalled } : {}),
      });
      continue;
    }
    const worker = (started && scene.workerOf(started)) ?? (activation && scene.workerOf(activation.active));
    const token = started?.token ?? activation?.active.token;
    runs.push({
      n: runs.length + 1,
      ...(worker ? { worker } : {}),
      ...(token === undefined ? {} : { token }),
      ...(activation ? { activation: activation.active } : {}),
      ...(started ? { started } : {}),
      ...(activation?.completed ? { completed: activation.completed } : {}),
      ...(activation?.failed ? { failed: activation.failed } : {}),
      ...(activation?.moved ? { moved: activation.moved } : {}),
      ...(activation?.stalled ? { stall: { recorded: activation.stalled } } : {}),
      lockLife: scene.lockDuration,
      lockErrors: [],
      renewalErrors: [],
      refusals: [],
      ledger: [],
      progress: [...(activation?.progress ?? [])],
      lines: [],
    });
  }
  nameSilentRuns(runs, logs, scene);
  for (const run of runs) run.lockLife = lockDurationOf({ ...run, queue }, scene);
  return { runs, bareActivations };
}

/** An activation without a start line belongs to the one worker whose other lines about the job have no run yet. */
function nameSilentRuns(runs: Draft[], logs: readonly StoredEvent[], scene: Scene): void {
  const silent = runs.filter((run) => run.worker === undefined);
  if (silent.length === 0) return;
  const known = new Set(runs.map((run) => run.worker));
  const speakers = new Set(
    logs
      .filter((event) => event.kind !== 'stalled-notice')
      .map((event) => scene.workerOf(event))
      .filter((worker): worker is WorkerProcess => worker !== undefined && !known.has(worker)),
  );
  const [only] = speakers;
  if (silent.length === 1 && speakers.size === 1 && silent[0] && only) silent[0].worker = only;
  else for (const speaker of speakers) nameRefusedRun(silent, speaker, logs, scene);
}

/** A worker whose finish was refused ran the job: in the one run that had lost or moved it by then. */
function nameRefusedRun(silent: readonly Draft[], worker: WorkerProcess, logs: readonly StoredEvent[], scene: Scene) {
  const refusal = logs.find(
    (event) => LOCK_ERRORS.has(event.kind) && event.data.frame !== 'user' && scene.workerOf(event) === worker,
  );
  if (refusal === undefined) return;
  // Without a time it came after whatever loss there is; where there is but one, it can be of no other run.
  const by = refusal.t === undefined ? Number.POSITIVE_INFINITY : redisInterval(refusal, scene)[1];
  const [only, ...others] = silent.filter((run) => {
    const loss = run.moved ?? run.stall?.recorded;
    return run.worker === undefined && loss?.t !== undefined && loss.t <= by;
  });
  if (only && others.length === 0) only.worker = worker;
}

/** The activation was trimmed from the stream, the end was not: it is the end of the only run. */
function adoptEarlyEnd(runs: readonly Draft[], stream: StreamReading): void {
  const [run] = runs;
  const end = stream.early.at(-1);
  if (runs.length !== 1 || run === undefined || run.activation || end === undefined) return;
  if (end.kind === 'completed') run.completed = end;
  else if (end.kind === 'failed') run.failed = end;
}

/** Gives every line about the job to the run it belongs to. */
function assignLines(runs: readonly Draft[], logs: readonly StoredEvent[], scene: Scene): void {
  const byWorker = new Map<WorkerProcess, Draft[]>();
  for (const run of runs) if (run.worker) byWorker.set(run.worker, [...(byWorker.get(run.worker) ?? []), run]);
  const noMoreLines = new Set<Draft>();
  let lastRefusal: Refusal | undefined;
  for (const event of logs) {
    if (event.kind === 'stalled-notice' || isStallVerdict(event)) continue;
    const worker = scene.workerOf(event);
    const mine = worker ? (byWorker.get(worker) ?? []) : [];
    const begun = mine.filter((run) => run.started === undefined || isAtOrAfter(event, run.started));
    if (event.kind === 'handler-started') {
      // Without a sign that the earlier run was lost, a new start of the same worker means that it is over.
      const earlier = begun.filter((run) => run.started !== event);
      for (const run of earlier)
        if (handlerEnded(run) || (run.stall === undefined && run.renewalErrors.length === 0)) noMoreLines.add(run);
      continue;
    }
    const open = begun.filter((run) => !noMoreLines.has(run));
    const run = LOCK_ERRORS.has(event.kind)
      ? refusedRun(event, begun, open, lastRefusal)
      : (acknowledgedRun(event, open, scene) ??
        open.find((r) => !handlerEnded(r)) ??
        open.findLast((r) => !settled(r)) ??
        begun.at(-1));
    if (run && LOCK_ERRORS.has(event.kind)) lastRefusal = { event, run };
    if (run) assignLine(run, event);
  }
}

/** Of several runs that one worker has open, the one whose completion Redis recorded just before the line. */
function acknowledgedRun(event: StoredEvent, open: readonly Draft[], scene: Scene): Draft | undefined {
  if (event.kind !== 'acknowledged' || open.length < 2) return undefined;
  const [low, high] = redisInterval(event, scene);
  return open.find(({ completed, acknowledged, lockLife }) => {
    if (completed === undefined || acknowledged !== undefined) return false;
    const [from, to] = redisInterval(completed, scene);
    return high >= from && low <= to + lockLife.value / 4;
  });
}

/** What the worker of a start said next of the job. */
const nextLineOf = (start: StoredEvent, logs: readonly StoredEvent[], scene: Scene): StoredEvent | undefined =>
  logs.find(
    (event) =>
      event.source === start.source &&
      event.line > start.line &&
      event.kind !== 'stalled-notice' &&
      scene.workerOf(event) === scene.workerOf(start),
  );

/** The `failed` event of a job over the stall limit comes from a worker that never ran its handler. */
const isStallVerdict = (event: StoredEvent): boolean =>
  event.kind === 'attempt-failed' && STALL_LIMIT_TEXT.test(event.data.text ?? '');

interface Refusal {
  readonly event: StoredEvent;
  readonly run: Draft;
}

/** The two errors of one refused finish come this close together, ms. */
const ONE_REFUSAL_MS = 250;

/**
 * Which run a refused finish belongs to: the second error of a pair to the run of the first; else the run that just ended;
 * else, of runs still open, the earliest, because it has run the longest.
 */
function refusedRun(
  event: StoredEvent,
  begun: readonly Draft[],
  open: readonly Draft[],
  last: Refusal | undefined,
): Draft | undefined {
  if (last && last.event.source === event.source && last.run.lockErrors.length < 2 && begun.includes(last.run)) {
    const apart = Math.abs((event.t ?? 0) - (last.event.t ?? 0));
    if (apart <= ONE_REFUSAL_MS && last.event.kind === event.kind) return last.run;
  }
  return (
    begun.findLast(
      (run) => (run.returned ?? run.threw) !== undefined && run.lockErrors.length === 0 && !settled(run),
    ) ??
    open.find((run) => !handlerEnded(run)) ??
    begun.at(-1)
  );
}

/** A finish that the worker itself sent, refused or not, follows the handler's end. */
const handlerEnded = (run: Draft): boolean =>
  run.returned !== undefined || run.threw !== undefined || run.lockErrors.some((error) => error.data.frame !== 'user');
const settled = (run: Draft): boolean => run.acknowledged !== undefined || run.attemptFailed !== undefined;
function assignLine(run: Draft, event: StoredEvent): void {
  switch (event.kind) {
    case 'handler-progress':
      run.progress.push(event);
      break;
    case 'handler-returned':
      run.returned ??= event;
      break;
    case 'handler-threw':
      run.threw ??= event;
      break;
    case 'moved-by-handler':
      run.movedLine ??= event;
      break;
    case 'acknowledged':
      run.acknowledged ??= event;
      break;
    case 'attempt-failed':
      run.attemptFailed ??= event;
      break;
    case 'renewal-failed':
      run.renewalErrors.push(event);
      break;
    default:
      if (LOCK_ERRORS.has(event.kind)) run.lockErrors.push(event);
      else run.lines.push(event);
  }
}

/**
 * Records of locks go to the run that holds their token. What Redis refused, as MONITOR saw it, stands in for the worker's own
 * error lines where there are none.
 */
function assignLedger(runs: readonly Draft[], events: readonly StoredEvent[]): void {
  for (const run of runs) {
    const { token, activation } = run;
    if (token === undefined) continue;
    const next = runs.find((other) => other.n > run.n && other.token === token);
    const mine = events.filter(
      (event) =>
        event.clock === 'redis' &&
        event.token === token &&
        (event.t ?? 0) >= Math.floor(activation?.t ?? 0) &&
        (next?.activation?.t === undefined || (event.t ?? 0) < next.activation.t),
    );
    run.ledger = mine.filter((event) => event.kind.startsWith('lock-'));
    run.refusals = mine.filter((event) => event.kind === 'finish-rejected');
    if (run.lockErrors.length === 0) run.lockErrors = run.refusals;
    if (run.renewalErrors.length === 0) run.renewalErrors = mine.filter((event) => event.kind === 'renewal-failed');
  }
}

/**
 * "Job 7 completed" without an event name may be the handler's own last line. It is, when the stream shows that Redis never
 * recorded that end, or when the same run was refused its finish afterwards.
 */
function demoteSoftEnds(runs: readonly Draft[], stream: StreamReading): void {
  for (const run of runs) {
    const end = run.acknowledged;
    if (end?.data.soft !== true) continue;
    const notInStream = run.activation !== undefined && run.completed === undefined && stream.activations.length > 0;
    const refusedAfter = run.lockErrors.some((error) => isAtOrAfter(error, end));
    const lostAfter = run.activation === undefined && run.stall !== undefined;
    if (!notInStream && !refusedAfter && !lostAfter) continue;
    run.returned ??= end;
    delete run.acknowledged;
  }
}

function verdictOf(record: JobRecord): { stallVerdict: StoredEvent } | Record<string, never> {
  const isVerdict = (event: StoredEvent): boolean =>
    (event.kind === 'failed' && STALL_LIMIT_TEXT.test(event.data.text ?? '')) || isStallVerdict(event);
  const stallVerdict =
    record.events.find((event) => event.clock === 'redis' && isVerdict(event)) ?? record.events.find(isVerdict);
  return stallVerdict ? { stallVerdict } : {};
}

function nameOf(record: JobRecord): { name: string } | Record<string, never> {
  const name =
    record.facts.find((facts) => facts.name !== undefined)?.name ??
    record.events.find((event) => event.data.jobName !== undefined)?.data.jobName;
  return name === undefined ? {} : { name };
}

function outcomeOf(record: JobRecord, runs: readonly Run[], stream: StreamReading): Story['outcome'] {
  const states = record.facts.at(-1)?.states ?? [];
  for (const state of ['completed', 'failed', 'active', 'delayed'] as const) if (states.includes(state)) return state;
  if (states.some((state) => state === 'wait' || state === 'paused' || state === 'prioritized')) return 'waiting';
  if (stream.removed) return 'removed';
  const last = runs.at(-1);
  if (last?.completed ?? last?.acknowledged) return 'completed';
  if (last?.failed) return 'failed';
  return 'unknown';
}
