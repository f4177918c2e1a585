/** The jobs of a finding: how often each ran, whether at once, and how many runs reached their end. */
import type { AffectedJob, Finding } from '../../model/analysis.js';
import type { ReportContext } from '../context.js';
import { countText, durationText } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, columns, type TableView, tableOf } from '../parts.js';
import { DUPLICATE_WORDS } from './phrases.js';

export function affectedJobs(finding: Finding, context: ReportContext): TableView {
  const heads = columns('Job', '#Runs', '#Activations', 'Run twice', '#Overlap', '#Runs ended', 'Progress went back');
  return tableOf(
    'Jobs of this finding',
    heads,
    finding.jobs,
    (job) => row(job, context),
    CAPS.jobsPerFinding,
    'jobs.csv',
  );
}

function row(job: AffectedJob, context: ReportContext): Cell[] {
  return [
    [context.jobPart(job)],
    cell(job.executions === undefined ? 'not known' : countText(job.executions)),
    cell(job.activations === undefined ? 'not known' : countText(job.activations)),
    cell(DUPLICATE_WORDS[job.duplicate]),
    cell(job.overlapMs === undefined ? '' : durationText(job.overlapMs)),
    cell(rangeText(job.ended)),
    cell(job.progressRegressed === undefined ? '' : job.progressRegressed ? 'yes' : 'no'),
  ];
}

function rangeText({ atLeast, atMost }: AffectedJob['ended']): string {
  return atLeast === atMost ? countText(atLeast) : `${countText(atLeast)} to ${countText(atMost)}`;
}
