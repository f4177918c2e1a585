/**
 * The job stood in active without a lock, and no worker swept the queue.
 *
 * The sweep works in two passes: one marks what stands in active, the next takes back what was marked and has no lock. With
 * one live worker a job is taken back within a lock's life and one stalledInterval of its last renewal (two intervals where
 * the lock is the shorter one), and within one interval more when the sweeping worker died just then. Longer means that
 * nobody swept. A snapshot shows the job so at its moment; AOF and MONITOR show it when they go on and nothing more happens.
 */
import type { Step } from '../model/analysis.js';
import { durationText, redisInterval } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import { lockDurationOf, stalledIntervalOf } from '../story/settings-of.js';
import { lastSignOf, type Run, type Story } from '../story/story.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, rival, step, steps, type Verdict } from './define-rule.js';
import { snapshotStep } from './snapshot-step.js';
import { forVersion, SWEEPER } from './versions.js';
import { beginSteps } from './words.js';

export default defineRule({
  name: 'no-sweep-ran',
  needs: ['snapshot', 'lock-history'],
  wakes: 'in_active > 0 OR (lock_events > 0 AND activations > completions + failures + stalls + moves)',
  causes: ['no-sweep-ran'],
  rivals: ['process-killed'],
  falsePositives: 'Each recovery takes up to a life of the lock and two stalledIntervals.',
  judge(story, scene) {
    const run = story.runs.at(-1);
    if (run === undefined) return askedOnly(story, scene);
    if (run.stall || run.completed || run.failed || run.moved || story.removed) return undefined;
    const abandoned = inSnapshot(story) ?? inLedger(story, run, scene);
    if (abandoned === undefined) return undefined;
    const lastSign = lastSignOf(run);
    const waitedMs = abandoned.atMs - redisInterval(lastSign, scene)[1];
    const interval = stalledIntervalOf(story.queue, scene);
    const [lockMs, intervalMs] = [run.lockLife.value, interval.value];
    const dueMs = Math.max(lockMs, intervalMs) + intervalMs;
    if (waitedMs <= dueMs) return undefined;
    const assumed = run.lockLife.basis === 'assumed' || interval.basis === 'assumed';
    return {
      run,
      boundary: 'stalled-sweep',
      cause: 'no-sweep-ran',
      status: assumed ? 'possible' : waitedMs > dueMs + intervalMs ? 'shown' : 'likely',
      says: `stood in active without a lock for ${durationText(waitedMs)} after its last sign of life, and no sweep took it back (due within ${durationText(dueMs)})`,
      witness: steps(
        ...beginSteps(run, story, scene),
        step(lastSign, 'state', `The last record of run ${run.n} of job ${story.job}.`, scene),
        abandoned.step,
      ),
      hypotheses: [rival('process-killed', [lastSign], [], ['exit records of the worker process'])],
      advice: forVersion(versionOf({ worker: run.worker, queue: story.queue }, scene), SWEEPER),
      wouldDecide: [
        'CLIENT LIST and the worker deployments of the time: whether any worker of the queue was connected.',
      ],
      counterfactual: `With one worker that swept the queue, the job would have been run again within ${durationText(dueMs)} of its last sign of life, ${durationText(waitedMs - dueMs)} before this moment.`,
    };
  },
});

/**
 * All that is known is what a snapshot or an answer says: in active, no lock, begun long ago and not finished. Until when its worker
 * lived is not known, so this is no more than possible.
 */
function askedOnly(story: Story, scene: Scene): Verdict | undefined {
  const facts = story.record.facts.findLast((one) => one.states.includes('active'));
  if (facts?.momentMs === undefined || facts.processedOn === undefined || facts.finishedOn !== undefined)
    return undefined;
  const hasEnded = facts.lock?.expiresAtMs !== undefined && facts.lock.expiresAtMs < facts.momentMs[0];
  if (!hasEnded && (facts.lock !== undefined || !(facts.hasNoLock || facts.noLockSaid))) return undefined;
  const of = { queue: story.queue };
  const intervalMs = stalledIntervalOf(story.queue, scene).value;
  const dueMs = Math.max(lockDurationOf(of, scene).value, intervalMs) + intervalMs;
  const begunMs = facts.momentMs[0] - facts.processedOn;
  const sweptMs = scene.queues.get(story.queue ?? '')?.lastSweepMs;
  if (begunMs <= dueMs || (sweptMs !== undefined && facts.momentMs[0] - sweptMs <= intervalMs)) return undefined;
  return {
    boundary: 'stalled-sweep',
    cause: 'no-sweep-ran',
    status: 'possible',
    says: `stood in active without a lock ${durationText(begunMs)} after it was begun, and no sweep had taken it back`,
    witness: steps(
      snapshotStep(
        facts,
        story,
        'active',
        'state',
        `Job ${story.job} stood in active without a live lock; its hash says when it was begun, and no end.`,
      ),
    ),
    hypotheses: [rival('process-killed', [], [], ['the log of the worker that held the job: when it last spoke'])],
    advice: ['Keep at least one worker of the queue alive that runs the stalled check (skipStalledCheck must be off).'],
    wouldDecide: [
      'The log of the worker that held the job, or AOF or MONITOR: when its lock was last renewed.',
      'The same answers one stalledInterval later, with CLIENT LIST: a worker that sweeps takes the job back by then.',
    ],
    counterfactual: 'Had a worker swept the queue, the job would have been run again.',
  };
}

/** The job without a live lock at a moment, ms on Redis' clock. */
interface Abandoned {
  readonly atMs: number;
  readonly step: Step;
}

function inSnapshot(story: Story): Abandoned | undefined {
  const facts = story.record.facts.at(-1);
  if (facts?.momentMs === undefined || !facts.states.includes('active')) return undefined;
  // A transcript shows only what somebody asked for: a lock nobody asked for is not gone.
  if (facts.lock === undefined && !facts.hasNoLock) return undefined;
  const [atMs] = facts.momentMs;
  if (facts.lock !== undefined && (facts.lock.expiresAtMs ?? Number.POSITIVE_INFINITY) >= atMs) return undefined;
  return {
    atMs,
    step: snapshotStep(
      facts,
      story,
      'active',
      'state',
      `The snapshot holds job ${story.job} in active without a live lock.`,
    ),
  };
}

/** The capture that shows the last renewal goes on past the end of that lock, and nothing more happens to the job. */
function inLedger(story: Story, run: Run, scene: Scene): Abandoned | undefined {
  const held = run.ledger.findLast((event) => event.kind === 'lock-set' || event.kind === 'lock-renewed');
  const endMs = held && scene.watched.get(held.source.path)?.[1];
  if (held?.t === undefined || endMs === undefined || run.ledger.some((event) => event.kind === 'lock-released'))
    return undefined;
  const expiresMs = held.data.expiresAtMs ?? held.t + (held.data.lockMs ?? run.lockLife.value);
  if (expiresMs >= endMs) return undefined;
  return {
    atMs: endMs,
    step: step(
      held,
      'lock',
      `The last life given to the lock of job ${story.job}; it ended ${durationText(endMs - expiresMs)} before the capture did, with no later record of the job.`,
      scene,
    ),
  };
}
