/** What is said on stderr about the inputs. */
import { OWN_REPORT, problemLine } from '../intake/index.js';
import type { AnalyzeResult } from '../pipeline/analyze.js';

const MAX_REMARKS = 20;

/** One line for each input that gave less than it promised; the report has all of them. */
export function remarks({ problems, analysis }: Pick<AnalyzeResult, 'problems' | 'analysis'>): string[] {
  const lines = problems.map(problemLine);
  // What is no evidence at all is a problem already, or is said here, not both.
  for (const source of analysis.sources.filter(({ kind }) => kind !== 'unknown')) {
    const path = plain(source.path);
    if (source.kind === 'records' && source.records === 0 && source.damage.length === 0)
      lines.push(`${path}: it has the columns of records and no rows`);
    if (source.kind === 'empty' && source.format === OWN_REPORT)
      lines.push(`${path}: left out: it is a report that bullmortem wrote`);
    else if (source.kind === 'empty') lines.push(`${path}: the file is empty; nothing was read from it`);
    for (const { what } of source.damage) lines.push(`${path}: ${plain(what)}`);
    if (source.kind === 'log' && source.events === 0)
      lines.push(
        `${path}: no record of it speaks of a job or a worker (${plain(source.format)}); is it the log of another program?`,
      );
  }
  const rest = lines.length - MAX_REMARKS;
  return rest > 0
    ? [...lines.slice(0, MAX_REMARKS), `and ${rest} more remarks on the inputs; the report lists them`]
    : lines;
}

/** File names and texts of evidence must not reach the terminal as control sequences. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD').slice(0, 500);
