/**
 * Redis refused writes (out of memory, read-only replica, failing disk), so the end of the job could not be recorded.
 *
 * The scripts fail before their first write: the handler has returned, the lock runs out, and the job stays active until writes
 * are possible again and a sweep puts it back.
 */
import { quoteEvidence } from '../model/quote-evidence.js';
import type { StoredEvent } from '../model/stored.js';
import { redisInterval } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import { beginOf, type Run, type Story } from '../story/story.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { beginSteps, handoffSteps, stallSteps, whoRan, workerName } from './words.js';

export default defineRule({
  name: 'writes-refused',
  needs: ['worker-log'],
  wakes: 'stalls > 0 OR stall_notices > 0 OR in_active > 0 OR lock_errors > 0 OR starts > acks + attempt_failures',
  causes: ['writes-refused'],
  rivals: ['redis-outage'],
  falsePositives: 'A refusal that another command of the process met, long before or after the finish.',
  judge(story, scene) {
    for (const run of story.runs) {
      if (run.completed || run.acknowledged || run.attemptFailed || run.moved) continue;
      const refused = refusalDuring(run, story, scene);
      const lost = run.stall !== undefined || story.record.facts.some((facts) => facts.states.includes('active'));
      if (refused === undefined || !lost) continue;
      const next = story.runs[run.n];
      return {
        run,
        boundary: 'redis-loss',
        cause: 'writes-refused',
        status: run.returned && run.stall?.recorded ? 'shown' : 'likely',
        says: `${run.returned ? 'had returned' : 'was running'} on ${whoRan(run)} while Redis refused writes, so its end was not recorded${
          next ? `; ${whoRan(next)} ran it again` : ''
        }`,
        witness: steps(
          ...beginSteps(run, story, scene),
          run.returned &&
            step(
              run.returned,
              'same-clock',
              `The handler of job ${story.job} returned on worker ${workerName(run)}.`,
              scene,
            ),
          step(
            refused,
            'same-clock',
            `Redis refused a write of worker ${workerName(run)}: ${quoteEvidence(refused.data.text ?? '')}.`,
            scene,
          ),
          ...stallSteps(run, story, scene),
          ...handoffSteps(run, story, scene),
        ),
        hypotheses: [rival('redis-outage', [], [refused], [])],
        advice: [
          'Give Redis memory above its peak and alert on used_memory against maxmemory; keep maxmemory-policy at noeviction.',
          'Connect workers to the primary: a read-only replica refuses every script.',
          'Make the effect idempotent by job id: a refused acknowledgement is followed by a second run.',
        ],
        wouldDecide: ['The log of Redis and INFO memory, INFO persistence of the time.'],
        counterfactual: 'Had Redis taken the write, the job would have been completed once.',
      };
    }
    return undefined;
  },
});

/** A refused write of the run's own worker, after the handler returned (or began, where no return is told) and before the loss. */
function refusalDuring(run: Run, story: Story, scene: Scene): StoredEvent | undefined {
  const from = redisInterval(run.returned ?? beginOf(run), scene)[0];
  const next = story.runs[run.n];
  const until = next ? redisInterval(beginOf(next), scene)[1] : Number.POSITIVE_INFINITY;
  return run.worker?.signs.find((event) => {
    const [low, high] = redisInterval(event, scene);
    return event.kind === 'redis-refused' && high >= from && low <= until;
  });
}
