/**
 * reconcile.csv: one row for every run of every affected job, to be held against what was charged, sent or written.
 *
 * `surplus_*` is how many effects too many there can be if every run that reached its end had its effect once.
 */
import type { AffectedJob, Analysis, Execution, Finding } from '../../model/analysis.js';
import { jobKey, type ReportContext, reportContext } from '../context.js';
import { type CsvValue, csv } from './escape-csv.js';

const HEADER = [
  'queue',
  'job_id',
  'job_name',
  'duplicate',
  'runs_ended_at_least',
  'runs_ended_at_most',
  'surplus_at_least',
  'surplus_at_most',
  'run',
  'worker',
  'token',
  'started_at',
  'returned_at',
  'ended_at',
  'acknowledged_at',
  'how_ended',
  'start_reference',
  'end_reference',
  'finding',
  'status',
];

export function renderReconcileCsv(analysis: Analysis): string {
  const context = reportContext(analysis);
  const seen = new Set<string>();
  const rows = analysis.findings.flatMap((finding) =>
    finding.jobs.flatMap((job) => {
      // A job can stand in several findings; its runs are listed with the first, which leads.
      if (seen.has(jobKey(job))) return [];
      seen.add(jobKey(job));
      return jobRows(finding, job, context);
    }),
  );
  return csv(HEADER, rows);
}

function jobRows(finding: Finding, job: AffectedJob, context: ReportContext): CsvValue[][] {
  const story = context.story(job);
  const { atLeast, atMost } = job.ended;
  const before = [job.queue, job.id, story?.name, job.duplicate, atLeast, atMost, surplus(atLeast), surplus(atMost)];
  const after = [context.findingLabel(finding), finding.status];
  const runs = story?.executions ?? [];
  if (runs.length === 0) return [[...before, ...new Array<undefined>(10).fill(undefined), ...after]];
  return runs.map((run) => [...before, ...runCells(run, context), ...after]);
}

function surplus(ends: number): number {
  return Math.max(0, ends - 1);
}

function runCells(run: Execution, context: ReportContext): CsvValue[] {
  return [
    run.n,
    run.worker,
    run.token,
    run.start.at,
    run.returned?.at,
    run.end?.at,
    run.acknowledged?.at,
    run.how,
    context.ref(run.startRef),
    run.endRef && context.ref(run.endRef),
  ];
}
