/** Which workers of each queue were alive when: scaling, deploys and deaths on one list. */
import type { LiveWorker, Scaling } from '../../model/analysis.js';
import type { ReportContext } from '../context.js';
import { durationText } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, codeList, columns, type TableView, table } from '../parts.js';

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
  return [
    cell(context.clock.dateTime(moment)),
    codeCell(queue),
    codeCell(context.worker(worker)),
    cell(CHANGE_WORDS[change]),
    cell(liveText(live)),
    codeCell(context.ref(ref)),
  ];
}

const SCALING_WORDS = {
  scaled: 'scaled up to several workers',
  'not-scaled': 'not scaled up',
  'cannot-tell': 'cannot tell',
} as const satisfies Record<Scaling['verdict'], string>;

/** Whether each queue was scaled up just before its first lost lock. */
export function scaling(context: ReportContext): TableView {
  const heads = columns(
    'Queue',
    'Just before its first lost lock',
    '#Looked back',
    '#Live before',
    '#Live then',
    'Came',
  );
  const rows = (context.analysis.scaling ?? []).map((one): Cell[] => [
    codeCell(one.queue),
    cell(SCALING_WORDS[one.verdict]),
    cell(durationText(one.withinMs)),
    cell(liveText(one.before)),
    cell(liveText(one.after)),
    codeList(
      one.arrivals.map(({ worker, ref }) => `${context.worker(worker)} ${context.ref(ref)}`),
      CAPS.refsPerCell,
    ),
  ]);
  return table('Scaling before the first lost lock', heads, rows, CAPS.tableRows, 'analysis.json');
}

const liveText = ([least, most]: readonly [number, number]): string =>
  least === most ? String(least) : `${least} to ${most}`;
