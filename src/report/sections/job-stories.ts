/** The story of each affected job: its runs in a table and a picture. */
import type { Execution, Finding, JobStory } from '../../model/analysis.js';
import { jobAnchor, jobKey, jobLabel, type ReportContext } from '../context.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, columns, type TableView, table } from '../parts.js';
import { type LaneChart, laneChart } from './lane-chart.js';
import { HOW_WORDS } from './phrases.js';

export interface StoryView {
  readonly anchor: string;
  readonly label: string;
  readonly name: string;
  readonly outcome: string;
  /** What the lock said at the moment of the snapshot; '' where no snapshot has it. */
  readonly lock: string;
  readonly lockReference: string;
  /** Undefined where no run has a time, and where the finding already shows it. */
  readonly chart: LaneChart | undefined;
  /** The finding that shows the chart of this job. */
  readonly chartIn: Cell;
  readonly runs: TableView;
}

export interface StoriesView {
  readonly stories: readonly StoryView[];
  readonly more: string;
}

export function jobStories(context: ReportContext): StoriesView {
  const { stories } = context.analysis;
  const charted = chartedJobs(context);
  const left = stories.length - CAPS.stories;
  return {
    stories: stories.slice(0, CAPS.stories).map((story) => storyView(story, charted.get(jobKey(story)), context)),
    more: left > 0 ? `The stories of ${left} more jobs are in analysis.json, their runs in reconcile.csv.` : '',
  };
}

function storyView(story: JobStory, charted: Finding | undefined, context: ReportContext): StoryView {
  const lock = story.lockAtSnapshot ?? story.noLockAtSnapshot;
  return {
    anchor: jobAnchor(story),
    label: jobLabel(story),
    name: story.name ?? '',
    outcome: story.outcome,
    lock: snapshotText(story, context),
    lockReference: lock === undefined ? '' : context.ref(lock.ref),
    chart: charted === undefined ? laneChart(story, context) : undefined,
    chartIn: charted === undefined ? [] : [context.findingPart(charted)],
    runs: runsTable(story.executions, context),
  };
}

function snapshotText({ lockAtSnapshot, noLockAtSnapshot }: JobStory, context: ReportContext): string {
  if (lockAtSnapshot === undefined) {
    return noLockAtSnapshot === undefined ? '' : 'Somebody asked for the lock, and at that moment there was none.';
  }
  const { token, expiresAt } = lockAtSnapshot;
  const holder = token === undefined ? 'a token that was not asked for' : `token ${token}`;
  const expiry = expiresAt === undefined ? 'without a known expiry' : `until ${context.clock.iso(expiresAt)}`;
  return `At the snapshot the lock was held by ${holder} ${expiry}.`;
}

/** Each finding draws the first of its jobs that has a story; the first finding to do so keeps it. */
function chartedJobs(context: ReportContext): Map<string, Finding> {
  const charted = new Map<string, Finding>();
  for (const finding of context.analysis.findings.slice(0, CAPS.findings)) {
    const story = chartedStory(finding, context);
    if (story !== undefined && !charted.has(jobKey(story))) charted.set(jobKey(story), finding);
  }
  return charted;
}

/** The story whose chart stands with a finding. */
export function chartedStory(finding: Finding, context: ReportContext): JobStory | undefined {
  for (const job of finding.jobs) {
    const story = context.story(job);
    if (story !== undefined) return story;
  }
  return undefined;
}

function runsTable(runs: readonly Execution[], context: ReportContext): TableView {
  const heads = columns(
    'Run',
    'Worker',
    'Started',
    'Returned',
    'Acknowledged',
    'Ended as',
    'Lock',
    'Token',
    'References',
  );
  const rows = runs.map((run) => row(run, context));
  return table('Runs of the handler', heads, rows, CAPS.jobsPerFinding, 'reconcile.csv');
}

function row(run: Execution, context: ReportContext): Cell[] {
  const refs = [run.startRef, ...(run.endRef === undefined ? [] : [run.endRef])].map((ref) => context.ref(ref));
  return [
    cell(String(run.n)),
    run.worker === undefined ? cell('not named') : codeCell(context.worker(run.worker)),
    cell(context.clock.dateTime(run.start)),
    cell(run.returned === undefined ? 'not seen' : context.clock.dateTime(run.returned)),
    cell(run.acknowledged === undefined ? 'not seen' : context.clock.dateTime(run.acknowledged)),
    cell(HOW_WORDS[run.how]),
    cell(lockText(run, context)),
    codeCell(run.token),
    [...new Set(refs)].flatMap((ref, index) => [...(index === 0 ? [] : cell(', ')), ...codeCell(ref)]),
  ];
}

function lockText({ lock }: Execution, context: ReportContext): string {
  const renewals =
    lock.renewals === undefined ? '' : `renewed ${lock.renewals === 1 ? 'once' : `${lock.renewals} times`}, `;
  const told = [
    ['taken', lock.acquired],
    [`${renewals}last renewed`, lock.renewed],
    ['life until', lock.released === undefined ? lock.livesUntil : undefined],
    ['ran out', lock.expired],
    ['evicted', lock.evicted],
    ['released', lock.released],
    ['deleted', lock.deleted],
  ] as const;
  const said = told.flatMap(([word, moment]) =>
    moment === undefined ? [] : [`${word} ${context.clock.time(moment)}`],
  );
  return said.length === 0 ? 'not seen' : said.join(', ');
}
