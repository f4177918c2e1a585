/** What a handler says at its end is no acknowledgement; Redis' transition right behind it is. */
import type { StoredEvent } from '../../model/stored.js';
import { durationText, midpointOf } from '../../story/moments.js';
import { conclude, defineCheck, times } from '../define-check.js';
import { acknowledgementOf } from '../run-span.js';
import { stepOf, Tally } from '../tally.js';
import { isSameQueue } from '../target.js';

/** A record without a time of its own is in order by its place alone. */
const isTimed = ({ t, precision }: StoredEvent): boolean => t !== undefined && precision !== 'none';

export default defineCheck({
  name: 'acknowledged-after-return',
  isAskedBy: ({ finding }) => finding.boundary === 'return-to-ack',
  watch({ targets }) {
    const walked = new Tally();
    const against = new Tally();
    let longestMs = 0;
    return {
      see(story, scene) {
        if (targets.length > 0 && !targets.some(({ queue }) => isSameQueue(queue, story.queue))) return;
        for (const run of story.runs) {
          if (run.returned === undefined) continue;
          const said = stepOf(
            run.returned,
            'same-clock',
            `The handler of job ${story.job} returned (run ${run.n}).`,
            scene,
          );
          const end = acknowledgementOf(run);
          const wait =
            end && isTimed(run.returned) && isTimed(end) ? midpointOf(end, scene) - midpointOf(run.returned, scene) : 0;
          if (end !== undefined && run.stall === undefined && wait <= run.lockLife.value) {
            longestMs = Math.max(longestMs, wait);
            walked.add([said, stepOf(end, 'redis-order', `Job ${story.job}: ${end.kind}.`, scene)]);
            continue;
          }
          const lost = run.stall?.recorded ?? run.stall?.noticed ?? run.lockErrors[0];
          // Evidence that ends with the return says nothing of what came after it.
          if (lost === undefined && end === undefined) continue;
          against.add([said, stepOf(lost ?? end, 'redis-order', `Job ${story.job}: ${(lost ?? end)?.kind}.`, scene)]);
        }
      },
      answer: (isNeeded) =>
        conclude(
          isNeeded,
          { against, walked },
          {
            fails: `${times(against.count, 'run')} returned and ${against.count === 1 ? 'was' : 'were'} not acknowledged in the life of the lock`,
            holds: `${times(walked.count, 'run')} returned and ${walked.count === 1 ? 'was' : 'were'} acknowledged${longestMs > 0 ? `, the slowest after ${durationText(longestMs)}` : ''}, no stall between`,
            notWalked: 'no handler’s last line stands beside an acknowledgement in the recording',
          },
          ['Worker logs with a line at the handler’s end, beside the events stream of the same time'],
        ),
    };
  },
});
