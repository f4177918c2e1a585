/** A callback that retries whatever stalled puts finished jobs back: `waiting` from completed or failed behind a stall. */
import { conclude, defineCheck, times } from '../define-check.js';
import { stepOf, Tally } from '../tally.js';
import { isSameQueue } from '../target.js';

export default defineCheck({
  name: 'stalled-callback-reads-first',
  isAskedBy: ({ finding }) => finding.boundary === 'manual-requeue' && finding.cause === 'completed-job-retried',
  watch({ targets }) {
    const walked = new Tally();
    const against = new Tally();
    return {
      see(story, scene) {
        if (targets.length > 0 && !targets.some(({ queue }) => isSameQueue(queue, story.queue))) return;
        const stall = story.runs.flatMap(({ stall: one }) => one?.recorded ?? one?.noticed ?? [])[0];
        const back = story.requeues.find(({ data }) => data.prev === 'completed');
        if (stall !== undefined)
          walked.add([stepOf(stall, 'sweep', `Job ${story.job} stalled, and was left to the sweep.`, scene)]);
        if (back !== undefined)
          against.add([
            stepOf(stall, 'sweep', `Job ${story.job} stalled.`, scene),
            stepOf(back, 'redis-order', `Job ${story.job} was put back although it had completed.`, scene),
          ]);
      },
      answer: (isNeeded) =>
        conclude(
          isNeeded,
          { against, walked },
          {
            fails: `${times(against.count, 'completed job')} ${against.count === 1 ? 'was' : 'were'} put back`,
            holds: `${times(walked.count, 'job')} stalled and none was moved out of completed`,
            notWalked: 'no job stalled in the recording, so no callback was asked',
          },
          ['A recording in which a job stalls while the callback listens'],
        ),
    };
  },
});
