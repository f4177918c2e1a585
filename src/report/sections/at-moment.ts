/** What Redis would have answered about one job at the moment that was asked for, in the words of redis-cli. */
import type { At, AtAnswer } from '../../model/analysis.js';
import { jobLabel, type ReportContext } from '../context.js';
import { CAPS } from '../options.js';
import { type Cell, cell, code, codeCell, codeList, columns, type TableView, table, text } from '../parts.js';

/** Questions that have one answer, or one reason why they have none. */
export interface AtGroup {
  readonly questions: readonly string[];
  /** '' where it is not known. */
  readonly answer: string;
  readonly remark: string;
  readonly references: readonly string[];
}

export interface AtView {
  readonly job: string;
  readonly moment: string;
  readonly sentence: string;
  readonly groups: readonly AtGroup[];
  readonly answers: TableView;
  readonly sources: TableView;
}

/** Undefined where nobody asked. */
export function atMoment(context: ReportContext): AtView | undefined {
  const { at } = context.analysis;
  if (at === undefined) return undefined;
  const groups = grouped(at.answers, context);
  return {
    job: jobLabel({ queue: at.queue, id: at.job }),
    moment: context.clock.dateTime(at.moment),
    sentence: sentenceOf(at),
    groups,
    answers: table(
      'What Redis would have answered',
      columns('Asked', 'Answer', 'Remark', 'References'),
      groups.map(row),
      CAPS.tableRows,
      'analysis.json',
    ),
    sources: table(
      'How far each source reaches',
      columns('Source', 'It says'),
      at.sources.map(({ source, says }) => [codeCell(context.ref({ source })), cell(says)]),
      CAPS.tableRows,
      'analysis.json',
    ),
  };
}

function sentenceOf({ answers }: At): string {
  const known = answers.filter((answer) => answer.known).length;
  const rest = known === answers.length ? '' : ' What the sources do not show is said to be not known.';
  return `As Redis' own clock counts, after everything that happened within that millisecond.${rest}`;
}

/** What is not known for one and the same reason is told together. */
function grouped(answers: readonly AtAnswer[], context: ReportContext): AtGroup[] {
  const groups: { questions: string[]; answer: string; remark: string; references: string[] }[] = [];
  for (const { question, answer, known, why, note, refs } of answers) {
    const references = refs.map((ref) => context.ref(ref));
    const remark = known ? (note ?? '') : `not known: ${why ?? 'no source tells'}`;
    const same = known ? undefined : groups.find((one) => one.answer === '' && one.remark === remark);
    if (same) {
      same.questions.push(question);
      same.references = [...new Set([...same.references, ...references])];
    } else groups.push({ questions: [question], answer: known ? (answer ?? '') : '', remark, references });
  }
  return groups;
}

const row = ({ questions, answer, remark, references }: AtGroup): Cell[] => [
  questions.flatMap((question, n) => [...(n === 0 ? [] : [text(' · ')]), code(question)]),
  codeCell(answer),
  cell(remark),
  codeList(references, CAPS.refsPerCell),
];
