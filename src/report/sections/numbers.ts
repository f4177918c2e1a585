/** Impact in numbers, each with what it is counted out of. */
import type { AffectedJob, Analysis } from '../../model/analysis.js';
import { jobKey } from '../context.js';
import { countText } from '../durations.js';
import type { NumberView } from './number-view.js';
import { hasEvidence, recordNumbers } from './records-answer.js';

export function numbers(analysis: Analysis): NumberView[] {
  const { totals } = analysis;
  const jobs = distinctJobs(analysis);
  const surely = jobs.filter((job) => job.ended.atLeast >= 2).length;
  const possibly = jobs.filter((job) => job.ended.atLeast < 2 && job.ended.atMost >= 2).length;
  const wrongly = countJobs(analysis, (finding) => finding.cause === 'false-stall-verdict' && isSure(finding));
  const never = countJobs(analysis, (finding) => finding.boundary === 'pickup' && isSure(finding));
  const ofJobs = `of ${countText(totals.jobs)} jobs seen`;
  const ofAffected = `of ${countText(totals.affected)} affected`;
  const byRecords = recordNumbers(analysis);
  if (byRecords.length > 0 && !hasEvidence(analysis)) return byRecords;
  return [
    view('Jobs seen', totals.jobs, `${countText(totals.executions)} runs of a handler`, false),
    view('Affected', totals.affected, ofJobs),
    view('Run twice at once', totals.overlapping, ofAffected),
    view('Run twice in a row', totals.sequential, ofAffected),
    view('Possibly run twice', totals.possible, ofAffected),
    view('Surely ended twice', surely, 'two or more runs reached their end'),
    view('Possibly ended twice', possibly, 'a second end cannot be excluded'),
    view('Wrongly failed', wrongly, 'failed for stalling, the handler ended well'),
    view('Never started', never, 'waiting although a worker could have taken them'),
    ...byRecords,
  ];
}

/** What is only possible is not counted as if it had happened. */
function isSure({ status }: Analysis['findings'][number]): boolean {
  return status === 'shown' || status === 'likely';
}

function view(label: string, count: number, note: string, counts = true): NumberView {
  return { label, value: countText(count), note, alarming: counts && count > 0 };
}

/** A job can stand in more than one finding; it is counted once, with the highest ends that any finding proves. */
function distinctJobs(analysis: Analysis): Pick<AffectedJob, 'ended'>[] {
  const jobs = new Map<string, Pick<AffectedJob, 'ended'>>();
  for (const finding of analysis.findings) {
    for (const job of finding.jobs) {
      const before = jobs.get(jobKey(job))?.ended ?? { atLeast: 0, atMost: 0 };
      const ended = {
        atLeast: Math.max(before.atLeast, job.ended.atLeast),
        atMost: Math.max(before.atMost, job.ended.atMost),
      };
      jobs.set(jobKey(job), { ended });
    }
  }
  return [...jobs.values()];
}

function countJobs(analysis: Analysis, matches: (finding: Analysis['findings'][number]) => boolean): number {
  return new Set(analysis.findings.filter(matches).flatMap((finding) => finding.jobs.map(jobKey))).size;
}
