/** `bullmortem verify`: does the evidence still say what an analysis cites of it. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { problemLine } from '../intake/index.js';
import type { Analysis } from '../model/analysis.js';
import type { Verification } from '../model/verification.js';
import { type VerifyOptions, verify } from '../pipeline/verify.js';
import { createPseudonyms, renderVerification } from '../report/index.js';
import { readEarlierAnalysis } from './earlier-results.js';
import { EXIT, UsageError } from './exit-codes.js';
import { readRedactionKey } from './redaction-key.js';
import { plain } from './remarks.js';

const optionsSchema = z.object({ quiet: z.boolean().default(false), redactKey: z.string().optional() });

export async function runVerify(
  analysisPath: string,
  evidence: readonly string[],
  rawOptions: object,
): Promise<number> {
  const { quiet, redactKey } = optionsSchema.parse(rawOptions);
  const analysis = readEarlierAnalysis(analysisPath);
  if (analysis === undefined && !existsSync(analysisPath))
    throw new UsageError(`${plain(analysisPath)}: no such file; give an analysis.json first, then the evidence`);
  if (analysis === undefined)
    throw new UsageError(`${plain(analysisPath)} is no analysis.json of bullmortem; give it first, then the evidence`);
  if (evidence.includes('-'))
    throw new UsageError('verify reads the evidence more than once, which the standard input cannot be: give files');
  const { verification, problems } = await verify(analysis, evidence, comparison(analysis, redactKey));
  for (const problem of problems) process.stderr.write(`bullmortem: ${problemLine(problem)}\n`);
  const isMatched = verification.sources.some(({ match }) => match !== 'missing');
  if (!isMatched) {
    process.stderr.write(
      `bullmortem: no result: none of the evidence is a source of ${plain(analysisPath)}, by content or by name\n`,
    );
    return EXIT.noResult;
  }
  if (!quiet) {
    const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
    const { columns } = process.stdout;
    process.stdout.write(renderVerification(verification, { color, ...(columns === undefined ? {} : { columns }) }));
  }
  if (!holds(verification)) return EXIT.found;
  return problems.some(({ named }) => named) ? EXIT.inputUnread : EXIT.done;
}

/** Digests of a redacted analysis are keyed: without the key there is nothing to compare records with. */
function comparison({ redacted }: Analysis, keyPath: string | undefined): VerifyOptions {
  if (redacted === undefined) return {};
  if (keyPath === undefined) return { keyed: () => undefined };
  const key = readRedactionKey(keyPath);
  if (key === undefined) throw new UsageError(`--redact-key: there is no ${plain(keyPath)}`);
  return { keyed: createPseudonyms(key).digest };
}

/** A source that is not the one analysed fails, even where each cited record still stands: what is told by its silence may not. */
const holds = ({ sources, failed }: Verification): boolean =>
  failed.length === 0 && sources.every(({ match }) => match === 'hash');
