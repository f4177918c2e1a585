/**
 * The job waits, and a worker that could take it does not: the queue is paused, nobody is there, or somebody is and does nothing.
 *
 * A backlog behind busy workers is no failure, and neither is a rate limit: this rule speaks only where the newest snapshot
 * holds no job in active that anybody holds a lock of, and the job has waited for longer than two stalledIntervals. A living
 * worker writes its time into `stalled-check` at each sweep, so a fresh value shows one, and an old or missing value shows none.
 * Answers of a transcript show nothing by their silence: there a connection of a worker (CLIENT LIST) or the log of one that lost
 * its link must show that somebody was there.
 */
import type { Step } from '../model/analysis.js';
import type { Cause } from '../model/boundaries.js';
import type { QueueState, StoredJobFacts } from '../model/stored.js';
import { durationText, lastSeen, queueKey } from '../story/moments.js';
import { isGone, saidGoodbye } from '../story/process-end.js';
import type { Scene } from '../story/scene.js';
import { stalledIntervalOf } from '../story/settings-of.js';
import type { Story } from '../story/story.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, rival, step, stepAt, steps, type Verdict } from './define-rule.js';
import { snapshotStep } from './snapshot-step.js';
import { forVersion, PROMOTER } from './versions.js';

const WAITING = new Set(['wait', 'paused', 'prioritized', 'delayed']);
/** Every worker looks at the queue at least once in this many stalledIntervals. */
const PATIENCE = 2;

export default defineRule({
  name: 'never-started',
  needs: ['snapshot'],
  wakes: 'queue_idle > 0 AND (in_wait > 0 OR overdue > 0)',
  causes: ['no-worker', 'queue-paused', 'worker-wedged', 'overdue-delayed'],
  rivals: ['no-worker', 'redis-unreachable'],
  falsePositives:
    'A backlog behind busy workers; a rate limit; a job that has waited for less than two stalledIntervals.',
  judge(story, scene) {
    const facts = story.record.facts.at(-1);
    const queue = story.queue === undefined ? undefined : scene.queues.get(story.queue);
    if (facts?.momentMs === undefined || queue === undefined || facts.source !== queue.source) return undefined;
    const state = facts.states.find((candidate) => WAITING.has(candidate));
    if (state === undefined || queue.locked > 0) return undefined;
    const since = waitingSince(facts, story);
    if (since === undefined) return undefined;
    const patienceMs = PATIENCE * stalledIntervalOf(story.queue, scene).value;
    const waitedMs = queue.momentMs[0] - since;
    if (waitedMs <= patienceMs || (queue.lastActivationMs ?? 0) > since + patienceMs) return undefined;
    const why = whyNotStarted(facts, queue, patienceMs) ?? whyNotTaken(queue, since + patienceMs, scene);
    // Whoever held the job that stands in active without a lock may be at work in it, and the others wait for that.
    const mayBeBusy = queue.held.active && !scene.workers.every((worker) => isGone(worker, scene));
    if (why?.cause !== 'queue-paused' && mayBeBusy) return undefined;
    return why && verdictOf(story, scene, { facts, queue, waitedMs, state, ...why });
  },
});

/** The last moment at which a worker could have taken the job: since then it waits. Redis' clock, else the producer's. */
function waitingSince(facts: StoredJobFacts, story: Story): number | undefined {
  if (facts.dueMs !== undefined) return facts.dueMs;
  const entry = story.record.events.findLast(
    (event) => event.clock === 'redis' && (event.kind === 'waiting' || event.kind === 'added'),
  );
  return entry?.t ?? facts.timestamp;
}

interface Why {
  readonly cause: Cause;
  readonly says: string;
  readonly shown: string;
  /** A record that shows it, beside the state of the queue. */
  readonly shownBy?: Step;
}

function whyNotStarted(facts: StoredJobFacts, queue: QueueState, patienceMs: number): Why | undefined {
  if (queue.paused || facts.states.includes('paused'))
    return { cause: 'queue-paused', says: 'the queue is paused', shown: 'The queue is paused.' };
  if (queue.limited) return undefined;
  if (facts.dueMs !== undefined)
    return {
      cause: 'overdue-delayed',
      says: 'it was due and nobody promoted it',
      shown: `It was due ${durationText(queue.momentMs[0] - facts.dueMs)} before.`,
    };
  const { lastSweepMs } = queue;
  if (queue.isAsked) return undefined;
  if (lastSweepMs !== undefined && queue.momentMs[0] - lastSweepMs <= patienceMs)
    return {
      cause: 'worker-wedged',
      says: 'a worker sweeps the queue and takes no job',
      shown: 'A worker swept the queue shortly before, and nothing is in active.',
    };
  return {
    cause: 'no-worker',
    says: 'no worker of the queue is alive',
    shown: `${queue.held.active ? 'No job in active has a lock' : 'Nothing is in active'}, and ${
      lastSweepMs === undefined
        ? 'no sweep has left its mark (stalled-check).'
        : `the last sweep was ${durationText(queue.momentMs[0] - lastSweepMs)} before.`
    }`,
  };
}

