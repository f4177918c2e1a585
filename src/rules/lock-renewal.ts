/**
 * The lock of a live worker ran out while its handler ran.
 *
 * Shown by: the sweep found no lock, and the same process was alive afterwards to end its handler and be refused. Why it was
 * not renewed is a second question: a silence of the whole process longer than the lock's life (blocked or suspended: the
 * same trace), or a process that spoke in time and still did not renew. A lock that vanished before it could expire is no
 * renewal failure (`lock-key-removed`), a refusal long after the return is none either (`return-to-ack`).
 */
import type { Hypothesis, Status } from '../model/analysis.js';
import type { Cause } from '../model/boundaries.js';
import type { StoredEvent } from '../model/stored.js';
import { afterMove } from '../story/after-move.js';
import { longestBetween, shortestBetween, surelyBefore } from '../story/interval.js';
import {
  deletedEarly,
  failsAtEveryTick,
  lostBeforeExpiry,
  refusedBeforeExpiry,
  waitedAfterReturn,
} from '../story/lost-lock.js';
import { durationText, type momentOf, redisInterval } from '../story/moments.js';
import { processEnd } from '../story/process-end.js';
import type { Scene } from '../story/scene.js';
import { silenceDuring } from '../story/silence.js';
import { beginOf, endOf, type Run, reachedEnd, type Story } from '../story/story.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, type Remedy, rival, step, stepAt, steps, type Verdict } from './define-rule.js';
import { forVersion, RENEWAL_IS_TOLD, STOP_THE_LOSER } from './versions.js';
import { beginSteps, handoffSteps, lockErrorText, lockText, stallSteps, whoRan, workerName } from './words.js';

export default defineRule({
  name: 'lock-renewal',
  needs: ['worker-log', 'rejected-commands'],
  wakes: 'stalls > 0 OR stall_notices > 0 OR lock_errors > 0 OR rejected_finishes > 0 OR stalled_counter > 0',
  causes: [
    'process-suspended',
    'worker-unresponsive',
    'renewal-misconfigured',
    'redis-unreachable',
    'fetched-by-hand',
    'lock-not-renewed',
  ],
  rivals: ['event-loop-blocked', 'process-suspended', 'worker-unresponsive', 'renewal-misconfigured'],
  falsePositives:
    'A refusal right behind a move by the handler; a lock deleted before it could expire; a finish held up on its way; an idle log taken for a silent process.',
  judge(story, scene) {
    for (const run of story.runs) {
      const verdict = judgeRun(run, story, scene);
      if (verdict) return verdict;
    }
    return undefined;
  },
});

/** A lock is renewed each quarter of its life. */
const TICKS_PER_LOCK = 4;
const LOST_LOCK = new Set<StoredEvent['kind']>(['lock-missing', 'lock-mismatch', 'finish-rejected']);

