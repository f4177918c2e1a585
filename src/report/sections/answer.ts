/**
 * The answer: its first sentence says whether this was a fight over the job, a lock that ran out or something else, who
 * held the job when, and whether the runs reached their end.
 */
import type { AffectedJob, Analysis, Execution, Finding } from '../../model/analysis.js';
import type { ReportContext } from '../context.js';
import { durationText, plural } from '../durations.js';
import type { Tone } from '../parts.js';
import { nothingFound } from './nothing-found.js';
import type { NumberView } from './number-view.js';
import { numbers } from './numbers.js';
import { duplicateText, endsText, jobPhrase } from './phrases.js';
import { proofAnswer } from './proof.js';
import { recordsAnswer, recordsText } from './records-answer.js';
import { selectionText } from './selected.js';
import { verdictPhrase, verdictText } from './verdict-phrases.js';

export interface AnswerView {
  readonly verdict: string;
  readonly tone: Tone;
  readonly sentence: string;
  readonly more: readonly string[];
  readonly numbers: readonly NumberView[];
}

const MOST_RUNS_TOLD = 3;
const MOST_JOBS_NAMED = 3;
const MOST_RIVALS_NAMED = 3;

export function answer(context: ReportContext): AnswerView {
  const said = proofAnswer(context) ?? told(context);
  const notes = [...said.more, redactedText(context.analysis)];
  return { ...said, more: notes.filter((line) => line !== ''), numbers: numbers(context.analysis) };
}

function told(context: ReportContext): Omit<AnswerView, 'numbers'> {
  const { findings } = context.analysis;
  const failures = findings.filter((finding) => finding.boundary !== 'none');
  const leading = failures[0];
  if (leading === undefined) return recordsAnswer(context) ?? nothingFound(context);
  return {
    verdict: verdictText(leading),
    tone: leading.status,
    sentence: leadingSentence(leading, context),
    more: [
      dayAndZone(leading, context),
      otherFindings(failures.slice(1), context),
      selectionText(context.analysis),
      recordsText(context.analysis),
    ],
  };
}

const redactedText = ({ redacted }: Analysis): string =>
  redacted === undefined
    ? ''
    : 'Names in this report are pseudonyms (--redact): of hosts, files, queues, keys, addresses, ids that are no numbers, and errors that are not of BullMQ or Redis.';

function leadingSentence(finding: Finding, context: ReportContext): string {
  const [first] = finding.jobs;
  if (first === undefined) return finding.summary;
  return finding.jobs.length === 1 ? oneJob(finding, first, context) : manyJobs(finding, first, context);
}

function oneJob(finding: Finding, job: AffectedJob, context: ReportContext): string {
  const runs = context.story(job)?.executions ?? [];
  const executions = job.executions ?? (runs.length > 0 ? runs.length : undefined);
  const opening = withReason(`${jobPhrase(job)} ${duplicateText(job, executions)}`, finding);
  const told = runsTold(runs, 'it', context);
  return `${[opening, ...(told === '' ? [] : [told])].join(': ')}; ${ends(job, executions)}.`;
}

function manyJobs(finding: Finding, first: AffectedJob, context: ReportContext): string {
  const { jobs } = finding;
  const queues = new Set(jobs.map((job) => job.queue));
  const where = queues.size === 1 && first.queue !== undefined ? ` of queue ${first.queue}` : '';
  const named = jobs.slice(0, MOST_JOBS_NAMED).map((job) => job.id);
  const rest = jobs.length - named.length;
  const list = rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
  const opening = withReason(`${plural(jobs.length, 'job')}${where} (${list}) ${manyDuplicates(jobs)}`, finding);
  const told = runsTold(context.story(first)?.executions ?? [], `job ${first.id}`, context);
  const twice = jobs.filter((job) => job.ended.atLeast >= 2).length;
  const perhaps = jobs.filter((job) => job.ended.atLeast < 2 && job.ended.atMost >= 2).length;
  const endings =
    perhaps === 0
      ? `${twice} of ${jobs.length} surely reached their end twice`
      : `${twice} of ${jobs.length} surely reached their end twice, ${perhaps} more possibly`;
  return `${[opening, ...(told === '' ? [] : [`for instance, ${told}`])].join(': ')}; ${endings}.`;
}

