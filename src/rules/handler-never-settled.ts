/**
 * The handler never ended while its worker kept the lock alive.
 *
 * An open job is no failure. It is one only when the lock was still being renewed at the snapshot and the run had lasted far
 * longer than any completed run: ten times the longest, and three lives of the lock.
 */
import { durationText, queueKey, redisInterval } from '../story/moments.js';
import { beginOf } from '../story/story.js';
import { defineRule, rival, step, stepAt, steps } from './define-rule.js';
import { beginSteps, workerName } from './words.js';

const TIMES_LONGEST_RUN = 10;
const LOCK_LIVES = 3;

export default defineRule({
  name: 'handler-never-settled',
  needs: ['snapshot'],
  wakes: 'in_active > 0 AND has_lock > 0',
  judge(story, scene) {
    const facts = story.record.facts.at(-1);
    const run = story.runs.at(-1);
    if (facts?.lock === undefined || facts.momentMs === undefined || run === undefined) return undefined;
    if (!facts.states.includes('active') || run.returned || run.completed || run.moved || run.stall) return undefined;
    const [momentMs] = facts.momentMs;
    if ((facts.lock.expiresAtMs ?? 0) <= momentMs) return undefined;
    const lastedMs = momentMs - redisInterval(beginOf(run), scene)[1];
    const renewed = lastedMs > scene.lockDuration.value;
    const farTooLong =
      scene.longestRunMs > 0 &&
      lastedMs > TIMES_LONGEST_RUN * scene.longestRunMs &&
      lastedMs > LOCK_LIVES * scene.lockDuration.value;
    if (!renewed || !farTooLong) return undefined;
    const lastProgress = run.progress.at(-1);
    return {
      run,
      boundary: 'progress-to-ack',
      cause: 'handler-never-settled',
      status: scene.lockDuration.basis === 'assumed' ? 'possible' : 'likely',
      says: `had been running on ${workerName(run)} for ${durationText(lastedMs)} with its lock renewed and no end; the longest completed run took ${durationText(scene.longestRunMs)}`,
      witness: steps(
        ...beginSteps(run, story, scene),
        lastProgress && step(lastProgress, 'state', `The last progress of job ${story.job}.`, scene),
        stepAt(
          {
            source: facts.source.path,
            ...(story.queue === undefined ? {} : { key: `${queueKey(story.queue)}:${story.job}:lock` }),
            ...(facts.offset >= 0 ? { offset: facts.offset } : {}),
          },
          { precision: 'ms', clock: 'redis', redisMs: [...facts.momentMs] as [number, number] },
          'lock',
          `The snapshot holds a live lock on job ${story.job}, renewed since the start.`,
        ),
      ),
      hypotheses: [rival('process-killed', [], [], [])],
      advice: [
        'Give every await of the handler a timeout; an AbortSignal that is raced against the work ends it.',
        'Alert on jobs that are active for longer than ten times their usual run.',
      ],
      wouldDecide: ['A heap or async-hooks dump of the process while the job hangs.'],
      counterfactual:
        'Had the awaited call failed or timed out, the job would have been retried or failed for the record.',
    };
  },
});
