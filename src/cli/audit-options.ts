/** The options of `audit`, checked. */
import { z } from 'zod';
import { DOUBLED, RECORD_VERDICT_NAMES, type RecordVerdict } from '../model/records-audit.js';
import { type GivenColumns, RECORD_FORMATS } from '../records/index.js';
import { type AnalyzeCommand, checkOptions } from './analyze-options.js';
import { columnsText, parseColumns, withConfig } from './columns-option.js';
import { UsageError } from './exit-codes.js';

const rawSchema = z.object({
  columns: z.array(z.string()),
  failOn: z.string().optional(),
  summary: z.enum(['text', 'json']),
});

export interface AuditCommand extends Omit<AnalyzeCommand, 'failOn'> {
  readonly columns: GivenColumns;
  /** Verdicts that end the program with 1. */
  readonly failOn: readonly RecordVerdict[];
  readonly summary: 'text' | 'json';
}

/** @throws UsageError with one line that says which option is wrong and what it takes. */
export function checkAuditOptions(options: object): AuditCommand {
  const { columns, failOn, summary } = rawSchema.parse(options);
  const shared = checkOptions({ ...options, failOn: 'never' }, RECORD_FORMATS);
  const given = parseColumns(columns);
  return {
    ...shared,
    columns: withConfig(given, shared.config?.config),
    failOn: parseFailOn(failOn),
    summary,
    optionsText: [...shared.optionsText, ...columnsText(given)].sort(),
  };
}

function parseFailOn(text: string | undefined): readonly RecordVerdict[] {
  if (text === undefined) return DOUBLED;
  if (text === 'never') return [];
  return text.split(',').map((name) => {
    const verdict = RECORD_VERDICT_NAMES.find((one) => one === name.trim());
    if (verdict === undefined)
      throw new UsageError(
        `--fail-on ${JSON.stringify(name)}: no verdict has this name; write never, or some of ${RECORD_VERDICT_NAMES.join(', ')}`,
      );
    return verdict;
  });
}