function judgeRun(run: Run, story: Story, scene: Scene): Verdict | undefined {
  const refusal = run.lockErrors.find((error) => LOST_LOCK.has(error.kind));
  const end = run.returned ?? run.threw ?? refusal;
  if (run.worker === undefined || run.completed || afterMove(run, story, scene)) return undefined;
  if (run.stall === undefined && refusal === undefined) return undefined;
  if (run.lockErrors.some((error) => error.kind === 'key-missing' || error.data.frame === 'user')) return undefined;
  if (processEnd(run, scene) || waitedAfterReturn(run, scene)) return undefined;
  if (lostBeforeExpiry(run, scene) || refusedBeforeExpiry(run, scene) || deletedEarly(run)) return undefined;

  const loss = run.stall?.recorded ?? run.stall?.noticed;
  const orderCertain =
    loss !== undefined && end !== undefined && surelyBefore(redisInterval(loss, scene), redisInterval(end, scene));
  // A return before the loss is no sign of life after it.
  if (refusal === undefined && run.renewalErrors.length === 0 && !orderCertain) return undefined;
  const ran = end ? shortestBetween(redisInterval(beginOf(run), scene), redisInterval(end, scene)) : undefined;
  const outlivedLock = ran !== undefined && ran >= run.lockLife.value;
  // Without a sweep, only a run longer than its lock can have lost it by expiry, and only a known lock says so.
  if (loss === undefined && (!outlivedLock || run.lockLife.basis === 'assumed')) return undefined;
  const { cause, silence, shownBy, rivals, says } = whyNotRenewed(run, story, scene);
  // A timer that runs had renewed the lock before it failed, unless the process slept until then: a quiet log tells neither.
  // Nor does one without times, where renewals may have failed too early for the lock to have run out.
  const isUntimed = run.renewalErrors[0] !== undefined && run.renewalErrors[0].t === undefined;
  const mayBeDeleted = cause === 'lock-not-renewed' && run.ledger.length === 0;
  if (mayBeDeleted && (isUntimed ? run.renewalErrors.length > 1 : failsAtEveryTick(run))) return undefined;
  const next = story.runs[run.n];
  return {
    run,
    boundary: 'lock-renewal',
    cause,
    status: mayBeDeleted && isUntimed ? 'possible' : weaken(statusOf(run, orderCertain, outlivedLock), cause),
    says: `lost its lock while its handler ran on ${whoRan(run)} (lock ${lockText(run)}): ${says}${
      next ? `; ${whoRan(next)} ran it again` : ''
    }`,
    witness: steps(
      ...beginSteps(run, story, scene),
      ...stallSteps(run, story, scene),
      ...handoffSteps(run, story, scene),
      shownBy && step(shownBy, 'same-clock', `Worker ${workerName(run)} lost its connection to Redis.`, scene),
      ...(silence ? silenceSteps(run, silence) : []),
      run.renewalErrors[0] &&
        step(
          run.renewalErrors[0],
          'lock',
          `Worker ${workerName(run)} could not renew the lock of job ${story.job} any more.`,
          scene,
        ),
      run.returned &&
        step(
          run.returned,
          'same-clock',
          `The handler of run ${run.n} of job ${story.job} returned on worker ${workerName(run)}.`,
          scene,
        ),
      refusal && step(refusal, 'lock', lockErrorText(refusal, story, run), scene),
    ),
    hypotheses: rivals,
    advice: advise(cause, run, versionOf({ worker: run.worker, queue: story.queue }, scene)),
    wouldDecide: [
      'Event-loop lag or CPU profile of the process in the gap tells a blocked event loop from a suspended process.',
      ...(run.ledger.length > 0
        ? []
        : ['AOF or a MONITOR capture shows the last renewal of the lock and whether it expired or was deleted.']),
    ],
    counterfactual: `Had the lock been renewed within ${durationText(run.lockLife.value)} of its last renewal, the sweep would have left the job with ${whoRan(run)}.`,
    ...longerLock(run, end, silence, scene),
  };
}

/**
 * A lock that outlives the whole run needs no renewal. One that is renewed has at least half of its life left at any time
 * (BullMQ's lockRenewTime), so twice the silence is enough as well.
 */
function longerLock(
  run: Run,
  end: StoredEvent | undefined,
  silence: Why['silence'],
  scene: Scene,
): { remedy?: Remedy } {
  const ranMs = end && longestBetween(redisInterval(beginOf(run), scene), redisInterval(end, scene));
  const silentMs = silence && 2 * (silence.toMs - silence.fromMs + 2 * silence.blurMs);
  const atLeastMs = Math.min(ranMs ?? Number.POSITIVE_INFINITY, silentMs ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(atLeastMs) || atLeastMs <= run.lockLife.value) return {};
  const premise =
    atLeastMs === ranMs
      ? 'if the run took as long and nobody renewed the lock'
      : 'if the process was silent for as long and renewed the lock before and after, at half of its life';
  return {
    remedy: {
      atLeastMs,
      tell: (time, share) =>
        `With a lockDuration of at least ${time} (it was ${lockText(run)}) ${share} would have kept the lock, ${premise}.`,
    },
  };
}

/**
 * Where the return was not logged, a finish that was held up on its way looks like a handler that ran too long, unless the
 * sweep came before the refusal: Redis was answering then.
 */
function statusOf(run: Run, orderCertain: boolean, outlivedLock: boolean): Status {
  const returnMissing = run.returned === undefined && run.threw === undefined && run.lockErrors.length > 0;
  if (returnMissing && (!orderCertain || (run.worker?.logsReturns && reachedEnd(run)))) return 'possible';
  if (run.lockErrors.length === 0 || run.stall?.recorded === undefined) return 'likely';
  return orderCertain || (outlivedLock && run.lockLife.basis !== 'assumed') ? 'shown' : 'likely';
}

/** An idle log is no proof that the process did nothing: a cause read from silence is never more than likely. */
const weaken = (status: Status, cause: Cause): Status =>
  status === 'shown' && (cause === 'worker-unresponsive' || cause === 'process-suspended') ? 'likely' : status;

interface Why {
  readonly cause: Cause;
  readonly silence?: ReturnType<typeof silenceDuring>;
  readonly shownBy?: StoredEvent;
  readonly rivals: readonly Hypothesis[];
  readonly says: string;
}