/** Of a queue that somebody asked about: who was there and took nothing. */
function whyNotTaken(queue: QueueState, fromMs: number, scene: Scene): Why | undefined {
  if (!queue.isAsked || queue.paused || queue.limited) return undefined;
  const { connected } = queue;
  if (connected) {
    const { address, idleSeconds, offset } = connected;
    const idle = idleSeconds === undefined ? '' : `, which had not spoken for ${durationText(idleSeconds * 1000)}`;
    const shown = `A worker was connected (${address})${idle}.`;
    return {
      cause: 'worker-wedged',
      says: 'a worker is connected and takes no job',
      shown: 'An answer says that nothing is in active.',
      shownBy: stepAt({ source: queue.source.path, offset }, { precision: 'none', clock: 'redis' }, 'state', shown),
    };
  }
  for (const worker of scene.workers) {
    const lost = worker.signs.findLast(({ kind }) => kind === 'redis-lost' || kind === 'redis-back');
    if (lost?.kind !== 'redis-lost' || (lastSeen(worker)?.[0] ?? 0) <= fromMs) continue;
    return {
      cause: 'worker-wedged',
      says: `${worker.id} went on living after it had lost its link to Redis, and took no job any more`,
      shown: 'An answer says that nothing is in active.',
      shownBy: step(lost, 'same-clock', `Worker ${worker.id} lost its connection to Redis.`, scene),
    };
  }
  return undefined;
}

const ADVICE: Partial<Record<Cause, readonly string[]>> = {
  'queue-paused': [
    'Resume the queue with queue.resume(), and log who pauses it: the pause lives in Redis and outlives restarts.',
  ],
  'no-worker': ['Start a worker of the queue, and alert on jobs that wait while no worker is connected (CLIENT LIST).'],
  'worker-wedged': [
    'Restart the worker, and see whether it was paused (worker.pause) or lost its blocking connection.',
    'Alert on jobs that wait while nothing is active.',
  ],
};

/**
 * A worker that idles or is paused writes nothing and may not sweep: that nobody was there is more than possible only where
 * every worker of the evidence said that it ended.
 */
function statusOf(cause: Cause, queue: QueueState, scene: Scene): Verdict['status'] {
  if (cause === 'queue-paused') return 'likely';
  if (scene.stalledInterval.basis === 'assumed' || queue.isAsked) return 'possible';
  if (cause !== 'no-worker') return 'likely';
  const allLeft = scene.workers.length > 0 && scene.workers.every(saidGoodbye);
  return allLeft && !queue.held.active ? 'likely' : 'possible';
}

interface Found extends Why {
  readonly facts: StoredJobFacts;
  readonly queue: QueueState;
  readonly waitedMs: number;
  readonly state: string;
}

function verdictOf(story: Story, scene: Scene, found: Found): Verdict {
  const { facts, queue, waitedMs, state, cause } = found;
  const moment = {
    precision: 'ms' as const,
    clock: 'redis',
    redisMs: [...queue.momentMs] as [number, number],
  };
  const key = queueKey(story.queue ?? '');
  const entry = story.record.events.findLast((event) => event.clock === 'redis' && event.kind === 'waiting');
  return {
    boundary: 'pickup',
    cause,
    status: statusOf(cause, queue, scene),
    says: `had waited for ${durationText(waitedMs)} without being started: ${found.says}`,
    witness: steps(
      entry && step(entry, 'redis-order', `Redis put job ${story.job} into waiting.`, scene),
      snapshotStep(facts, story, state, 'state', `The snapshot holds job ${story.job} in ${state}.`),
      stepAt(
        { source: queue.source.path, key: `${key}:meta`, ...(queue.offset >= 0 ? { offset: queue.offset } : {}) },
        moment,
        'state',
        found.shown,
      ),
      found.shownBy,
    ),
    hypotheses: [
      rival('no-worker', [], [], ['CLIENT LIST of the time, and the deployments of the workers']),
      ...(cause === 'queue-paused' ? [] : [rival('redis-unreachable', [], [], ['connection lines of the workers'])]),
    ],
    advice: [
      ...(ADVICE[cause] ?? []),
      ...(cause === 'overdue-delayed' ? forVersion(versionOf(story, scene), PROMOTER) : []),
    ],
    wouldDecide: [
      'CLIENT LIST of the time: which workers were connected, and the logs of those.',
      ...(queue.isAsked
        ? [`HGETALL ${key}:meta and GET ${key}:stalled-check: whether the queue was paused, and who swept it.`]
        : []),
    ],
    counterfactual: `Had ${cause === 'queue-paused' ? 'the queue been resumed' : 'a worker taken it'}, the job would have started within moments of its turn, up to ${durationText(waitedMs)} earlier.`,
  };
}
