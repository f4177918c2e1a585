/**
 * Learns a team's own words for "I begin" and "I am done" from the jobs that went well.
 *
 * "Sending invoice" and "Invoice sent" say nothing to a program that knows only the trade's verbs. But where the same words
 * stand first in every job's lines, or last and right before the acknowledgement, their place tells what they mean. Only
 * jobs that ran once, without a stall or a lock error, teach; what was learned is reported as a setting with its example.
 */
import type { Ref } from '../model/analysis.js';
import { EVENT_KINDS, type EventKind, PRECISIONS } from '../model/event.js';
import type { CaseFile } from './case-file.js';

export interface LearnedWords {
  readonly kind: 'handler-started' | 'handler-returned';
  /** The words, without ids and numbers. */
  readonly shape: string;
  /** Jobs that taught it. */
  readonly jobs: number;
  readonly example: Ref;
}

/** Fewer jobs than this teach nothing, and nearly all of them must agree. */
const MIN_JOBS = 3;
const AGREEMENT = 0.95;
/** A return is followed by its acknowledgement at once: within a tenth of the run, or within this where runs are short, ms. */
const AT_ONCE_OF_RUN = 0.1;
const AT_ONCE_MS = 10;

const code = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);

/** Makes `ev` show the learned kinds; needs `resolveQueues` and `summarizeJobs`, which must be repeated when words were learned. */
export async function learnWords(file: CaseFile): Promise<LearnedWords[]> {
  const rows = await file.query(`
    WITH shapes AS (SELECT id, text->>'shape' AS shape FROM strings WHERE text LIKE '{%"shape":%'),
    teachers AS (
      SELECT q, job, starts, returns FROM job_summary
      WHERE activations <= 1 AND starts <= 1 AND stalls = 0 AND stall_notices = 0 AND lock_errors = 0 AND renewal_errors = 0
        AND requeues = 0 AND attempt_failures = 0 AND throws = 0 AND log_moves = 0 AND moves = 0 AND (acks = 1 OR completions = 1)
    ), redis AS (
      SELECT q, job, min(t) FILTER (kind = ${code('active')}) AS active, min(t) FILTER (kind = ${code('completed')}) AS completed
      FROM ev JOIN teachers USING (q, job) WHERE clock = 0 GROUP BY q, job
    ), acks AS (
      SELECT q, job, min(t) AS acked FROM ev JOIN teachers USING (q, job) WHERE kind = ${code('acknowledged')} AND t IS NOT NULL GROUP BY q, job
    ), lines AS (
      SELECT q, job, e.kind, e.source, e.line, e.t, e.data, t.starts, t.returns,
        row_number() OVER (PARTITION BY q, job ORDER BY e.t, e.source, e.line) AS place,
        count(*) OVER (PARTITION BY q, job) AS lines
      FROM ev e JOIN teachers t USING (q, job) WHERE clock = 1 AND e.kind <> ${code('acknowledged')} AND prec <> ${PRECISIONS.indexOf('none')}
    ), told AS (
      SELECT s.shape, l.*, l.t - r.active AS before_ms, coalesce(a.acked, r.completed) - l.t AS after_ms,
        count(*) OVER (PARTITION BY s.shape, l.q, l.job) AS times_in_job, p.path
      FROM lines l JOIN shapes s ON s.id = l.data JOIN sources p ON p.id = l.source
      LEFT JOIN redis r USING (q, job) LEFT JOIN acks a USING (q, job) WHERE l.kind = ${code('handler-line')}
    )
    SELECT shape, count(*) AS times, max(times_in_job) AS most_in_job, sum(starts) AS starts, sum(returns) AS returns,
      count(*) FILTER (place = 1) AS firsts, count(*) FILTER (place = lines) AS lasts, max(lines) AS lines,
      median(before_ms) AS before_ms, median(after_ms) AS after_ms, arg_min(path, (path, line)) AS path, arg_min(line, (path, line)) AS line
    FROM told GROUP BY shape HAVING count(*) >= ${MIN_JOBS} ORDER BY shape`);

  const learned: LearnedWords[] = [];
  for (const row of rows) {
    const times = Number(row.times);
    if (Number(row.most_in_job) > 1) continue;
    const before = row.before_ms === null ? undefined : Number(row.before_ms);
    const after = row.after_ms === null ? undefined : Number(row.after_ms);
    const first = Number(row.firsts) >= AGREEMENT * times;
    const last = Number(row.lasts) >= AGREEMENT * times;
    const run = (before ?? 0) + (after ?? 0);
    const atOnce = after !== undefined && after <= Math.max(AT_ONCE_MS, AT_ONCE_OF_RUN * run);
    // The only line of a job is the end if the acknowledgement is nearer than the start.
    const isEnd = last && atOnce && (!first || (before !== undefined ? after < before : Number(row.starts) > 0));
    const kind =
      isEnd && Number(row.returns) === 0
        ? 'handler-returned'
        : first && Number(row.starts) === 0 && !isEnd
          ? 'handler-started'
          : undefined;
    if (kind !== undefined)
      learned.push({
        kind,
        shape: String(row.shape),
        jobs: times,
        example: { source: String(row.path), line: Number(row.line) },
      });
  }
  await applyWords(file, learned);
  return learned;
}

async function applyWords(file: CaseFile, learned: readonly LearnedWords[]): Promise<void> {
  if (learned.length === 0) return;
  const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const values = learned.map(({ kind, shape }) => `(${quote(shape)}, ${code(kind)})`).join(', ');
  await file.run(`
    INSERT INTO learned SELECT s.id, w.kind FROM strings s JOIN (VALUES ${values}) w(shape, kind) ON s.text->>'shape' = w.shape
    WHERE s.text LIKE '{%"shape":%'`);
}
