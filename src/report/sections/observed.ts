/** What Redis said of itself and of its queues, where somebody asked. */
import type { ReportContext } from '../context.js';
import { CAPS } from '../options.js';
import { cell, codeCell, columns, type TableView, table } from '../parts.js';

export function observed(context: ReportContext): TableView {
  const rows = (context.analysis.observed ?? []).map(({ name, value, scope, ref }) => [
    cell(name),
    codeCell(value),
    cell(scope),
    codeCell(context.ref(ref)),
  ]);
  const heads = columns('What', 'Value', 'Of', 'Reference');
  return table('What Redis said of itself', heads, rows, CAPS.tableRows, 'analysis.json');
}
