/** Idempotency records, with or without evidence of the runs: what was done twice. */
import { citeRecords } from './cite-records.js';
import { type ReadCaseOptions, type ReadResult, readCase } from './read-case.js';

export type AuditOptions = ReadCaseOptions;
export type AuditResult = ReadResult;

/** @throws CaseFileError for a case file that cannot be used. Bad input never throws: it is a problem or a damage. */
export const audit = (inputs: readonly string[], options: AuditOptions): Promise<AuditResult> =>
  readCase(inputs, options, async (result) => ({ ...result, analysis: await citeRecords(result.analysis, inputs) }));
