/** Settings the judgement rests on, and where each was taken from. */
import type { Setting } from '../../model/analysis.js';
import type { ReportContext } from '../context.js';
import { durationText } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, codeList, columns, type TableView, table } from '../parts.js';

const BASIS_WORDS = {
  evidence: 'seen in the evidence',
  given: 'given on the command line',
  assumed: 'assumed',
} as const satisfies Record<Setting['basis'], string>;

/** Settings of BullMQ that count milliseconds. */
const DURATIONS: ReadonlySet<string> = new Set(['lockDuration', 'lockRenewTime', 'stalledInterval', 'drainDelay']);

export function settings(context: ReportContext): TableView {
  const heads = columns('Setting', 'Value', 'Scope', 'Basis', 'References');
  const rows = context.analysis.settings.map((setting) => row(setting, context));
  return table('Settings in force', heads, rows, CAPS.tableRows, 'analysis.json');
}

function row(setting: Setting, context: ReportContext): Cell[] {
  return [
    codeCell(setting.name),
    cell(valueText(setting)),
    cell(setting.scope),
    cell(BASIS_WORDS[setting.basis]),
    codeList(
      setting.refs.map((ref) => context.ref(ref)),
      CAPS.refsPerCell,
    ),
  ];
}

function valueText({ name, value }: Setting): string {
  return typeof value === 'number' && DURATIONS.has(name) ? durationText(value) : String(value);
}
