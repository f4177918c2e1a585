/** audit.csv: every key with a verdict, one row each. Written row by row, because there may be millions. */
import type { Analysis } from '../../model/analysis.js';
import type { RecordKey } from '../../model/records-audit.js';
import { refText } from '../ref-text.js';
import { csv, csvRow } from './escape-csv.js';

const HEADER = [
  'queue',
  'scope',
  'key',
  'verdicts',
  'basis',
  'says',
  'job_ids',
  'rows',
  'ended',
  'executions',
  'findings',
  'references',
];

export const auditCsvHeader = (): string => csv(HEADER, []);

/** One key as one row, with its line end. */
export function auditCsvRow(key: RecordKey): string {
  const executions = key.shown.map((row) => row.execution ?? '').join('; ');
  return csvRow([
    key.queue,
    key.scope,
    key.key,
    key.verdicts.map(({ verdict }) => verdict).join('; '),
    [...new Set(key.verdicts.map(({ basis }) => basis))].join('; '),
    key.verdicts.map(({ says }) => says).join('; '),
    key.jobs.join('; '),
    key.rows,
    key.ended,
    /\d/.test(executions) ? executions : undefined,
    key.findings.join('; '),
    key.shown.map((row) => refText(row.ref, row.ref.source)).join('; '),
  ]);
}

/** The keys that the analysis lists: all, unless there are more than it holds. */
export function renderAuditCsv(analysis: Analysis): string {
  return auditCsvHeader() + (analysis.records?.keys ?? []).map(auditCsvRow).join('');
}
