/** One row a finding: the verdict at a glance. */
import type { AffectedJob, Finding } from '../../model/analysis.js';
import { BOUNDARIES, CAUSES } from '../../model/boundaries.js';
import type { ReportContext } from '../context.js';
import { durationText, plural } from '../durations.js';
import { CAPS } from '../options.js';
import { badge, type Cell, cell, code, columns, type TableView, tableOf, text } from '../parts.js';
import { DUPLICATE_WORDS } from './phrases.js';

const MOST_JOBS_NAMED = 3;

export function findingsTable(context: ReportContext): TableView {
  const { findings } = context.analysis;
  const heads = columns('Finding', 'Status', 'Boundary', 'Cause', 'Jobs', 'Run twice', 'Worker', 'From', 'To');
  const caption = `Findings, times in ${context.clock.zone}`;
  return tableOf(caption, heads, findings, (finding) => row(finding, context), CAPS.tableRows, 'analysis.json');
}

function row(finding: Finding, context: ReportContext): Cell[] {
  return [
    [context.findingPart(finding)],
    [badge(finding.status)],
    cell(BOUNDARIES[finding.boundary].title),
    cell(CAUSES[finding.cause].title),
    jobsCell(finding.jobs, context),
    cell(duplicates(finding.jobs)),
    finding.worker === undefined ? [] : [code(context.worker(finding.worker))],
    cell(finding.window && context.clock.dateTime(finding.window.from)),
    cell(finding.window && context.clock.dateTime(finding.window.to)),
  ];
}

function jobsCell(jobs: readonly AffectedJob[], context: ReportContext): Cell {
  const parts = jobs.slice(0, MOST_JOBS_NAMED).flatMap((job, index) => {
    const shown = context.jobPart(job);
    return index === 0 ? [shown] : [text(', '), shown];
  });
  const rest = jobs.length - MOST_JOBS_NAMED;
  return rest > 0 ? [...parts, text(` and ${rest} more`)] : parts;
}

/** The worst first; with more than one job, how many of each. */
function duplicates(jobs: readonly AffectedJob[]): string {
  const [only] = jobs;
  if (jobs.length === 1 && only !== undefined) {
    const overlap = only.overlapMs === undefined ? '' : ` (${durationText(only.overlapMs)})`;
    return DUPLICATE_WORDS[only.duplicate] + overlap;
  }
  const kinds = ['overlapping', 'sequential', 'possible', 'unknown', 'none'] as const;
  return kinds
    .map((kind) => [jobs.filter((job) => job.duplicate === kind).length, DUPLICATE_WORDS[kind]] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${plural(count, 'job')}: ${words}`)
    .join('; ');
}
