/** What to gather or to log next time, and which open question each would settle. */
import type { ReportContext } from '../context.js';
import { CAPS } from '../options.js';
import { cell, columns, type TableView, table } from '../parts.js';

export function nextEvidence(context: ReportContext): TableView {
  const rows = context.analysis.nextEvidence.map((one) => [cell(one.what), cell(one.decides.join('; '))]);
  return table(
    'Evidence that would decide',
    columns('Evidence', 'It would decide'),
    rows,
    CAPS.tableRows,
    'analysis.json',
  );
}
