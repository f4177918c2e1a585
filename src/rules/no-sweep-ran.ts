/**
 * The job stood in active without a lock, and no worker swept the queue.
 *
 * The sweep works in two passes: one marks what stands in active, the next takes back what was marked and has no lock. With
 * one live worker a job is taken back within a lock's life and one stalledInterval of its last renewal (two intervals where
 * the lock is the shorter one), and within one interval more when the sweeping worker died just then. Longer means that
 * nobody swept.
 */
import { durationText, queueKey, redisInterval } from '../story/moments.js';
import { lastSignOf } from '../story/story.js';
import { defineRule, rival, step, stepAt, steps } from './define-rule.js';
import { beginSteps } from './words.js';

export default defineRule({
  name: 'no-sweep-ran',
  needs: ['snapshot'],
  wakes: 'in_active > 0',
  judge(story, scene) {
    const facts = story.record.facts.at(-1);
    const run = story.runs.at(-1);
    if (facts?.momentMs === undefined || run === undefined || !facts.states.includes('active')) return undefined;
    if (run.stall || run.completed || run.failed || run.moved) return undefined;
    const [momentMs] = facts.momentMs;
    if (facts.lock !== undefined && (facts.lock.expiresAtMs ?? Number.POSITIVE_INFINITY) >= momentMs) return undefined;
    const lastSign = lastSignOf(run);
    const waitedMs = momentMs - redisInterval(lastSign, scene)[1];
    const { value: lockMs } = scene.lockDuration;
    const { value: intervalMs } = scene.stalledInterval;
    const dueMs = Math.max(lockMs, intervalMs) + intervalMs;
    if (waitedMs <= dueMs) return undefined;
    const assumed = scene.lockDuration.basis === 'assumed' || scene.stalledInterval.basis === 'assumed';
    return {
      run,
      boundary: 'stalled-sweep',
      cause: 'no-sweep-ran',
      status: assumed ? 'possible' : waitedMs > dueMs + intervalMs ? 'shown' : 'likely',
      says: `stood in active without a lock for ${durationText(waitedMs)} after its last sign of life, and no sweep took it back (due within ${durationText(dueMs)})`,
      witness: steps(
        ...beginSteps(run, story, scene),
        step(lastSign, 'state', `The last record of run ${run.n} of job ${story.job}.`, scene),
        stepAt(
          {
            source: facts.source.path,
            ...(story.queue === undefined ? {} : { key: `${queueKey(story.queue)}:active` }),
            ...(facts.offset >= 0 ? { offset: facts.offset } : {}),
          },
          { precision: 'ms', clock: 'redis', redisMs: [...facts.momentMs] as [number, number] },
          'state',
          `The snapshot holds job ${story.job} in active without a live lock.`,
        ),
      ),
      hypotheses: [rival('process-killed', [lastSign], [], ['exit records of the worker process'])],
      advice: [
        'Keep at least one worker of the queue alive that runs the stalled check (skipStalledCheck must be off).',
      ],
      wouldDecide: [
        'CLIENT LIST and the worker deployments of the time: whether any worker of the queue was connected.',
      ],
      counterfactual: 'Had a worker swept the queue, the job would have been run again.',
    };
  },
});
