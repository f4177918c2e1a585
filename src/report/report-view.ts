/** The whole report as data: every section's view model, in the order of the page. Nothing here is escaped yet. */
import type { Analysis } from '../model/analysis.js';
import { type ReportContext, reportContext } from './context.js';
import type { ReportOptions } from './options.js';
import { answer } from './sections/answer.js';
import { askedJob } from './sections/asked-job.js';
import { atMoment } from './sections/at-moment.js';
import { clocks } from './sections/clocks.js';
import { coverage } from './sections/coverage.js';
import { exposure } from './sections/exposure.js';
import { findingDetails } from './sections/finding-detail.js';
import { findingsTable } from './sections/findings-table.js';
import { jobStories } from './sections/job-stories.js';
import { limits, notUnderstood } from './sections/limits.js';
import { liveWorkers, scaling } from './sections/live-workers.js';
import { manifest } from './sections/manifest.js';
import { nextEvidence } from './sections/next-evidence.js';
import { observed } from './sections/observed.js';
import { proof } from './sections/proof.js';
import { records } from './sections/records.js';
import { settings } from './sections/settings.js';
import { timeline } from './sections/timeline.js';
import { workers } from './sections/workers.js';

export type ReportView = ReturnType<typeof reportView>;

/** @throws RangeError when the display zone is not known. */
export function reportView(analysis: Analysis, options: ReportOptions = {}) {
  return viewOf(reportContext(analysis, options));
}

function viewOf(context: ReportContext) {
  const { told, more } = findingDetails(context);
  return {
    zone: context.clock.zone,
    columns: context.columns,
    answer: answer(context),
    at: atMoment(context),
    proof: proof(context),
    asked: askedJob(context),
    findingsTable: findingsTable(context),
    timeline: timeline(context),
    records: records(context),
    findings: told,
    findingsMore: more,
    findingsCount: context.analysis.findings.length,
    stories: jobStories(context),
    workers: workers(context),
    liveWorkers: liveWorkers(context),
    scaling: scaling(context),
    clocks: clocks(context),
    coverage: coverage(context),
    settings: settings(context),
    observed: observed(context),
    exposure: exposure(context),
    nextEvidence: nextEvidence(context),
    limits: limits(context),
    notUnderstood: notUnderstood(context),
    manifest: manifest(context),
  };
}
