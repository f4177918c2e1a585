/**
 * Evidence that is taken in once and judged again and again, each time without one of its records: what a claim rests on is found by
 * taking it away.
 */
import { type CaseFile, openCaseFile } from '../../src/casefile/case-file.js';
import { expandInputs } from '../../src/intake/index.js';
import type { Analysis, Ref } from '../../src/model/analysis.js';
import { lineSql } from '../../src/model/place.js';
import { type AnalyzeOptions, diagnose } from '../../src/pipeline/analyze.js';
import { takeEvidence } from '../../src/pipeline/take-evidence.js';

export interface OpenEvidence {
  /** Of all the evidence. */
  readonly whole: Analysis;
  /** Without a record and all its copies in other sources; undefined where the reference is of no event (a snapshot, a silence). */
  readonly without: (ref: Ref) => Promise<Analysis | undefined>;
}

/** MONITOR dates a command a moment before or after the entry it made, ms. */
const SAME_EVENT_MS = 100;

export async function withEvidence(
  paths: readonly string[],
  given: NonNullable<AnalyzeOptions['given']>,
  work: (evidence: OpenEvidence) => Promise<void>,
): Promise<void> {
  const file = await openCaseFile();
  try {
    const options: AnalyzeOptions = { version: '0.0.0', given };
    const taken = await takeEvidence(await expandInputs(paths), file, options);
    const analyze = async (): Promise<Analysis> => (await diagnose(file, options, taken)).analysis;
    await work({ whole: await analyze(), without: (ref) => withoutRecord(file, ref, analyze) });
  } finally {
    await file.close();
  }
}

async function withoutRecord(
  file: CaseFile,
  ref: Ref,
  analyze: () => Promise<Analysis>,
): Promise<Analysis | undefined> {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const [ms, sequence] = (ref.entry ?? '').split('-');
  const place =
    ref.entry !== undefined
      ? `c.t = ${Number(ms)} AND c.line = ${Number(sequence)} AND c.clock = 0`
      : ref.line !== undefined
        ? `${lineSql('c.line')} = ${ref.line}`
        : 'false';
  const doomed = `
    SELECT e.rowid AS id FROM events e JOIN events c ON (e.source = c.source AND e.line = c.line AND e.off = c.off)
      OR (e.source <> c.source AND e.kind = c.kind AND e.clock = c.clock AND e.job IS NOT DISTINCT FROM c.job
        AND abs(e.t - c.t) <= CASE WHEN c.clock = 0 THEN ${SAME_EVENT_MS} ELSE 0 END)
    JOIN sources s ON s.id = c.source WHERE s.path = ${text(ref.source)} AND ${place}`;
  if ((await file.query(`${doomed} LIMIT 1`)).length === 0) return undefined;
  await file.run('BEGIN');
  try {
    await file.run(`DELETE FROM events WHERE rowid IN (SELECT id FROM (${doomed}))`);
    return await analyze();
  } finally {
    await file.run('ROLLBACK');
  }
}
