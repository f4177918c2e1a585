/** `bullmortem analyze`: evidence in, reports out. */
import { CaseFileError } from '../casefile/case-file.js';
import { type Analysis, STATUSES } from '../model/analysis.js';
import { type AnalyzeResult, analyze } from '../pipeline/analyze.js';
import { AmbiguousJobError } from '../pipeline/selection.js';
import { redactAnalysis, withoutQuotes } from '../report/index.js';
import { type AnalyzeCommand, checkOptions, type FailOn } from './analyze-options.js';
import { sayFound } from './config-option.js';
import { isCaseFile, isSameFile, readEarlierAnalysis } from './earlier-results.js';
import { EXIT, exitCodeOf, UsageError } from './exit-codes.js';
import { createProgress } from './progress.js';
import { plain, remarks } from './remarks.js';
import { VERSION } from './version.js';
import { deliver, keepInputs, planOutputs } from './write-outputs.js';

export async function runAnalyze(evidence: readonly string[], rawOptions: object): Promise<number> {
  const command = checkOptions(rawOptions);
  const outputs = planOutputs(command.outputs);
  keepInputs(outputs, evidence);
  const earlier = evidence.map(readEarlierAnalysis).find((analysis) => analysis !== undefined);
  if (earlier !== undefined && (evidence.length > 1 || command.casePath !== undefined))
    throw new UsageError(
      'an earlier analysis.json is rendered again by itself: give it as the only input, without --case',
    );
  if (earlier !== undefined && Object.keys(command.selection).length > 0)
    throw new UsageError(
      'an earlier analysis.json shows what was selected then; to select, give the evidence or its case file',
    );
  if (earlier !== undefined) return report(earlier, command, outputs, { anyRead: true, inputUnread: false });

  const caseFiles = evidence.filter((input) => isCaseFile(input) && !isSameFile(input, command.casePath));
  const progress = createProgress(command.progress && !command.quiet);
  const others = evidence.filter((input) => !isCaseFile(input));
  const run = (openCases: readonly string[]): Promise<AnalyzeResult> =>
    analyze(others, {
      version: VERSION,
      given: command.given,
      formats: command.formats,
      optionsText: command.optionsText,
      selection: command.selection,
      zoneless: command.zoneless,
      ...(command.records === undefined ? {} : { records: command.records }),
      ...(command.config === undefined ? {} : { config: command.config.config }),
      ...(command.casePath === undefined ? {} : { casePath: command.casePath }),
      openCases,
      ...(command.assumeTz === undefined ? {} : { assumeTz: command.assumeTz }),
      ...(command.prefix === undefined ? {} : { prefix: command.prefix }),
      ...(command.skewMs === undefined ? {} : { skewMs: command.skewMs }),
      ...(command.includeData ? { includeData: true } : {}),
      ...(progress ? { onProgress: progress.update } : {}),
      stdin: process.stdin,
    });
  sayFound(command);
  let caseUnread = false;
  // One unusable input does not stop the others.
  const runWithout = async (openCases: readonly string[]): Promise<AnalyzeResult> => {
    try {
      return await run(openCases);
    } catch (error) {
      if (error instanceof AmbiguousJobError) throw new UsageError(`--job ${error.message}`);
      if (!(error instanceof CaseFileError)) throw error;
      const left = openCases.filter((path) => path !== error.path);
      if (left.length === openCases.length || others.length + left.length === 0) throw new UsageError(error.message);
      process.stderr.write(`bullmortem: ${plain(error.message)}\n`);
      caseUnread = true;
      return runWithout(left);
    }
  };
  const result = await runWithout(caseFiles);
  progress?.done();
  for (const line of remarks(result)) process.stderr.write(`bullmortem: ${line}\n`);
  if (result.read === 0) {
    process.stderr.write(
      'bullmortem: no result: nothing in the inputs speaks of a BullMQ job; give worker logs, dump.rdb, AOF or an XRANGE export\n',
    );
    return EXIT.noResult;
  }
  if (result.missing !== undefined) {
    process.stderr.write(`bullmortem: no result: ${plain(result.missing)}\n`);
    return EXIT.noResult;
  }
  return report(result.analysis, command, outputs, {
    anyRead: true,
    inputUnread: caseUnread || result.problems.some((problem) => problem.named),
  });
}

function report(
  analysis: Analysis,
  command: AnalyzeCommand,
  outputs: ReturnType<typeof planOutputs>,
  reading: { anyRead: boolean; inputUnread: boolean },
): number {
  deliver(shownAnalysis(analysis, command), outputs, command);
  return exitCodeOf({ ...reading, found: hasFinding(analysis, command.failOn) });
}

/** What reports may hold: no quotes unless they were asked for now, no names where they are to be taken out. */
function shownAnalysis(analysis: Analysis, { includeData, redactKey }: AnalyzeCommand): Analysis {
  const shown = includeData ? analysis : withoutQuotes(analysis);
  return redactKey === undefined ? shown : redactAnalysis(shown, redactKey);
}

const hasFinding = (analysis: Analysis, failOn: FailOn): boolean =>
  failOn !== 'never' &&
  analysis.findings.some(
    (finding) => finding.boundary !== 'none' && STATUSES.indexOf(finding.status) <= STATUSES.indexOf(failOn),
  );
