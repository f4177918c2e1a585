/** `bullmortem prove`: a recording before a fix and one after it in, each check with its records out. */
import { z } from 'zod';
import { CaseFileError } from '../casefile/case-file.js';
import type { Check } from '../model/analysis.js';
import { prove, type Recording } from '../pipeline/prove.js';
import { RECORD_FORMATS } from '../records/index.js';
import { checkOptions } from './analyze-options.js';
import { columnsText, parseColumns, withConfig } from './columns-option.js';
import { isCaseFile, readEarlierAnalysis } from './earlier-results.js';
import { EXIT, UsageError } from './exit-codes.js';
import { createProgress } from './progress.js';
import { remarks } from './remarks.js';
import { VERSION } from './version.js';
import { deliver, keepInputs, planOutputs } from './write-outputs.js';

const rawSchema = z.object({
  before: z.array(z.string()).default([]),
  after: z.array(z.string()).default([]),
  columns: z.array(z.string()),
});

export async function runProve(rawOptions: object): Promise<number> {
  const { before, after, columns } = rawSchema.parse(rawOptions);
  const given = parseColumns(columns);
  const command = checkOptions({ ...rawOptions, failOn: 'never' }, RECORD_FORMATS);
  if (before.length === 0 || after.length === 0)
    throw new UsageError('prove compares two recordings: name both, --before EVIDENCE and --after EVIDENCE');
  const outputs = planOutputs(command.outputs);
  keepInputs(outputs, [...before, ...after]);
  const progress = createProgress(command.progress && !command.quiet);
  const result = await prove(recordingOf('--before', before), recordingOf('--after', after), {
    version: VERSION,
    columns: withConfig(given, command.config?.config),
    settings: command.given,
    formats: command.formats,
    optionsText: [...command.optionsText, ...columnsText(given)].sort(),
    ...(command.config === undefined ? {} : { config: command.config.config }),
    ...(command.assumeTz === undefined ? {} : { assumeTz: command.assumeTz }),
    ...(command.prefix === undefined ? {} : { prefix: command.prefix }),
    ...(command.skewMs === undefined ? {} : { skewMs: command.skewMs }),
    ...(progress ? { onProgress: progress.update } : {}),
  }).catch((error: unknown) => {
    if (error instanceof CaseFileError) throw new UsageError(error.message);
    throw error;
  });
  progress?.done();
  for (const line of remarks(result)) process.stderr.write(`bullmortem: ${line}\n`);
  for (const side of ['before', 'after'] as const)
    if (result.read[side] === 0) {
      process.stderr.write(
        `bullmortem: no result: nothing in --${side} speaks of a BullMQ job; give worker logs, dump.rdb, AOF or an XRANGE export\n`,
      );
      return EXIT.noResult;
    }
  const { analysis } = result;
  const checks = analysis.proof ?? [];
  if (!checks.some(({ needed }) => needed))
    process.stderr.write(
      'bullmortem: no result: the recording before the fix shows no finding, so there is nothing to be proven gone\n',
    );
  deliver(analysis, outputs, command);
  return exitCodeOf(
    checks,
    result.problems.some((problem) => problem.named),
  );
}

/** Proven: nothing fails and all that a finding asks for holds. What cannot be told is no proof. */
function exitCodeOf(checks: readonly Check[], inputUnread: boolean): number {
  if (checks.some(({ outcome }) => outcome === 'fails')) return EXIT.found;
  const needed = checks.filter((check) => check.needed);
  if (needed.length === 0 || needed.some(({ outcome }) => outcome !== 'holds')) return EXIT.noResult;
  return inputUnread ? EXIT.inputUnread : EXIT.done;
}

function recordingOf(flag: string, inputs: readonly string[]): Recording {
  const analyses = inputs.flatMap((input) => readEarlierAnalysis(input) ?? []);
  const [analysis] = analyses;
  if (analysis !== undefined) {
    if (inputs.length > 1) throw new UsageError(`${flag}: an analysis.json stands for a recording by itself`);
    return { inputs: [], analysis };
  }
  const cases = inputs.filter(isCaseFile);
  return {
    inputs: inputs.filter((input) => !cases.includes(input)),
    openCases: cases,
  };
}
