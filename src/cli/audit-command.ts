/** `bullmortem audit`: idempotency records in, with or without evidence, and what was done twice out. */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { CaseFileError } from '../casefile/case-file.js';
import type { Analysis } from '../model/analysis.js';
import { RECORD_VERDICT_NAMES, type RecordKey } from '../model/records-audit.js';
import { audit } from '../pipeline/audit.js';
import { auditCsvHeader, auditCsvRow } from '../report/index.js';
import { type AuditCommand, checkAuditOptions } from './audit-options.js';
import { sayFound } from './config-option.js';
import { isCaseFile, isSameFile } from './earlier-results.js';
import { EXIT, exitCodeOf, UsageError } from './exit-codes.js';
import { createProgress } from './progress.js';
import { remarks } from './remarks.js';
import { VERSION } from './version.js';
import { isAuditCsv, keepInputs, planOutputs, printReport, sayWritten, writeOutputs } from './write-outputs.js';

export async function runAudit(inputs: readonly string[], rawOptions: object): Promise<number> {
  const command = checkAuditOptions(rawOptions);
  const outputs = planOutputs(command.outputs, 'audit');
  keepInputs(outputs, inputs);
  const caseFiles = inputs.filter((input) => isCaseFile(input) && !isSameFile(input, command.casePath));
  sayFound(command);
  const progress = createProgress(command.progress && !command.quiet);
  const lists = openLists(outputs.filter(isAuditCsv).map(({ path }) => path));
  let result: Awaited<ReturnType<typeof audit>>;
  try {
    result = await audit(
      inputs.filter((input) => !isCaseFile(input)),
      {
        version: VERSION,
        columns: command.columns,
        settings: command.given,
        formats: command.formats,
        optionsText: command.optionsText,
        ...(command.casePath === undefined ? {} : { casePath: command.casePath }),
        openCases: caseFiles,
        ...(command.config === undefined ? {} : { config: command.config.config }),
        ...(command.assumeTz === undefined ? {} : { assumeTz: command.assumeTz }),
        ...(command.prefix === undefined ? {} : { prefix: command.prefix }),
        ...(command.skewMs === undefined ? {} : { skewMs: command.skewMs }),
        ...(progress ? { onProgress: progress.update } : {}),
        ...(lists.length === 0 ? {} : { onKey: (key: RecordKey) => writeKey(lists, key) }),
        stdin: process.stdin,
      },
    );
  } catch (error) {
    dropLists(lists);
    if (error instanceof CaseFileError) throw new UsageError(error.message);
    throw error;
  }
  progress?.done();
  for (const line of remarks(result)) process.stderr.write(`bullmortem: ${line}\n`);
  if (result.readRecords === 0) {
    dropLists(lists);
    process.stderr.write(
      'bullmortem: no result: no idempotency records in the inputs; give CSV, JSON, a SQL dump or Parquet, and name the column of the key with --columns key=COLUMN where it is not found\n',
    );
    return EXIT.noResult;
  }
  keepLists(lists);
  const { analysis } = result;
  const code = exitCodeOf({
    anyRead: true,
    found: command.failOn.some((verdict) => (analysis.records?.verdicts[verdict] ?? 0) > 0),
    inputUnread: result.problems.some((problem) => problem.named),
  });
  const written = writeOutputs(
    analysis,
    outputs.filter((output) => !isAuditCsv(output)),
    { tz: command.tz },
  );
  show(analysis, command, [...written, ...lists.map(({ path }) => path)], code);
  return code;
}

function show(analysis: Analysis, command: AuditCommand, written: readonly string[], code: number): void {
  if (command.summary === 'json') process.stdout.write(`${summaryLine(analysis, code)}\n`);
  if (command.quiet) return;
  sayWritten(written);
  if (command.summary !== 'json' && written.length === 0) printReport(analysis, command.tz);
}

/** One line for schedulers: every verdict with its number of keys, zero included. */
function summaryLine({ records, tool }: Analysis, exit: number): string {
  const verdicts = (told: Readonly<Record<string, number | undefined>>) =>
    Object.fromEntries(RECORD_VERDICT_NAMES.map((name) => [name, told[name] ?? 0]));
  return JSON.stringify({
    schema: 'bullmortem/audit-summary/1',
    version: tool.version,
    exit,
    rows: records?.totals.rows ?? 0,
    keys: records?.totals.keys ?? 0,
    withEvidence: records?.totals.withEvidence ?? 0,
    verdicts: verdicts(records?.verdicts ?? {}),
    queues: (records?.queues ?? []).map((queue) => ({
      queue: queue.queue ?? null,
      rows: queue.rows,
      keys: queue.keys,
      verdicts: verdicts(queue.verdicts),
    })),
  });
}

/** A list that is written while the keys come. */
interface OpenList {
  readonly path: string;
  readonly partial: string;
  readonly file: number;
}

function openLists(paths: readonly string[]): OpenList[] {
  return paths.map((path) => {
    const partial = `${path}.${process.pid}.part`;
    try {
      mkdirSync(dirname(path), { recursive: true });
      const file = openSync(partial, 'w');
      writeSync(file, auditCsvHeader());
      return { path, partial, file };
    } catch (error) {
      throw new UsageError(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

function writeKey(lists: readonly OpenList[], key: RecordKey): void {
  const row = auditCsvRow(key);
  for (const { file } of lists) writeSync(file, row);
}

function keepLists(lists: readonly OpenList[]): void {
  for (const { file, partial, path } of lists) {
    closeSync(file);
    renameSync(partial, path);
  }
}

function dropLists(lists: readonly OpenList[]): void {
  for (const { file, partial } of lists) {
    closeSync(file);
    rmSync(partial, { force: true });
  }
}
