/** What this analysis did not do: caps that were reached, rules that could not run, assumptions. */
import type { Limit } from '../../model/analysis.js';
import type { ReportContext } from '../context.js';
import { countText } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, columns, type TableView, table } from '../parts.js';

const NOT_UNDERSTOOD = /^not understood/i;

export function limits(context: ReportContext): TableView {
  const rows = context.analysis.limits.filter((limit) => !NOT_UNDERSTOOD.test(limit.what));
  return limitsTable('Limits of this analysis', rows, context);
}

/** Shapes of lines that no reader understood, with their number: what they would have told is not in this report. */
export function notUnderstood(context: ReportContext): TableView {
  const rows = context.analysis.limits.filter((limit) => NOT_UNDERSTOOD.test(limit.what));
  return limitsTable('Lines not understood', rows, context);
}

function limitsTable(caption: string, rows: readonly Limit[], context: ReportContext): TableView {
  const heads = columns('What', 'Detail', '#Count', 'Reference');
  return table(
    caption,
    heads,
    rows.map((limit) => row(limit, context)),
    CAPS.tableRows,
    'analysis.json',
  );
}

function row(limit: Limit, context: ReportContext): Cell[] {
  const ref = limit.ref ?? (limit.source === undefined ? undefined : { source: limit.source });
  return [
    cell(limit.what),
    cell(limit.detail),
    cell(limit.count === undefined ? '' : countText(limit.count)),
    codeCell(ref && context.ref(ref)),
  ];
}