function manyDuplicates(jobs: readonly AffectedJob[]): string {
  const count = (kind: AffectedJob['duplicate']): number => jobs.filter((job) => job.duplicate === kind).length;
  const said = [
    [count('overlapping'), 'ran twice at once'],
    [count('sequential'), 'ran twice, one run after the other'],
    [count('possible'), 'possibly ran twice'],
  ] as const;
  const seen = said.filter(([number]) => number > 0);
  const [only] = seen;
  if (only === undefined) return 'were affected without a second run seen';
  if (seen.length === 1 && only[0] === jobs.length) return only[1];
  return `were affected (${seen.map(([number, what]) => `${number} ${what}`).join(', ')})`;
}

function withReason(what: string, finding: Finding): string {
  const phrase = verdictPhrase(finding);
  const hedge = { shown: '', likely: ', likely', possible: ', possibly', 'cannot-tell': ', perhaps' }[finding.status];
  const not = phrase.not === '' || finding.status === 'cannot-tell' ? '' : `, ${phrase.not}`;
  const comma = hedge === '' && what.includes(',') ? ',' : '';
  return `${what}${comma}${hedge} because ${phrase.because} (${finding.boundary}, ${causeText(finding)})${not}`;
}

/** Who started it when. */
function runsTold(runs: readonly Execution[], object: string, context: ReportContext): string {
  const [first, ...later] = runs;
  if (first === undefined) return '';
  const started = (run: Execution, what: string): string =>
    `${context.workerWithPid(run.worker)} started ${what} at ${whenText(run, first, context)}`;
  const clauses = [
    started(first, object),
    ...later.slice(0, MOST_RUNS_TOLD - 1).map((run) => started(run, 'it again')),
  ];
  const untold = later.length - (MOST_RUNS_TOLD - 1);
  if (untold > 0) clauses.push(`${plural(untold, 'more start')} followed`);
  return clauses.join(', ');
}

function whenText(run: Execution, first: Execution, context: ReportContext): string {
  const day = context.clock.date(run.start);
  const time = context.clock.time(run.start) + context.clock.redisNote(run.start);
  if (day === '') return 'a time that is not known';
  return day === context.clock.date(first.start) ? time : `${time} on ${day}`;
}

/** The cause by name, and the rivals that records support and none contradicts. */
function causeText(finding: Finding): string {
  const rivals = finding.hypotheses
    .filter((one) => one.cause !== finding.cause && one.for.length > 0 && one.against.length === 0)
    .map((one) => one.cause);
  if (rivals.length === 0) return finding.cause;
  const told = rivals.slice(0, MOST_RIVALS_NAMED).join(' and ');
  return `${finding.cause}: not told apart from ${told}${rivals.length > MOST_RIVALS_NAMED ? ' and others' : ''}`;
}

function ends(job: AffectedJob, executions: number | undefined): string {
  const text = endsText(executions === undefined ? { ended: job.ended } : { ended: job.ended, executions });
  return job.overlapMs === undefined ? text : `${text}, overlapping by ${durationText(job.overlapMs)}`;
}

function dayAndZone(finding: Finding, context: ReportContext): string {
  const start = finding.window?.from ?? finding.witness[0]?.moment;
  const day = start === undefined ? '' : context.clock.date(start);
  return day === '' ? '' : `It began on ${day}; all times in this report are ${context.clock.zone}.`;
}

function otherFindings(others: readonly Finding[], context: ReportContext): string {
  if (others.length === 0) return '';
  const named = others
    .slice(0, MOST_JOBS_NAMED)
    .map((finding) => `${context.findingLabel(finding)} ${finding.boundary} (${plural(finding.jobs.length, 'job')})`);
  const rest = others.length - named.length;
  const list = rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
  return `${plural(others.length, 'other finding')}: ${list}.`;
}
