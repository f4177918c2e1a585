/** The path of every lost lock: a run that lasts longer than the lock lived before. */
import { durationText } from '../../story/moments.js';
import type { Run } from '../../story/story.js';
import { conclude, defineCheck, times } from '../define-check.js';
import { spanOf } from '../run-span.js';
import { stepOf, Tally } from '../tally.js';
import { isOf, lockOf } from '../target.js';

export default defineCheck({
  name: 'long-run-renewed',
  isAskedBy: ({ finding }) => finding.boundary === 'lock-renewal',
  watch({ before, targets }) {
    const mine = targets.filter(({ finding }) => finding.boundary === 'lock-renewal');
    const walked = new Tally();
    const against = new Tally();
    let renewed = 0;
    let longestPauseMs = 0;
    const [shortest = lockOf(before)] = [...mine].sort((a, b) => a.lockMs - b.lockMs);
    return {
      see(story, scene) {
        const lockMs = mine.length === 0 ? shortest.lockMs : mine.find((target) => isOf(target, story))?.lockMs;
        if (lockMs === undefined) return;
        for (const run of story.runs) {
          const span = spanOf(run, scene);
          if (span === undefined || span.ms <= lockMs) continue;
          const begin = stepOf(span.begin, 'lock', `Job ${story.job} began its run ${run.n}.`, scene);
          const lost = run.stall?.recorded ?? run.stall?.noticed ?? (run.completed ? undefined : run.lockErrors[0]);
          if (lost !== undefined)
            against.add([begin, stepOf(lost, 'sweep', `Its lock was lost: ${lost.kind} of job ${story.job}.`, scene)]);
          if (run.completed === undefined && run.acknowledged === undefined) continue;
          const pause = longestPause(run);
          if (pause !== undefined) renewed++;
          longestPauseMs = Math.max(longestPauseMs, pause ?? 0);
          const end = stepOf(span.end, 'lock', `Job ${story.job} completed after ${durationText(span.ms)}.`, scene);
          walked.add([begin, end]);
        }
      },
      answer: (isNeeded) => {
        const long = `longer than the old lock lived (${shortest.lockText})`;
        const shown =
          renewed > 0
            ? `${renewed} of them with their renewals, at most ${durationText(longestPauseMs)} apart`
            : 'their renewals are not in this evidence, which AOF or MONITOR would show';
        return conclude(
          isNeeded,
          { against, walked },
          {
            fails: `${times(against.count, 'run')} ${long} lost the lock`,
            holds: `${times(walked.count, 'run')} ${long} completed without a stall; ${shown}`,
            notWalked: `no run of the recording lasted ${long}`,
          },
          ['A recording in which the handler runs at least as long as the one that failed'],
        );
      },
    };
  },
});

/** The longest time between taking the lock and its renewals, ms; undefined where no renewal was seen with a time. */
function longestPause({ ledger }: Run): number | undefined {
  const times = ledger
    .filter(
      ({ kind, t, precision }) =>
        (kind === 'lock-set' || kind === 'lock-renewed') && t !== undefined && precision !== 'none',
    )
    .map(({ t }) => t ?? 0);
  if (times.length < 2) return undefined;
  return Math.max(...times.slice(1).map((t, i) => t - (times[i] ?? t)));
}
