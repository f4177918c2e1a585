/** Which class of evidence each source covers, from when to when: silence counts only inside of these spans. */
import type { Coverage } from '../../model/analysis.js';
import { CLASS_WORDS, EVIDENCE_CLASSES } from '../../model/evidence-classes.js';
import type { ReportContext } from '../context.js';
import { countText } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, codeList, columns, type TableView, table } from '../parts.js';

export interface CoverageView {
  readonly table: TableView;
  /** Events that several sources tell. */
  readonly routes: TableView;
  /** Classes that no source covers. */
  readonly missing: readonly string[];
}

const MOST_GAPS_TOLD = 4;

export function coverage(context: ReportContext): CoverageView {
  const { coverage: all } = context.analysis;
  const covered = new Set(all.map((one) => one.class));
  const heads = columns('Evidence', 'Source', 'Worker', 'From', 'To', 'Gaps');
  const rows = all.map((one) => row(one, context));
  return {
    table: table(
      `What the sources cover, times in ${context.clock.zone}`,
      heads,
      rows,
      CAPS.tableRows,
      'analysis.json',
    ),
    routes: table(
      'Events seen by more than one route: each counts once',
      columns('Seen in', '#Events'),
      (context.analysis.routes ?? []).map(({ sources, events }) => [
        codeList(
          sources.map((source) => context.ref({ source })),
          CAPS.refsPerCell,
        ),
        cell(countText(events)),
      ]),
      CAPS.tableRows,
      'analysis.json',
    ),
    missing: EVIDENCE_CLASSES.filter((one) => !covered.has(one)).map((one) => CLASS_WORDS[one]),
  };
}

function row(one: Coverage, context: ReportContext): Cell[] {
  return [
    cell(CLASS_WORDS[one.class]),
    codeCell(context.ref({ source: one.source })),
    one.worker === undefined ? [] : codeCell(context.worker(one.worker)),
    cell(one.from === undefined ? 'not known' : context.clock.iso(one.from)),
    cell(one.to === undefined ? 'not known' : context.clock.iso(one.to)),
    cell(gapsText(one, context)),
  ];
}

function gapsText({ gaps }: Coverage, context: ReportContext): string {
  if (gaps.length === 0) return 'none seen';
  const told = gaps
    .slice(0, MOST_GAPS_TOLD)
    .map((gap) => `${context.clock.iso(gap.from)} to ${context.clock.iso(gap.to)}: ${gap.what}`);
  const rest = gaps.length - told.length;
  return [...told, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}
