/** Inputs that are results of this program: an analysis to be rendered or compared, a case file to be diagnosed again. */
import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { type Analysis, analysisSchema } from '../model/analysis.js';
import { UsageError } from './exit-codes.js';
import { plain } from './remarks.js';

/**
 * Undefined for what is no analysis of this program.
 * @throws UsageError for one that this version cannot read.
 */
export function readEarlierAnalysis(path: string): Analysis | undefined {
  if (!path.endsWith('.json') || !startsWith(path, '{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('schema' in value)) return undefined;
  if (typeof value.schema !== 'string' || !value.schema.startsWith('bullmortem/')) return undefined;
  const parsed = analysisSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UsageError(
    `${plain(path)} is no analysis this version can render: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  );
}

/** DuckDB writes DUCK at byte 8 of its files. */
export const isCaseFile = (path: string): boolean => startsWith(path, 'DUCK', 8);

/** Of a path and one that may be absent. The case that is kept needs no naming as evidence, too. */
export function isSameFile(path: string, other: string | undefined): boolean {
  try {
    return other !== undefined && realpathSync(path) === realpathSync(other);
  } catch {
    return false;
  }
}

function startsWith(path: string, text: string, at = 0): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(text.length);
      readSync(file, head, 0, text.length, at);
      return head.toString('latin1') === text;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
