/** Which workers of each queue were alive when: scaling, deploys and deaths on one list. */
import type { LiveWorker } from '../../model/analysis.js';
import type { ReportContext } from '../context.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, columns, type TableView, table } from '../parts.js';

const CHANGE_WORDS = {
  came: 'came',
  'first-seen': 'first heard of',
  'last-seen': 'last heard of',
  went: 'went',
} as const satisfies Record<LiveWorker['change'], string>;

export function liveWorkers(context: ReportContext): TableView {
  const heads = columns('Time', 'Queue', 'Worker', 'Change', '#Live after it', 'Reference');
  const rows = (context.analysis.liveWorkers ?? []).map((one) => row(one, context));
  return table(
    `Workers that came and went, times in ${context.clock.zone}`,
    heads,
    rows,
    CAPS.tableRows,
    'analysis.json',
  );
}

function row({ queue, worker, change, moment, live, ref }: LiveWorker, context: ReportContext): Cell[] {
  const [least, most] = live;
  return [
    cell(context.clock.dateTime(moment)),
    codeCell(queue),
    codeCell(context.worker(worker)),
    cell(CHANGE_WORDS[change]),
    cell(least === most ? String(least) : `${least} to ${most}`),
    codeCell(context.ref(ref)),
  ];
}
