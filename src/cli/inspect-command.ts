/** `bullmortem inspect`: what each input is, what was understood of it, and what was not. */
import { extname } from 'node:path';
import { problemLine } from '../intake/index.js';
import { inspect } from '../pipeline/inspect.js';
import { RECORD_FORMATS } from '../records/index.js';
import { renderInspection, renderInspectionJson } from '../report/index.js';
import { checkOptions } from './analyze-options.js';
import { sayFound } from './config-option.js';
import { isCaseFile } from './earlier-results.js';
import { EXIT, exitCodeOf, UsageError } from './exit-codes.js';
import { createProgress } from './progress.js';
import { plain } from './remarks.js';
import { VERSION } from './version.js';
import { writeWhole } from './write-outputs.js';

/** What the options of `inspect` leave open of those of `analyze`. */
const NOT_ASKED = { set: [], clockSkew: '1s', failOn: 'never' } as const;

export async function runInspect(evidence: readonly string[], rawOptions: object): Promise<number> {
  const command = checkOptions({ ...NOT_ASKED, ...rawOptions }, RECORD_FORMATS);
  const wrong = command.outputs.find((path) => extname(path).toLowerCase() !== '.json');
  if (wrong !== undefined) throw new UsageError(`-o ${JSON.stringify(wrong)}: inspect writes .json`);
  if (evidence.some(isCaseFile))
    throw new UsageError('inspect looks at evidence; a case file holds what was understood of it: give it to analyze');
  sayFound(command);
  const progress = createProgress(command.progress && !command.quiet);
  const { inspection, problems, read } = await inspect(evidence, {
    version: VERSION,
    formats: command.formats,
    optionsText: command.optionsText,
    ...(command.config === undefined ? {} : { config: command.config.config }),
    ...(command.assumeTz === undefined ? {} : { assumeTz: command.assumeTz }),
    ...(command.prefix === undefined ? {} : { prefix: command.prefix }),
    ...(progress ? { onProgress: progress.update } : {}),
    stdin: process.stdin,
  });
  progress?.done();
  for (const problem of problems) process.stderr.write(`bullmortem: ${problemLine(problem)}\n`);
  if (read === 0)
    process.stderr.write(
      'bullmortem: no result: none of the inputs could be read as a log, as Redis evidence or as records\n',
    );
  if (inspection.inputs.length === 0) return EXIT.noResult;
  for (const path of command.outputs) writeWhole(path, renderInspectionJson(inspection));
  if (!command.quiet && command.outputs.length === 0) {
    const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
    const columns = process.stdout.columns;
    process.stdout.write(
      renderInspection(inspection, { tz: command.tz, color, ...(columns === undefined ? {} : { columns }) }),
    );
  } else if (!command.quiet) {
    for (const path of command.outputs) process.stderr.write(`bullmortem: wrote ${plain(path)}\n`);
  }
  return exitCodeOf({ anyRead: read > 0, found: false, inputUnread: problems.some((problem) => problem.named) });
}
