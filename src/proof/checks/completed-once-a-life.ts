/** One end for one piece of work, by the idempotency records where they are given, and by the runs of each job. */

import type { Check } from '../../model/analysis.js';
import { RECORD_VERDICTS, type RecordKey, type RecordVerdict } from '../../model/records-audit.js';
import type { Run } from '../../story/story.js';
import { conclude, defineCheck, type Pair, times } from '../define-check.js';
import { stepOf, Tally } from '../tally.js';
import { isSameQueue } from '../target.js';

const DOUBLED: readonly RecordVerdict[] = ['done-twice', 'overlapping', 'regressed'];

export default defineCheck({
  name: 'completed-once-a-life',
  isAskedBy: ({ finding }) => finding.jobs.some(({ ended }) => ended.atLeast > 1),
  watch({ after, targets }) {
    const walked = new Tally();
    const against = new Tally();
    for (const key of after.records?.keys ?? []) addKey(key, targets, against);
    return {
      see(story, scene) {
        if (targets.length > 0 && !targets.some(({ queue }) => isSameQueue(queue, story.queue))) return;
        const ends = story.runs.flatMap((run) => ((run.acknowledged ?? run.completed) ? [run] : []));
        const [first] = ends;
        if (first === undefined) return;
        const end = stepOf(first.completed ?? first.acknowledged, 'redis-order', `Job ${story.job} completed.`, scene);
        walked.add([end]);
        // Records that name no queue may be of two jobs with one id.
        const again = story.queue && ends.find((run) => run !== first && lifeOf(run) === lifeOf(first));
        if (again)
          against.add([
            end,
            stepOf(again.completed ?? again.acknowledged, 'redis-order', 'It completed again.', scene),
          ]);
        const [late] = story.lateProgress;
        if (late !== undefined && story.queue !== undefined)
          against.add([end, stepOf(late, 'state', `Progress was written to job ${story.job} after its end.`, scene)]);
      },
      answer: (isNeeded) => {
        const rows =
          after.records === undefined ? '' : `, by ${times(after.records.totals.rows, 'row')} of records, too`;
        return conclude(
          isNeeded,
          { against, walked },
          {
            fails: `${times(against.count, 'job or key', 'jobs or keys')} ended more than once, or had a checkpoint moved behind its end`,
            holds: `${times(walked.count, 'job')} completed, each once in the life of a worker${rows}`,
            notWalked: 'no completed job is in the recording',
          },
          ['The events stream or the workers’ completed lines, and the idempotency records'],
        );
      },
    };
  },
});

/** Runs of which the worker is not known are of one life. */
const lifeOf = (run: Run): string => run.worker?.id ?? '';

function addKey(key: RecordKey, targets: Pair['targets'], against: Tally): void {
  const grave = key.verdicts.find(({ verdict }) => DOUBLED.includes(verdict));
  if (grave === undefined || (targets.length > 0 && !targets.some(({ queue }) => isSameQueue(queue, key.queue))))
    return;
  against.add(
    key.shown.map((row): Check['records'][number] => ({
      text: `The records say of key ${key.key ?? 'unknown'}: ${RECORD_VERDICTS[grave.verdict]}.`,
      moment: {
        ...(row.started === undefined ? {} : { at: row.started }),
        precision: row.started === undefined ? 'none' : 'ms',
        clock: 'records',
      },
      kind: 'state',
      ref: row.ref,
    })),
  );
}
