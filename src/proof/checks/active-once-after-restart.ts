/** A process that dies between return and acknowledgement leaves its job to one more run, not to several. */
import { processEnd } from '../../story/process-end.js';
import { conclude, defineCheck, times } from '../define-check.js';
import { acknowledgementOf, ENDS_OF_PROCESS, signDuring } from '../run-span.js';
import { stepOf, Tally } from '../tally.js';
import { isSameQueue } from '../target.js';

const CAUSES: readonly string[] = ['process-killed', 'shutdown-without-close'];

export default defineCheck({
  name: 'active-once-after-restart',
  isAskedBy: ({ finding }) => finding.boundary === 'return-to-ack' && CAUSES.includes(finding.cause),
  watch({ targets }) {
    const walked = new Tally();
    const against = new Tally();
    return {
      see(story, scene) {
        if (targets.length > 0 && !targets.some(({ queue }) => isSameQueue(queue, story.queue))) return;
        for (const run of story.runs) {
          if (run.returned === undefined) continue;
          const end = processEnd(run, scene);
          const sign =
            (end?.certainty === 'possible' ? undefined : (end?.sign ?? end?.lastSign)) ??
            (acknowledgementOf(run) && signDuring(run, ENDS_OF_PROCESS, scene, run.returned));
          if (sign === undefined) continue;
          const later = story.runs.slice(run.n);
          const records = [
            stepOf(run.returned, 'same-clock', `The handler of job ${story.job} returned.`, scene),
            stepOf(sign, 'handoff', 'Its process ended.', scene),
            ...later.map((one) => stepOf(one.activation ?? one.started, 'handoff', `Run ${one.n} began.`, scene)),
          ];
          walked.add(records);
          if (later.length > 1) against.add(records);
        }
      },
      answer: (isNeeded) =>
        conclude(
          isNeeded,
          { against, walked },
          {
            fails: `${times(against.count, 'job')} became active more than once after such a restart`,
            holds: `${times(walked.count, 'restart')} between a return and its acknowledgement: each job was active once more or not at all`,
            notWalked: 'no process ended between a return and its acknowledgement',
          },
          ['A recording in which a worker is ended right after a handler returned'],
        ),
    };
  },
});
