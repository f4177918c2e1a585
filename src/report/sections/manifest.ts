/** The inputs by hash, how each was read, and commands that print the cited lines again. */
import type { Analysis, Ref, Source } from '../../model/analysis.js';
import type { ReportContext } from '../context.js';
import { countText } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, columns, type TableView, table } from '../parts.js';
import { readCommand } from './read-command.js';

export interface ManifestView {
  readonly tool: string;
  readonly sources: TableView;
  readonly reading: TableView;
  readonly damage: TableView;
  readonly options: readonly string[];
  /** `sed -n '14p' logs/mailer-1.log`, one a source. */
  readonly commands: readonly string[];
}

export function manifest(context: ReportContext): ManifestView {
  const { analysis, clock } = context;
  const zone = clock.zone;
  const { sources } = analysis;
  return {
    tool: `${analysis.tool.name} ${analysis.tool.version}`,
    sources: table(
      'Sources',
      columns('Path', 'SHA-256', '#Bytes', 'Format', 'Recognised by'),
      sources.map(identity),
      CAPS.tableRows,
      'analysis.json',
    ),
    reading: table(
      `What was read from each source, times in ${zone}`,
      columns('Path', '#Records', '#Understood', '#Events', 'First time', 'Last time'),
      sources.map((source) => reading(source, context)),
      CAPS.tableRows,
      'analysis.json',
    ),
    damage: table(
      'Damage',
      columns('Where', 'What'),
      sources.flatMap((source) => damage(source, context)),
      CAPS.tableRows,
      'analysis.json',
    ),
    options: analysis.run.options,
    commands: commands(analysis, context),
  };
}

function identity(source: Source): Cell[] {
  return [
    codeCell(source.path),
    source.sha256 === undefined ? cell('not hashed') : codeCell(source.sha256),
    cell(countText(source.bytes)),
    cell(source.kind === source.format ? source.format : `${source.kind}: ${source.format}`),
    cell(source.reason),
  ];
}

function reading(source: Source, context: ReportContext): Cell[] {
  const share = source.records === 0 ? '' : ` (${percent(source.understood / source.records)})`;
  return [
    codeCell(source.path),
    cell(countText(source.records)),
    cell(countText(source.understood) + share),
    cell(countText(source.events)),
    cell(source.from === undefined ? 'not known' : context.clock.iso(source.from)),
    cell(source.to === undefined ? 'not known' : context.clock.iso(source.to)),
  ];
}

/** Rounded down: only all of them is 100 %. */
function percent(share: number): string {
  return `${Math.floor(share * 1000) / 10} %`;
}

function damage(source: Source, context: ReportContext): Cell[][] {
  return source.damage.map(({ what, line, offset }) => [
    codeCell(
      context.ref({
        source: source.id,
        ...(line === undefined ? {} : { line }),
        ...(offset === undefined ? {} : { offset }),
      }),
    ),
    cell(what),
  ]);
}

function commands(analysis: Analysis, context: ReportContext): string[] {
  // No file bears these names.
  if (analysis.redacted === true) return [];
  const lines = citedLines(analysis);
  return analysis.sources.flatMap((source) => {
    const cited = [...new Set([...(lines.get(source.path) ?? []), ...(lines.get(source.id) ?? [])])].sort(
      (a, b) => a - b,
    );
    if (cited.length === 0) return [];
    const shown = cited.slice(0, CAPS.citedLinesPerSource);
    const script = shown.map((line) => `${line}p`).join(';');
    const rest = cited.length - shown.length;
    const outer = archiveOf(source, analysis) ?? source;
    const read = readCommand(context.ref({ source: outer.id }), source.packing ?? []);
    if (read.kind === 'none') return [`# ${context.ref({ source: source.id })}: ${read.why}`];
    const command = read.kind === 'file' ? `sed -n '${script}' ${read.path}` : `${read.text} | sed -n '${script}'`;
    return [rest > 0 ? `${command}  # ${rest} more lines are cited` : command];
  });
}

/** The outermost archive that a source is in; undefined where it is a file itself. */
function archiveOf(source: Source, { sources }: Analysis): Source | undefined {
  if (!isInside(source)) return undefined;
  return sources.find((one) => one.kind === 'archive' && !isInside(one) && source.path.startsWith(`${one.path}!/`));
}

const isInside = ({ packing = [] }: Source): boolean => packing.some(({ entry }) => entry !== undefined);

function citedLines(analysis: Analysis): Map<string, Set<number>> {
  const lines = new Map<string, Set<number>>();
  const cite = ({ source, line }: Ref): void => {
    if (line === undefined) return;
    const known = lines.get(source);
    if (known === undefined) lines.set(source, new Set([line]));
    else known.add(line);
  };
  for (const finding of analysis.findings) {
    for (const step of [...finding.witness, ...finding.consequences]) cite(step.ref);
    for (const one of finding.hypotheses) for (const ref of [...one.for, ...one.against]) cite(ref);
  }
  return lines;
}
