/** One row a finding: the verdict at a glance. */
import type { AffectedJob, Finding } from '../../model/analysis.js';
import { BOUNDARIES, CAUSES } from '../../model/boundaries.js';
import { jobAnchor, jobLabel, type ReportContext } from '../context.js';
import { durationText, plural } from '../durations.js';
import { CAPS } from '../options.js';
import { badge, type Cell, cell, code, columns, linked, type TableView, table, text } from '../parts.js';
import { DUPLICATE_WORDS } from './phrases.js';

const MOST_JOBS_NAMED = 3;

export function findingsTable(context: ReportContext): TableView {
  const rows = context.analysis.findings.map((finding) => row(finding, context));
  const heads = columns('Finding', 'Status', 'Boundary', 'Cause', 'Jobs', 'Run twice', 'Worker', 'From', 'To');
  return table(`Findings, times in ${context.clock.zone}`, heads, rows, CAPS.tableRows, 'analysis.json');
}

function row(finding: Finding, context: ReportContext): Cell[] {
  const label = context.findingLabel(finding);
  return [
    [linked(text(label), findingAnchor(label))],
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

/** `finding-1`, from `F-1`. */
export function findingAnchor(label: string): string {
  return label.replace('F-', 'finding-');
}

function jobsCell(jobs: readonly AffectedJob[], context: ReportContext): Cell {
  const parts = jobs.slice(0, MOST_JOBS_NAMED).flatMap((job, index) => {
    const name = code(jobLabel(job));
    const shown = context.story(job) === undefined ? name : linked(name, jobAnchor(job));
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
