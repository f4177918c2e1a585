/** jobs.csv: every affected job of every finding, one row each. */
import type { Analysis } from '../../model/analysis.js';
import { reportContext } from '../context.js';
import { csv } from './escape-csv.js';

const HEADER = [
  'queue',
  'job_id',
  'job_name',
  'finding',
  'finding_id',
  'boundary',
  'cause',
  'status',
  'executions',
  'activations',
  'duplicate',
  'overlap_ms',
  'ended_at_least',
  'ended_at_most',
  'progress_regressed',
  'outcome',
  'worker',
  'window_from',
  'window_to',
];

export function renderJobsCsv(analysis: Analysis): string {
  const context = reportContext(analysis);
  const rows = analysis.findings.flatMap((finding) =>
    finding.jobs.map((job) => {
      const story = context.story(job);
      return [
        job.queue,
        job.id,
        story?.name,
        context.findingLabel(finding),
        finding.id,
        finding.boundary,
        finding.cause,
        finding.status,
        job.executions,
        job.activations,
        job.duplicate,
        job.overlapMs,
        job.ended.atLeast,
        job.ended.atMost,
        job.progressRegressed,
        story?.outcome,
        finding.worker,
        finding.window?.from.at,
        finding.window?.to.at,
      ];
    }),
  );
  return csv(HEADER, rows);
}
