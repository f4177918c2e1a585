/** The report for a terminal: the answer first, then each finding with its witness. Plain text; colours on request. */
import type { Analysis } from '../../model/analysis.js';
import type { ReportOptions } from '../options.js';
import type { TableView } from '../parts.js';
import { type ReportView, reportView } from '../report-view.js';
import type { AtGroup } from '../sections/at-moment.js';
import type { FindingView } from '../sections/finding-detail.js';
import type { StepView } from '../sections/witness.js';
import { laneText } from './lane-text.js';
import { type Paint, painter, wrap } from './terminal-text.js';
import { textWidth } from './text-width.js';
import { tameAnalysis } from './visible.js';

const MOST_FINDINGS = 12;
const MOST_CHARTS = 3;
const MOST_LIMITS = 8;
const MOST_RECORDS = 60;
const MOST_STEPS = 4;

interface Page {
  readonly width: number;
  readonly paint: Paint;
}

/** @throws RangeError when the display zone is not known. */
export function renderTerminal(analysis: Analysis, options: ReportOptions = {}): string {
  const view = reportView(tameAnalysis(analysis), options);
  const page: Page = { width: view.columns, paint: painter(options.color ?? false) };
  const blocks = [
    answerBlock(view, page),
    proofBlock(view, page),
    atBlock(view, page),
    askedBlock(view, page),
    numbersBlock(view, page),
    recordsBlock(view, page),
    ...view.findings.slice(0, MOST_FINDINGS).map((finding, index) => findingBlock(finding, index < MOST_CHARTS, page)),
    moreFindings(view),
    detectionBlock(view, page),
    listBlock('Next evidence', rowTexts(view.nextEvidence), page),
    listBlock('Limits', [...rowTexts(view.limits), ...rowTexts(view.notUnderstood)], page),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function answerBlock(view: ReportView, { width, paint }: Page): string[] {
  const { verdict, tone, sentence, more } = view.answer;
  return [
    paint.bold(paint.tone(tone, verdict)),
    ...wrap(sentence, width, ''),
    ...more.flatMap((line) => wrap(line, width, '')),
  ];
}

/** Each check with its answer and the first records it rests on. */
function proofBlock({ proof }: ReportView, { width, paint }: Page): string[] {
  if (proof === undefined) return [];
  return [
    paint.bold('Checks'),
    ...proof.checks.flatMap((check) => [
      ...wrap(`[${check.outcome}] ${check.asks}`, width, '  ', '    '),
      ...wrap(`${check.says}.`, width, '    '),
      ...check.steps.slice(0, MOST_STEPS).flatMap((step) => stepLines(step, width, paint)),
      ...check.missing.flatMap((what) => wrap(`Missing: ${what}`, width, '    ')),
    ]),
  ];
}

function atBlock({ at }: ReportView, { width, paint }: Page): string[] {
  if (at === undefined) return [];
  return [
    paint.bold(`Redis at ${at.moment}: job ${at.job}`),
    ...wrap(at.sentence, width, ''),
    ...at.groups.flatMap((group) => atGroup(group, width, paint)),
    ...rowTexts(at.sources).flatMap((line) => bullet(line, width)),
  ];
}

const MOST_KEYS = 10;

/** The gravest keys, each with its records; a retry by policy is no news. */
function recordsBlock({ records }: ReportView, { width, paint }: Page): string[] {
  if (records === undefined) return [];
  const { rows, more } = records.keys;
  const grave = rows.filter((row) => row[1]?.some((part) => part.text !== 'retried'));
  const texts = grave.slice(0, MOST_KEYS).map((row) => {
    const [key = '', verdicts = '', says = '', jobs = '', , , findings = '', refs = ''] = row.map((cell) =>
      cell.map((part) => part.text).join(''),
    );
    const where = [jobs === '' ? '' : `job ${jobs}`, findings, refs].filter((part) => part !== '').join(' · ');
    return `${key}: ${verdicts}: ${says} (${where})`;
  });
  const left = grave.length - MOST_KEYS;
  if (texts.length === 0 && records.cannotTell.length === 0) return [];
  return [
    paint.bold('Idempotency records'),
    ...texts.flatMap((line) => bullet(line, width)),
    ...(left > 0 ? [`  and ${left} more keys`] : []),
    ...(more === '' ? [] : wrap(more, width, '  ')),
    ...records.cannotTell.flatMap((what) => bullet(`cannot tell: ${what}`, width)),
  ];
}

/** Every record of the job, as far as a terminal is the place for it. */
function askedBlock({ asked }: ReportView, { width, paint }: Page): string[] {
  if (asked === undefined) return [];
  const left = asked.entries.length - MOST_RECORDS;
  return [
    paint.bold(`Job ${asked.label}`),
    ...wrap(asked.sentence, width, ''),
    ...asked.entries
      .slice(0, MOST_RECORDS)
      .flatMap(({ time, worker, text, reference }) => [
        ...wrap([time, worker, text].filter((part) => part !== '').join('  '), width, '  ', '    '),
        `      ${paint.dim(reference)}`,
      ]),
    ...(left > 0 ? [`  ${left} more records are in the written reports.`] : []),
  ];
}

/** As a session of redis-cli would look, with the record each answer rests on. */
function atGroup({ questions, answer, remark, references }: AtGroup, width: number, paint: Paint): string[] {
  const more = [remark, references.join(', ')].filter((text) => text !== '').join('; ');
  const oneLine = `    ${answer}  ${more}`;
  const fits = answer !== '' && more !== '' && textWidth(oneLine) <= width;
  return [
    ...questions.map((question) => `  > ${question}`),
    ...(fits ? [`    ${answer}  ${paint.dim(more)}`] : answer === '' ? [] : [`    ${answer}`]),
    ...(fits || more === '' ? [] : wrap(more, width, '      ').map((line) => paint.dim(line))),
  ];
}

function numbersBlock(view: ReportView, { paint }: Page): string[] {
  const widest = Math.max(...view.answer.numbers.map((number) => number.value.length));
  return view.answer.numbers.map(({ label, value, note, alarming }) => {
    const shown = value.padStart(widest);
    return `  ${label.padEnd(22)}${alarming ? paint.bold(shown) : shown}  ${paint.dim(note)}`;
  });
}

function findingBlock(finding: FindingView, withChart: boolean, { width, paint }: Page): string[] {
  const heading = `${finding.label}  ${finding.title}`;
  const body = [
    `${paint.bold(heading)}  [${paint.tone(finding.tone, finding.status)}]`,
    ...wrap(finding.summary, width, '  '),
    ...finding.witness.flatMap((step) => stepLines(step, width, paint)),
    ...section(
      'What followed',
      finding.consequences.flatMap((step) => stepLines(step, width, paint)),
    ),
  ];
  if (withChart && finding.chart !== undefined)
    body.push('', ...laneText(finding.chart, width - 2).map((line) => `  ${line}`.trimEnd()));
  const rest = [
    ...section(
      'What would decide',
      finding.wouldDecide.flatMap((line) => bullet(line, width)),
    ),
    ...section(
      'Advice',
      finding.advice.flatMap((line) => bullet(line, width)),
    ),
  ];
  return rest.length === 0 ? body : [...body, '', ...rest];
}

function stepLines(step: StepView, width: number, paint: Paint): string[] {
  const lead = step.lead === '' ? '-' : step.lead;
  const time = step.time === '' ? '' : `${step.time}  `;
  return [
    ...wrap(`${lead.padEnd(8)}${time}${step.text}`, width, '  ', '          '),
    `          ${paint.dim(step.reference)}`,
    ...(step.quote === '' ? [] : wrap(step.quote, width, '            ')),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}:`, ...lines];
}

function bullet(line: string, width: number): string[] {
  return wrap(`- ${line}`, width, '  ', '    ');
}

function moreFindings(view: ReportView): string[] {
  const left = view.findingsCount - MOST_FINDINGS;
  return left > 0 ? [`${left} more findings are in the written reports and in analysis.json.`] : [];
}

function detectionBlock(view: ReportView, { width }: Page): string[] {
  const { occurred, detected, zone } = view.timeline;
  if (occurred === '') return [];
  const lines = [`Occurred (${zone}): ${occurred}`];
  if (detected !== '') lines.push(`First detected: ${detected}`);
  return lines.flatMap((line) => wrap(line, width, ''));
}

function listBlock(title: string, lines: readonly string[], { width, paint }: Page): string[] {
  if (lines.length === 0) return [];
  const left = lines.length - MOST_LIMITS;
  return [
    paint.bold(title),
    ...lines.slice(0, MOST_LIMITS).flatMap((line) => bullet(line, width)),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}

/** A row in one line: the first cell, then the others; numbers in brackets, since no heading names them. */
function rowTexts({ rows, columns }: TableView): string[] {
  return rows.map((row) => {
    const [first = '', ...rest] = row.map((cell, index) => {
      const text = cell.map((part) => part.text).join('');
      return text !== '' && columns[index]?.numeric === true ? `(${text})` : text;
    });
    const told = rest.filter((text) => text !== '');
    return told.length === 0 ? first : `${first}: ${told.join(' ')}`;
  });
}
