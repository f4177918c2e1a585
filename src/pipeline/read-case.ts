/** Evidence and idempotency records in one list of inputs: told apart by content, taken in, diagnosed, held against each other. */
import { type CaseFile, openCaseFile } from '../casefile/case-file.js';
import { expandInputs } from '../intake/index.js';
import type { Scene } from '../story/scene.js';
import { type AnalyzeOptions, type AnalyzeResult, diagnose } from './analyze.js';
import { type AuditRecordsOptions, auditRecords } from './audit-records.js';
import { createSpool } from './record-source.js';
import { sortInputs } from './sort-inputs.js';
import { takeEvidence } from './take-evidence.js';

export interface ReadCaseOptions extends Omit<AnalyzeOptions, 'given' | 'records' | 'selection'> {
  readonly columns: AuditRecordsOptions['given'];
  readonly settings?: NonNullable<AnalyzeOptions['given']>;
  readonly onKey?: NonNullable<AuditRecordsOptions['onKey']>;
}

export interface ReadResult extends AnalyzeResult {
  /** Sources of records that were read; `read` counts those of evidence. */
  readonly readRecords: number;
}

/**
 * `ask` may ask more of the open case; it is closed afterwards.
 *
 * @throws CaseFileError for a case file that cannot be used. Bad input never throws: it is a problem or a damage.
 */
export async function readCase<T>(
  inputs: readonly string[],
  options: ReadCaseOptions,
  ask: (result: ReadResult, file: CaseFile, scene: Scene) => Promise<T>,
): Promise<T> {
  const { columns, settings, onKey, stdin, ...rest } = options;
  const spool = createSpool();
  const file = await openCaseFile({ path: options.casePath, from: options.openCases });
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
    const { scene, ...diagnosed } = await diagnose(file, how, taken);
    const analysis =
      sorted.records.length === 0
        ? diagnosed.analysis
        : await auditRecords(file, diagnosed.analysis, sorted.records, {
            ...shared,
            given: columns,
            ...(options.skewMs === undefined ? {} : { skewMs: options.skewMs }),
            ...(onKey === undefined ? {} : { onKey }),
          });
    // A header without rows is a day without work, and an answer.
    const readRecords = analysis.sources.filter(
      (source) =>
        source.kind === 'records' && (source.understood > 0 || (source.records === 0 && !source.damage.length)),
    ).length;
    return await ask({ ...diagnosed, analysis, readRecords, problems: taken.problems }, file, scene);
  } finally {
    await file.close();
    spool.remove();
  }
}
