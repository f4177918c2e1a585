/** Writes reports: the kind follows the extension; a folder gets all of them. */
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Analysis } from '../model/analysis.js';
import {
  type ReportOptions,
  renderAuditCsv,
  renderHtml,
  renderJobsCsv,
  renderJson,
  renderMarkdown,
  renderReconcileCsv,
  renderTerminal,
  renderTimelineCsv,
  TemplateError,
} from '../report/index.js';
import { UsageError } from './exit-codes.js';
import { plain } from './remarks.js';

type Render = (analysis: Analysis, options: ReportOptions) => string;

const BY_EXTENSION: Readonly<Record<string, Render>> = {
  '.md': renderMarkdown,
  '.html': renderHtml,
  '.json': (analysis) => renderJson(analysis),
  '.csv': (analysis) => renderJobsCsv(analysis),
};

const IN_FOLDER: readonly (readonly [name: string, render: Render])[] = [
  ['report.md', renderMarkdown],
  ['report.html', renderHtml],
  ['analysis.json', (analysis) => renderJson(analysis)],
  ['jobs.csv', (analysis) => renderJobsCsv(analysis)],
  ['timeline.csv', (analysis) => renderTimelineCsv(analysis)],
  ['reconcile.csv', (analysis) => renderReconcileCsv(analysis)],
  ['audit.csv', renderAuditCsv],
];

export interface PlannedOutput {
  readonly path: string;
  readonly render: Render;
}

/** The list of keys of an audit: there is none where no records were given. */
export const isAuditCsv = ({ render }: PlannedOutput): boolean => render === renderAuditCsv;

/** A path without an extension names a folder, too: no kind of report is without one. */
const isFolder = (path: string): boolean =>
  path.endsWith('/') || extname(path) === '' || (existsSync(path) && statSync(path).isDirectory());

/** A CSV file holds what the command is about. @throws UsageError for an extension that names no kind of report. */
export function planOutputs(paths: readonly string[], command: 'analyze' | 'audit' = 'analyze'): PlannedOutput[] {
  return [...new Set(paths)].flatMap((path) => {
    if (isFolder(path)) return IN_FOLDER.map(([name, render]) => ({ path: join(path, name), render }));
    const extension = extname(path).toLowerCase();
    const render = command === 'audit' && extension === '.csv' ? renderAuditCsv : BY_EXTENSION[extension];
    if (render === undefined)
      throw new UsageError(
        `-o ${JSON.stringify(path)}: the kind of report follows the extension; use .md, .html, .json or .csv, or a folder that ends in /`,
      );
    return [{ path, render }];
  });
}

/** @throws UsageError where a report would take the place of evidence */
export function keepInputs(outputs: readonly PlannedOutput[], inputs: readonly string[]): void {
  const placeOf = (path: string): string | undefined => {
    try {
      return realpathSync(path);
    } catch {
      return undefined;
    }
  };
  const places = new Set(inputs.flatMap((input) => placeOf(input) ?? []));
  for (const { path } of outputs) {
    const place = placeOf(path);
    if (place !== undefined && places.has(place))
      throw new UsageError(`-o ${JSON.stringify(path)} is an input, too, and would be overwritten; name another file`);
  }
}

/** Each file is written beside its place and moved there, so that a reader never sees half a report. Returns what was written. */
export function writeOutputs(
  analysis: Analysis,
  outputs: readonly PlannedOutput[],
  options: ReportOptions,
): readonly string[] {
  const written: string[] = [];
  for (const output of outputs) {
    if (isAuditCsv(output) && analysis.records === undefined) continue;
    const { path, render } = output;
    writeWhole(path, render(analysis, options));
    written.push(path);
  }
  return written;
}

/**
 * Writes the reports, and says where; prints to the terminal where none was asked for.
 *
 * @throws UsageError where one cannot be written, or a section of the team is wrong
 */
export function deliver(
  analysis: Analysis,
  outputs: readonly PlannedOutput[],
  { tz, quiet, templates }: { readonly tz: string; readonly quiet: boolean } & Pick<ReportOptions, 'templates'>,
): void {
  const written = explained(() => writeOutputs(analysis, outputs, { tz, ...(templates && { templates }) }));
  if (quiet) return;
  sayWritten(written);
  if (outputs.length === 0) printReport(analysis, tz);
}

function explained<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof TemplateError) throw new UsageError(`--template: ${error.message}`);
    throw error;
  }
}

export function sayWritten(paths: readonly string[]): void {
  for (const path of paths) process.stderr.write(`bullmortem: wrote ${plain(path)}\n`);
}

/** On standard output, as wide and as coloured as it is. */
export function printReport(analysis: Analysis, tz: string): void {
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const { columns } = process.stdout;
  process.stdout.write(renderTerminal(analysis, { tz, color, ...(columns === undefined ? {} : { columns }) }));
}

/** @throws UsageError where it cannot be written */
export function writeWhole(path: string, text: string): void {
  const partial = `${path}.${process.pid}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(partial, text);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new UsageError(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
