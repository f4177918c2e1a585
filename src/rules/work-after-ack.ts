/**
 * The job was acknowledged, and the work that the application does after that was cut short: nobody runs it again.
 *
 * What is done after an acknowledgement (in a `completed` listener, say) has no lock and no retry. It shows as lines that follow
 * the acknowledgement in nearly all jobs of the queue and are missing here, where the process ended.
 */
import { isGone } from '../story/process-end.js';
import { defineRule, rival, step, stepAt, steps } from './define-rule.js';
import { beginSteps, whoRan, workerName } from './words.js';

export default defineRule({
  name: 'work-after-ack',
  needs: ['worker-log'],
  wakes: 'aftermath_missing > 0',
  causes: ['work-after-ack-cut-short'],
  rivals: ['event-fan-out'],
  falsePositives: 'Work after the acknowledgement that other jobs of the queue do not have either.',
  judge(story, scene) {
    const run = story.runs.findLast((candidate) => candidate.acknowledged !== undefined);
    const ack = run?.acknowledged;
    if (run?.worker === undefined || ack === undefined || story.record.summary.aftermath_missing < 1) return undefined;
    if (!isGone(run.worker, scene)) return undefined;
    const begun = story.record.events.filter((event) => event.kind === 'aftermath');
    const sign = run.worker.signs.at(-1);
    return {
      run,
      boundary: 'post-ack',
      cause: 'work-after-ack-cut-short',
      status: begun.length > 0 ? 'likely' : 'possible',
      says: `was acknowledged on ${whoRan(run)}, whose process ended before the work that follows the acknowledgement was done; nobody does it again`,
      witness: steps(
        ...beginSteps(run, story, scene),
        run.completed && step(run.completed, 'redis-order', `Redis recorded job ${story.job} as completed.`, scene),
        step(ack, 'same-clock', `Worker ${workerName(run)} reported job ${story.job} as completed.`, scene),
        ...begun.map((event) =>
          step(
            event,
            'same-clock',
            `Work after the acknowledgement of job ${story.job} began on worker ${workerName(run)}.`,
            scene,
          ),
        ),
        run.worker.lastLine &&
          stepAt(
            run.worker.lastLine,
            { precision: 'none', clock: run.worker.id },
            'silence',
            `The last line of worker ${workerName(run)}; other jobs of the queue have more lines after their acknowledgement.`,
            run.worker.id,
          ),
        sign && step(sign, 'same-clock', `Worker ${workerName(run)}: the last record about the process itself.`, scene),
      ),
      hypotheses: [rival('event-fan-out', [], [], ['whether another consumer of the completed event did the work'])],
      advice: [
        'Make what must follow a job its own idempotent job, added before the handler returns (or in a flow): work after the acknowledgement has no lock and no retry.',
        'Look up which effects of this job are missing, and do them by hand.',
      ],
      wouldDecide: ['The effect itself: whether the receiver got it.'],
      counterfactual:
        'Had the work been done before the handler returned, the end of the process would have led to a second run.',
    };
  },
});
