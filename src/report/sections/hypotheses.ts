/** Rival causes side by side, each with the records for it, against it, and what is missing to decide. */
import type { Finding, Hypothesis, Ref } from '../../model/analysis.js';
import { CAUSES } from '../../model/boundaries.js';
import type { ReportContext } from '../context.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeList, columns, strong, type TableView, table, text } from '../parts.js';

export function hypotheses(finding: Finding, context: ReportContext): TableView {
  const rows = finding.hypotheses.map((one) => row(one, finding, context));
  const heads = columns('Cause', 'Standing', 'Records for', 'Records against', 'Missing');
  return table('Causes considered', heads, rows, CAPS.tableRows, 'analysis.json');
}

function row(one: Hypothesis, finding: Finding, context: ReportContext): Cell[] {
  const { title } = CAUSES[one.cause];
  return [
    [one.cause === finding.cause ? strong(title) : text(title)],
    cell(standing(one, finding)),
    refs(one.for, context),
    refs(one.against, context),
    cell(one.missing.join('; ')),
  ];
}

function standing(one: Hypothesis, finding: Finding): string {
  if (one.cause === finding.cause) return 'leads';
  if (one.against.length > 0) return 'contradicted';
  return 'not ruled out';
}

function refs(list: readonly Ref[], context: ReportContext): Cell {
  if (list.length === 0) return [text('none')];
  return codeList(
    list.map((ref) => context.ref(ref)),
    CAPS.refsPerCell,
  );
}