/** Lock tokens that BullMQ makes: a uuid, since 3.3.5 with a counter. */
const OWN_TOKEN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?::\d+)?$/i;

function whyNotRenewed(run: Run, story: Story, scene: Scene): Why {
  if (run.token !== undefined && !OWN_TOKEN.test(run.token) && !run.ledger.some((one) => one.kind === 'lock-renewed'))
    return {
      cause: 'fetched-by-hand',
      rivals: [rival('renewal-misconfigured', [], [run.activation], [])],
      says: 'the token is one that the application chose, so the job was fetched by hand, and nobody renews such a lock',
    };
  const lost = linkLost(run, scene);
  if (lost)
    return {
      cause: 'redis-unreachable',
      rivals: [rival('worker-unresponsive', [], [lost], []), rival('process-suspended', [], [lost], [])],
      shownBy: lost,
      says: 'the worker had lost its connection to Redis',
    };
  const renewedTooRarely = story.runs.find((other) => ownSweepSawIt(other, scene));
  if (renewedTooRarely) {
    const notice = renewedTooRarely.stall?.noticed;
    const firstTick = renewedTooRarely.renewalErrors[0];
    const shownByCadence =
      firstTick !== undefined &&
      shortestBetween(redisInterval(beginOf(renewedTooRarely), scene), redisInterval(firstTick, scene)) >
        renewedTooRarely.lockLife.value;
    const cause = shownByCadence ? 'renewal-misconfigured' : 'lock-not-renewed';
    return {
      cause,
      rivals: [
        rival('worker-unresponsive', [], [notice], ['what the process did in the gap']),
        rival('renewal-misconfigured', [notice, firstTick], [], ['lockRenewTime of the worker']),
      ],
      says: shownByCadence
        ? 'the process was responsive, and its first renewal came later than the lock lives'
        : 'the process was responsive and did not renew',
    };
  }
  const silence = silenceDuring(run, scene);
  const lateTick = silence === undefined ? firstTickTooLate(run, scene) : undefined;
  if (lateTick)
    return {
      cause: 'renewal-misconfigured',
      rivals: [rival('worker-unresponsive', [], [lateTick], [])],
      says: 'the process was responsive, and its first renewal came later than the lock lives',
    };
  if (silence === undefined)
    return {
      cause: 'lock-not-renewed',
      rivals: [
        rival('worker-unresponsive', [], [run.returned], []),
        rival('renewal-misconfigured', [], [], ['lockRenewTime of the worker']),
      ],
      says: 'why it was not renewed is not shown',
    };
  const lag = run.worker?.signs.find(
    (event) => event.kind === 'event-loop-lag' && insideOrJustAfter(event, silence, run, scene),
  );
  const lasted = durationText(silence.toMs - silence.fromMs);
  const neighbour = silentNeighbour(run, silence, scene);
  if (neighbour)
    return {
      cause: 'process-suspended',
      silence,
      rivals: [rival('event-loop-blocked', [lag], [], ['CPU time of both processes in the gap'])],
      says: `the whole process was silent for ${lasted}, and so was ${neighbour} on the same host`,
    };
  return {
    cause: 'worker-unresponsive',
    silence,
    rivals: [
      // A lag line after a suspension looks the same: timers were late either way.
      rival('event-loop-blocked', [run.returned, lag], [], ['CPU time of the process in the gap']),
      rival('process-suspended', [lag], [], ['whether other processes of the host went on in the gap']),
      rival('renewal-misconfigured', [], run.renewalErrors.slice(0, 1), ['lockRenewTime of the worker']),
    ],
    says: `the whole process was silent for ${lasted}`,
  };
}

/** The worker's own line that it lost its link to Redis, while the run held the job. */
function linkLost(run: Run, scene: Scene): StoredEvent | undefined {
  const begin = redisInterval(beginOf(run), scene)[0];
  const loss = run.stall?.recorded ?? run.stall?.noticed ?? endOf(run);
  const until = loss ? redisInterval(loss, scene)[0] : scene.endMs;
  return run.worker?.signs.find((event) => {
    const [low, high] = redisInterval(event, scene);
    return event.kind === 'redis-lost' && low >= begin && high <= until;
  });
}

/**
 * Another process of the host that was silent over the same stretch and is otherwise never silent for half as long: two event
 * loops are not blocked together, a host that sleeps stops both. An idle process is often silent and says nothing.
 */
