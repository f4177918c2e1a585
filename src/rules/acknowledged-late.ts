/**
 * The handler returned, the job ran once and was acknowledged, but so late that its lock was nearly lost.
 *
 * The worker stops renewing before it sends the finish, so only what is left of the lock protects the way from return to
 * acknowledgement. More than half of the lock's life on that way is a loss that did not happen: the job is fine.
 */
import { shortestBetween } from '../story/interval.js';
import { durationText, isOneClock, redisInterval } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import type { Run } from '../story/story.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { beginSteps, lockText, whoRan, workerName } from './words.js';

const LATE_OF_LOCK = 1 / 2;

export default defineRule({
  name: 'acknowledged-late',
  needs: ['worker-log'],
  wakes: 'ack_wait_ms > 100 AND lock_errors = 0 AND stalls = 0',
  causes: ['acknowledged-late'],
  rivals: ['redis-outage', 'event-loop-blocked'],
  falsePositives:
    "A return line that stands before the handler's last work; times to the second; a lockDuration that is only assumed.",
  judge(story, scene) {
    const [run] = story.runs;
    if (run === undefined || story.runs.length > 1 || run.stall || run.lockErrors.length > 0) return undefined;
    const { returned } = run;
    const waitedMs = waitOf(run, scene);
    if (returned === undefined || waitedMs === undefined) return undefined;
    if (waitedMs <= run.lockLife.value * LATE_OF_LOCK) return undefined;
    const lost = run.worker?.signs.find(
      (event) => event.kind === 'redis-lost' && event.source === returned.source && event.line > returned.line,
    );
    return {
      run,
      boundary: 'return-to-ack',
      cause: 'acknowledged-late',
      status: run.lockLife.basis === 'assumed' ? 'possible' : returned.data.soft ? 'likely' : 'shown',
      says: `returned on ${whoRan(run)} and was acknowledged only ${durationText(waitedMs)} later (lock ${lockText(run)}); it ran once and nothing was lost`,
      witness: steps(
        ...beginSteps(run, story, scene),
        step(returned, 'same-clock', `The handler of job ${story.job} returned on worker ${workerName(run)}.`, scene),
        lost && step(lost, 'same-clock', `Worker ${workerName(run)} lost its connection to Redis.`, scene),
        run.completed && step(run.completed, 'redis-order', `Redis recorded job ${story.job} as completed.`, scene),
        run.acknowledged &&
          step(
            run.acknowledged,
            'same-clock',
            `Worker ${workerName(run)} reported job ${story.job} as completed, ${durationText(waitedMs)} after the return.`,
            scene,
          ),
      ),
      hypotheses: [
        rival('redis-outage', [lost], [], lost ? [] : ['the latency history of Redis and the connection lines']),
        rival('event-loop-blocked', [], [], ['event-loop lag of the process after the return']),
      ],
      advice: [
        'Nothing has to be repaired: the job ran once. Save the state that proves the work before the handler returns, so that a lost acknowledgement would be harmless, too.',
        'Keep lockDuration well above the longest pause of Redis or the network that you accept.',
      ],
      wouldDecide: ['SLOWLOG and LATENCY HISTORY of Redis for the span between return and completion.'],
      counterfactual: `Had the acknowledgement come after more than ${durationText(run.lockLife.value)}, the lock would have run out and the job would have run twice.`,
    };
  },
});

/** Between return and acknowledgement, ms, at least: on one clock where both lines stand in one log. */
function waitOf({ returned, acknowledged, completed }: Run, scene: Scene): number | undefined {
  if (returned?.t === undefined || returned.precision === 'none') return undefined;
  if (acknowledged?.t !== undefined && isOneClock(acknowledged, returned, scene) && acknowledged.precision !== 'none')
    return acknowledged.t - returned.t - (returned.precision === 's' ? 999 : 0);
  return completed && shortestBetween(redisInterval(returned, scene), redisInterval(completed, scene));
}
