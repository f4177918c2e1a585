/** A finished job was put back: only retry() and retryJobs() write `waiting` with prev completed, or with prev failed after a final failure. */

import { usesIdsAgain } from '../story/lives.js';
import type { Scene } from '../story/scene.js';
import type { Story } from '../story/story.js';
import { defineRule, rival, step, steps, type Verdict } from './define-rule.js';
import { whoRan, workerName } from './words.js';

/**
 * Without the events stream: a worker told of the completion, and the job was started again. Only a retry by hand, or an add
 * under the same id after the job was removed, does that.
 */
function completedTwiceInLogs(story: Story, scene: Scene): Verdict | undefined {
  const before = story.runs.find(
    (run) => run.acknowledged && run.acknowledged.data.soft !== true && !run.activation && !run.stall,
  );
  const again = before && story.runs[before.n];
  if (usesIdsAgain(story)) return undefined;
  if (before?.acknowledged === undefined || again?.started === undefined || again.activation) return undefined;
  return {
    run: before,
    ownFinding: true,
    boundary: 'manual-requeue',
    cause: 'completed-job-retried',
    status: 'possible',
    says: `was acknowledged on ${whoRan(before)} and started again on ${whoRan(again)}: a retry by hand, or its id was used again`,
    witness: steps(
      step(
        before.acknowledged,
        'same-clock',
        `Worker ${workerName(before)} reported job ${story.job} as completed.`,
        scene,
      ),
      step(again.started, 'handoff', `Worker ${workerName(again)} started job ${story.job} again.`, scene),
    ),
    hypotheses: [rival('id-reused', [again.started], [], ['the added events of the job'])],
    advice: ['Make the effect idempotent by job id: a retry of a completed job does the work again.'],
    wouldDecide: ['The events stream (RDB or XRANGE): waiting with prev=completed, or a second added event.'],
  };
}

export default defineRule({
  name: 'manual-requeue',
  needs: ['events-stream', 'worker-log'],
  wakes: 'requeues > 0 OR acks > 1',
  causes: ['completed-job-retried', 'failed-job-retried'],
  rivals: ['id-reused'],
  falsePositives:
    'Automatic retries up to 5.58.5 are recorded as waiting with prev failed, too: only a failed entry before it makes it an act of someone.',
  judge(story, scene) {
    const requeue = story.requeues[0];
    if (requeue === undefined) return completedTwiceInLogs(story, scene);
    const completedBefore = requeue.data.prev === 'completed';
    const before = story.runs.findLast(
      (run) =>
        (run.completed ?? run.failed)?.t !== undefined && ((run.completed ?? run.failed)?.t ?? 0) <= (requeue.t ?? 0),
    );
    const again = story.runs.find((run) => run.activation !== undefined && (run.activation.t ?? 0) >= (requeue.t ?? 0));
    const end = before?.completed ?? before?.failed;
    return {
      ...(before ? { run: before } : {}),
      ownFinding: true,
      boundary: 'manual-requeue',
      cause: completedBefore ? 'completed-job-retried' : 'failed-job-retried',
      status: 'shown',
      says: `had ${completedBefore ? 'completed' : 'failed for good'} and was put back into the queue by hand or by a callback${
        again ? `; ${whoRan(again)} ran it again` : ''
      }`,
      witness: steps(
        end && step(end, 'redis-order', `Redis recorded job ${story.job} as ${end.kind}.`, scene),
        step(
          requeue,
          'redis-order',
          `Redis put job ${story.job} back to waiting from ${requeue.data.prev}: only a retry by hand does that.`,
          scene,
        ),
        again?.activation && step(again.activation, 'handoff', `Redis made job ${story.job} active again.`, scene),
      ),
      hypotheses: [],
      advice: [
        'Read the state of the job before a stalled callback or a board moves it.',
        'Make the effect idempotent by job id: a retry of a completed job does the work again.',
      ],
      wouldDecide: ['Audit log of the board or the callback that called retry.'],
      counterfactual: 'Had nobody put the job back, it would have run once.',
    };
  },
});