function silentNeighbour(run: Run, silence: { fromMs: number; toMs: number }, scene: Scene): string | undefined {
  const { worker } = run;
  if (worker?.host === undefined) return undefined;
  const lasted = silence.toMs - silence.fromMs;
  const edge = run.lockLife.value / TICKS_PER_LOCK;
  return scene.workers.find((other) => {
    if (other === worker || other.host !== worker.host) return false;
    const long = other.gaps.filter((gap) => gap.toMs - gap.fromMs >= lasted / 2);
    const [gap] = long;
    if (gap === undefined || long.length > 1) return false;
    const from = gap.fromMs - other.offsetMs[0];
    const to = gap.toMs - other.offsetMs[1];
    return Math.abs(from - silence.fromMs) <= edge && Math.abs(to - silence.toMs) <= edge;
  })?.id;
}

/** The ledger shows the lock taken and never renewed; the first try came when its life was over. */
function firstTickTooLate(run: Run, scene: Scene): StoredEvent | undefined {
  const [first] = run.renewalErrors;
  const taken = run.ledger.find((event) => event.kind === 'lock-set');
  if (first === undefined || taken === undefined || run.ledger.some((event) => event.kind === 'lock-renewed'))
    return undefined;
  const wait = shortestBetween(redisInterval(taken, scene), redisInterval(first, scene));
  return run.lockLife.basis !== 'assumed' && wait > run.lockLife.value ? first : undefined;
}

/**
 * The run's own process swept the queue and reported this very job while its handler still ran, before any failed renewal:
 * its event loop was turning, and it was not renewing.
 */
function ownSweepSawIt(run: Run, scene: Scene): boolean {
  const notice = run.stall?.noticed;
  if (notice === undefined || run.worker === undefined || scene.workerOf(notice) !== run.worker) return false;
  // A start behind the notice is another run's: what was lost is not this one's lock.
  if (run.started?.source === notice.source && run.started.line > notice.line) return false;
  const end = endOf(run);
  const earlierError = run.renewalErrors.some((error) => (error.t ?? 0) <= (notice.t ?? 0));
  return end !== undefined && end.line > notice.line && end.source === notice.source && !earlierError;
}

function insideOrJustAfter(
  event: Parameters<typeof redisInterval>[0],
  silence: { fromMs: number; toMs: number },
  run: Run,
  scene: Scene,
): boolean {
  const [low, high] = redisInterval(event, scene);
  return high >= silence.fromMs && low <= silence.toMs + run.lockLife.value;
}

function silenceSteps(run: Run, silence: NonNullable<ReturnType<typeof silenceDuring>>): ReturnType<typeof stepAt>[] {
  const moment = (ms: number): ReturnType<typeof momentOf> => ({
    precision: 'none',
    clock: run.worker?.id ?? 'worker',
    redisMs: [Math.floor(ms - silence.blurMs), Math.ceil(ms + silence.blurMs)],
  });
  const lasted = durationText(silence.toMs - silence.fromMs);
  return [
    stepAt(
      silence.after,
      moment(silence.toMs),
      'silence',
      `Worker ${workerName(run)} wrote no line for ${lasted}, longer than the lock lives (${lockText(run)}); this is its next line.`,
      run.worker?.id,
    ),
  ];
}

function advise(cause: Cause, run: Run, version: string | undefined): string[] {
  const lock = durationText(run.lockLife.value);
  const log =
    'Log job id, lock token and elapsed time at the handler start and return, and keep the worker `stalled` and `error` events in the log.';
  if (cause === 'fetched-by-hand')
    return [
      'Let a Worker process the queue. Whoever fetches with getNextJob must renew with job.extendLock and finish with its own token within lockDuration.',
      log,
    ];
  const stop = forVersion(version, STOP_THE_LOSER);
  if (cause === 'redis-unreachable')
    return [
      `Choose lockDuration above the longest loss of connection that you accept; ${lock} was too short for this one.`,
      'Make the handler idempotent by job id: a worker that cannot reach Redis goes on working while another takes the job.',
      ...stop,
      log,
    ];
  if (cause === 'renewal-misconfigured')
    return [
      `Set lockRenewTime to at most half of lockDuration (${lock}), in one place for every worker of the queue.`,
      log,
    ];
  if (cause === 'lock-not-renewed')
    return [
      'Compare lockDuration and lockRenewTime of every worker of the queue; lockRenewTime must be at most half of lockDuration.',
      ...forVersion(version, RENEWAL_IS_TOLD),
      log,
    ];
  return [
    'Move CPU work out of the event loop: a sandboxed processor, a worker thread, or smaller pieces with awaits between them.',
    `Choose lockDuration above the longest pause seen; ${lock} was too short for this one. updateProgress renews nothing.`,
    'Make the handler idempotent by job id: write its checkpoint before it goes on, and let a second run start from there.',
    ...stop,
    log,
  ];
}
