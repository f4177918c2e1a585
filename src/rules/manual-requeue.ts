/** A finished job was put back: only retry() and retryJobs() write `waiting` with prev completed, or with prev failed after a final failure. */
import { defineRule, step, steps } from './define-rule.js';
import { workerName } from './words.js';

export default defineRule({
  name: 'manual-requeue',
  needs: ['events-stream'],
  wakes: 'requeues > 0',
  judge(story, scene) {
    const requeue = story.requeues[0];
    if (requeue === undefined) return undefined;
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
        again ? `; ${workerName(again)} ran it again` : ''
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
