/** How close other runs came: run times, the wait from return to acknowledgement, what was left before the lock ran out. */
import type { Exposure } from '../../model/analysis.js';
import { jobLabel, type ReportContext } from '../context.js';
import { countText, durationText } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, columns, type TableView, table } from '../parts.js';

export function exposure(context: ReportContext): TableView {
  const heads = columns(
    'Queue and job name',
    'Worker',
    '#Runs',
    '#Run p50',
    '#p99',
    '#max',
    '#Return to ack p50',
    '#p99',
    '#max',
    '#Renewal slack',
    '#Jobs at risk',
  );
  const rows = context.analysis.exposure.map((one) => row(one, context));
  return table('Exposure of the other runs', heads, rows, CAPS.tableRows, 'analysis.json');
}

function row(one: Exposure, context: ReportContext): Cell[] {
  const spread = (of: Exposure['runMs']): Cell[] => [
    cell(of && durationText(of.p50)),
    cell(of && durationText(of.p99)),
    cell(of && durationText(of.max)),
  ];
  const name = one.jobName === undefined ? (one.queue ?? 'all') : jobLabel({ queue: one.queue, id: one.jobName });
  return [
    codeCell(name),
    one.worker === undefined ? cell('all') : codeCell(context.worker(one.worker)),
    cell(countText(one.runs)),
    ...spread(one.runMs),
    ...spread(one.returnToAckMs),
    cell(one.renewalSlackMs === undefined ? '' : durationText(one.renewalSlackMs)),
    cell(one.jobsAtRisk === undefined ? '' : countText(one.jobsAtRisk)),
  ];
}
