/** Idempotency records, with or without evidence of the runs: what was done twice. */
import { openCaseFile } from '../casefile/case-file.js';
import { expandInputs } from '../intake/index.js';
import { type AnalyzeOptions, type AnalyzeResult, diagnose, takeEvidence } from './analyze.js';
import { type AuditRecordsOptions, auditRecords } from './audit-records.js';
import { createSpool } from './record-source.js';
import { sortInputs } from './sort-inputs.js';

export interface AuditOptions extends Omit<AnalyzeOptions, 'given' | 'casePath' | 'openCase'> {
  readonly columns: AuditRecordsOptions['given'];
  readonly settings?: NonNullable<AnalyzeOptions['given']>;
  readonly onKey?: NonNullable<AuditRecordsOptions['onKey']>;
}

export interface AuditResult extends AnalyzeResult {
  /** Sources of records that were read; `read` counts those of evidence. */
  readonly readRecords: number;
}

/** Bad input never throws: it is a problem or a damage. */
export async function audit(inputs: readonly string[], options: AuditOptions): Promise<AuditResult> {
  const { columns, settings, onKey, stdin, ...rest } = options;
  const spool = createSpool();
  const file = await openCaseFile();
  try {
    const shared = options.assumeTz === undefined ? {} : { assumeTz: options.assumeTz };
    const sorted = await sortInputs(await expandInputs(inputs), spool, {
      ...shared,
      given: columns,
      formats: options.formats ?? [],
      ...(stdin === undefined ? {} : { stdin }),
    });
    const how: AnalyzeOptions = {
      ...rest,
      ...(settings === undefined ? {} : { given: settings }),
      ...(sorted.stdin === undefined ? {} : { stdin: sorted.stdin }),
    };
    const taken = await takeEvidence(sorted.evidence, file, how);
    const diagnosed = await diagnose(file, how, taken);
    const analysis = await auditRecords(file, diagnosed.analysis, sorted.records, {
      ...shared,
      given: columns,
      ...(options.skewMs === undefined ? {} : { skewMs: options.skewMs }),
      ...(onKey === undefined ? {} : { onKey }),
    });
    const readRecords = analysis.sources.filter((source) => source.kind === 'records' && source.understood > 0).length;
    return { ...diagnosed, analysis, readRecords, problems: taken.problems };
  } finally {
    await file.close();
    spool.remove();
  }
}
