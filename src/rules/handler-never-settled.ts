/**
 * The handler never ended while its worker kept the lock alive.
 *
 * An open job is no failure. It is one only when the lock was still being renewed at the snapshot and the run had lasted far
 * longer than any completed run of its name: ten times the longest, and three lives of the lock.
 */
import type { Step } from '../model/analysis.js';
import { LONGEST_RUN_WORDS, longestRunOf } from '../story/longest-run.js';
import { atLeastText, durationText, redisInterval } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import { beginOf, type Run, type Story } from '../story/story.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { snapshotStep } from './snapshot-step.js';
import { beginSteps, whoRan } from './words.js';

const TIMES_LONGEST_RUN = 10;
const LOCK_LIVES = 3;

export default defineRule({
  name: 'handler-never-settled',
  needs: ['snapshot', 'lock-history'],
  wakes: '(in_active > 0 AND has_lock > 0) OR (lock_events > 2 AND activations > completions + failures)',
  causes: ['handler-never-settled'],
  rivals: ['process-killed'],
  falsePositives: 'A long job: it takes ten times the longest completed run and three lives of a renewed lock.',
  judge(story, scene) {
    const run = story.runs.at(-1);
    const held = run && heldUntil(run, story, scene);
    if (
      run === undefined ||
      held === undefined ||
      run.returned ||
      run.completed ||
      run.failed ||
      run.moved ||
      run.stall
    )
      return undefined;
    const lastedMs = held.untilMs - redisInterval(beginOf(run), scene)[1];
    const renewed = lastedMs > run.lockLife.value;
    const longest = longestRunOf(story, scene);
    const farTooLong =
      longest !== undefined && lastedMs > TIMES_LONGEST_RUN * longest.ms && lastedMs > LOCK_LIVES * run.lockLife.value;
    if (!renewed || !farTooLong) return undefined;
    const limitMs = TIMES_LONGEST_RUN * longest.ms;
    const lastProgress = run.progress.at(-1);
    return {
      run,
      boundary: 'progress-to-ack',
      cause: 'handler-never-settled',
      status: run.lockLife.basis === 'assumed' || longest.of === 'others' ? 'possible' : 'likely',
      says: `had been running on ${whoRan(run)} for ${durationText(lastedMs)} with its lock renewed and no end; ${LONGEST_RUN_WORDS[longest.of]} took ${durationText(longest.ms)}`,
      witness: steps(
        ...beginSteps(run, story, scene),
        lastProgress && step(lastProgress, 'state', `The last progress of job ${story.job}.`, scene),
        held.shownBy,
      ),
      hypotheses: [rival('process-killed', [], [], [])],
      advice: [
        'Give every await of the handler a timeout; an AbortSignal that is raced against the work ends it.',
        'Alert on jobs that are active for longer than ten times their usual run.',
      ],
      wouldDecide: ['A heap or async-hooks dump of the process while the job hangs.'],
      counterfactual: `With a timeout of ${atLeastText(limitMs)} in the handler (ten times ${LONGEST_RUN_WORDS[longest.of]}) the job would have been retried or failed for the record ${durationText(lastedMs - limitMs)} earlier, if what it awaited can be given up.`,
    };
  },
});

/** The latest moment at which the run still held its lock: a live lock in the snapshot, or a renewal within a life of the end. */
function heldUntil(run: Run, story: Story, scene: Scene): { untilMs: number; shownBy: Step } | undefined {
  const facts = story.record.facts.at(-1);
  if (
    facts?.lock &&
    (run.token === undefined || facts.lock.token === run.token) &&
    facts.momentMs &&
    facts.states.includes('active') &&
    (facts.lock.expiresAtMs ?? 0) > facts.momentMs[0]
  ) {
    const text = `The snapshot holds a live lock on job ${story.job}, renewed since the start.`;
    return { untilMs: facts.momentMs[0], shownBy: snapshotStep(facts, story, `${story.job}:lock`, 'lock', text) };
  }
  const renewal = run.ledger.findLast((event) => event.kind === 'lock-renewed');
  if (renewal?.t === undefined || scene.endMs - renewal.t >= run.lockLife.value) return undefined;
  return {
    untilMs: renewal.t,
    shownBy: step(renewal, 'lock', `The lock of job ${story.job} was still being renewed.`, scene),
  };
}
