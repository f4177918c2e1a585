/**
 * The job was failed for stalling (or starting) too often, and nothing earlier shows why.
 *
 * The worker that reports it is only the messenger: from 5.53.2 on it fails the job without calling the handler, before that
 * the sweep does. Where the lost lock itself is in the evidence, that is the first failure and this a consequence; this rule
 * speaks where it is not. A handler that reached its end after the verdict proves the verdict wrong about the work.
 */
import { surelyBefore } from '../story/interval.js';
import { redisInterval } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import { type Run, reachedEnd, type Story } from '../story/story.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { beginSteps, whoRan, workerName } from './words.js';

export default defineRule({
  name: 'stall-limit',
  needs: ['worker-log', 'events-stream'],
  wakes: 'failures > 0 OR attempt_failures > 0',
  causes: ['stall-limit', 'false-stall-verdict'],
  rivals: ['process-killed', 'lock-not-renewed'],
  falsePositives: 'Where the lost lock itself is in the evidence, that is the failure and the limit its consequence.',
  judge(story, scene) {
    const verdict = story.stallVerdict;
    if (verdict === undefined || story.runs.some((run) => run.stall !== undefined)) return undefined;
    const counted = Math.max(0, ...story.record.facts.map((facts) => facts.stalledCounter ?? 0));
    const wronged = story.runs.find((run) => endedAfter(run, story, scene));
    const end = wronged && (wronged.returned ?? wronged.lockErrors[0]);
    return {
      boundary: 'stalled-sweep',
      cause: wronged ? 'false-stall-verdict' : 'stall-limit',
      status: verdict.clock === 'redis' ? 'shown' : 'likely',
      says: wronged
        ? `was failed for stalling too often although its handler on ${whoRan(wronged)} reached its end afterwards`
        : 'was failed for stalling too often; the runs that lost their locks before that are not in the evidence',
      witness: steps(
        ...(wronged ? beginSteps(wronged, story, scene) : []),
        step(
          verdict,
          'state',
          `Job ${story.job} was failed because it stalled more often than maxStalledCount allows.`,
          scene,
        ),
        end &&
          step(
            end,
            'same-clock',
            `The handler of job ${story.job} on worker ${workerName(wronged)} reached its end after that.`,
            scene,
          ),
      ),
      hypotheses: [
        rival('process-killed', [], [], ['the logs of the workers that ran the job before']),
        rival('lock-not-renewed', [], [], ['the logs of the workers that ran the job before']),
      ],
      advice: [
        'Look for the lost locks before this failure: each stall is a lock that ran out or a process that ended.',
        'Raise maxStalledCount only when the handler is idempotent: each stall is one more run. attempts does not count stalls.',
      ],
      wouldDecide: [
        'The events stream from before the first stall, and the logs of the workers that ran the job before.',
      ],
      counterfactual:
        counted > 0
          ? `With a maxStalledCount of at least ${counted} this stall would have been followed by another run instead of the failure, if no later one came.`
          : 'Had no run lost its lock, the limit would not have been reached.',
    };
  },
});

/** The run was open when the verdict fell, and its handler came to its end. */
function endedAfter(run: Run, story: Story, scene: Scene): boolean {
  const end = run.returned ?? run.lockErrors[0];
  if (end === undefined || story.stallVerdict === undefined || !reachedEnd(run)) return false;
  return surelyBefore(redisInterval(story.stallVerdict, scene), redisInterval(end, scene));
}
