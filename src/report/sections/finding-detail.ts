/** One finding in full: what it claims, the records that show it, the rivals, what would decide, what to do. */
import type { Finding } from '../../model/analysis.js';
import { BOUNDARIES, CAUSES } from '../../model/boundaries.js';
import { findingAnchor, type ReportContext } from '../context.js';
import { CAPS } from '../options.js';
import { type Cell, cell, STATUS_WORDS, type TableView, type Tone } from '../parts.js';
import { affectedJobs } from './affected-jobs.js';
import { hypotheses } from './hypotheses.js';
import { chartedStory } from './job-stories.js';
import { type LaneChart, laneChart } from './lane-chart.js';
import { verdictText } from './verdict-phrases.js';
import { consequenceSteps, type StepView, witnessSteps } from './witness.js';

export interface FindingView {
  readonly label: string;
  readonly anchor: string;
  readonly title: string;
  readonly status: string;
  readonly tone: Tone;
  readonly rule: string;
  readonly id: string;
  readonly verdict: string;
  readonly summary: string;
  readonly boundary: { readonly name: string; readonly title: string; readonly means: string };
  readonly cause: { readonly name: string; readonly title: string; readonly means: string };
  readonly worker: string;
  readonly window: string;
  readonly witness: readonly StepView[];
  readonly consequences: readonly StepView[];
  readonly chart: LaneChart | undefined;
  readonly chartJob: Cell;
  readonly hypotheses: TableView;
  readonly wouldDecide: readonly string[];
  readonly advice: readonly string[];
  readonly counterfactual: string;
  readonly jobs: TableView;
}

/** The first of them, and what is said of the others. */
export function findingDetails(context: ReportContext): { readonly told: FindingView[]; readonly more: string } {
  const { findings } = context.analysis;
  const left = findings.length - CAPS.findings;
  return {
    told: findings.slice(0, CAPS.findings).map((finding) => findingDetail(finding, context)),
    more: left > 0 ? `${left} more findings stand in the table of findings, and in full in analysis.json.` : '',
  };
}

function findingDetail(finding: Finding, context: ReportContext): FindingView {
  const label = context.findingLabel(finding);
  const [boundary, cause] = [BOUNDARIES[finding.boundary], CAUSES[finding.cause]];
  const story = chartedStory(finding, context);
  return {
    label,
    anchor: findingAnchor(label),
    title: boundary.title === cause.title ? boundary.title : `${boundary.title}: ${lowerFirst(cause.title)}`,
    status: STATUS_WORDS[finding.status],
    tone: finding.status,
    rule: finding.rule,
    id: finding.id,
    verdict: verdictText(finding),
    summary: finding.summary,
    boundary: { name: finding.boundary, title: boundary.title, means: boundary.means },
    cause: { name: finding.cause, title: cause.title, means: cause.means },
    worker: finding.worker === undefined ? '' : context.workerWithPid(finding.worker),
    window: windowText(finding, context),
    witness: witnessSteps(finding.witness, context),
    consequences: consequenceSteps(finding.consequences, context),
    chart: story && laneChart(story, context),
    chartJob: story === undefined ? cell('') : [context.jobPart(story)],
    hypotheses: hypotheses(finding, context),
    wouldDecide: finding.wouldDecide,
    advice: finding.advice,
    counterfactual: finding.counterfactual ?? '',
    jobs: affectedJobs(finding, context),
  };
}

function windowText({ window }: Finding, context: ReportContext): string {
  if (window === undefined) return '';
  return `${context.clock.dateTime(window.from)} to ${context.clock.dateTime(window.to)}`;
}

function lowerFirst(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}
