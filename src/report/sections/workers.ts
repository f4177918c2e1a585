/** The processes seen, how each was recognised, and how each ended. */
import type { Worker } from '../../model/analysis.js';
import type { ReportContext } from '../context.js';
import { countText, durationText, plural } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, codeList, columns, type TableView, table } from '../parts.js';

const ENDED_WORDS = {
  closed: 'closed cleanly',
  killed: 'ended without a closing line',
  exited: 'exited',
  unknown: 'end not seen',
} as const satisfies Record<NonNullable<Worker['ended']>, string>;

export function workers(context: ReportContext): TableView {
  const heads = columns(
    'Worker',
    '#Pid',
    'Host',
    'Pod',
    'Name',
    'Queues',
    'First seen',
    'Last seen',
    'Ended',
    'Lock renewals',
    'Lock tokens',
    'Sources',
  );
  const rows = context.analysis.workers.map((worker) => row(worker, context));
  return table(`Worker processes, times in ${context.clock.zone}`, heads, rows, CAPS.tableRows, 'analysis.json');
}

function row(worker: Worker, context: ReportContext): Cell[] {
  return [
    codeCell(context.worker(worker.id)),
    cell(worker.pid === undefined ? '' : String(worker.pid)),
    codeCell(worker.host),
    codeCell(worker.pod),
    codeCell(worker.name),
    codeList(worker.queues, CAPS.refsPerCell),
    cell(worker.firstSeen && context.clock.dateTime(worker.firstSeen)),
    cell(worker.lastSeen && context.clock.dateTime(worker.lastSeen)),
    cell(ENDED_WORDS[worker.ended ?? 'unknown']),
    cell(renewalsText(worker)),
    codeList(worker.tokenPrefixes, CAPS.refsPerCell),
    codeList(
      worker.sources.map((source) => context.ref({ source })),
      CAPS.refsPerCell,
    ),
  ];
}

/** Empty where no AOF or MONITOR capture shows its locks. */
function renewalsText({ renewals }: Worker): string {
  if (renewals === undefined) return '';
  const { medianMs, maxMs, unrenewed } = renewals;
  const cadence =
    medianMs === undefined || maxMs === undefined
      ? ''
      : `, each ${durationText(medianMs)} (at most ${durationText(maxMs)} apart)`;
  const missed = unrenewed === 0 ? '' : `; ${plural(unrenewed, 'lock')} held without any`;
  return `${countText(renewals.renewals)} of ${plural(renewals.locks, 'lock')}${cadence}${missed}`;
}
