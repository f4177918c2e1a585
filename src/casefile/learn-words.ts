/**
 * Learns a team's own words for "I begin" and "I am done" from the jobs that went well.
 *
 * "Sending invoice" and "Invoice sent" say nothing to a program that knows only the trade's verbs. But where the same words
 * stand first in every job's lines, or last and right before the acknowledgement, their place tells what they mean. Only
 * jobs that ran once, without a stall or a lock error, teach; what was learned is reported as a setting with its example.
 *
 * "Processing send-mail 12" may name a job or an order. Such words are taken for a job's only where nearly all their numbers are
 * ids of known jobs, and the same process acknowledges these jobs or the line stands between their start and end in Redis.
 */
import type { Ref } from '../model/analysis.js';
import { EVENT_KINDS, type EventKind, PRECISIONS } from '../model/event.js';
import type { CaseFile, Row } from './case-file.js';
import { dataField } from './data-field.js';

export interface LearnedWords {
  /** `acknowledged` is learned softly: the last line of a job may as well be its handler's. */
  readonly kind: 'handler-started' | 'handler-returned' | 'acknowledged' | 'aftermath';
  /** The words, without ids and numbers. */
  readonly shape: string;
  /** Jobs that taught it. */
  readonly jobs: number;
  readonly example: Ref;
}

/** Fewer jobs than this teach nothing, and nearly all of them must agree. */
const MIN_JOBS = 3;
const AGREEMENT = 0.95;
/** Of numbered lines: a job that died has no acknowledgement, by which a log alone would know it. */
const KNOWN_NUMBERS = 0.8;
/** Redis gives whole milliseconds, and a log its own, ms. */
const ROUNDING_MS = 5;
/** A return is followed by its acknowledgement at once: within a tenth of the run, or a round trip to a busy Redis, ms. */
const AT_ONCE_OF_RUN = 0.1;
const AT_ONCE_MS = 50;

const code = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);

/** Makes `ev` show the learned kinds; needs `resolveQueues` and `summarizeJobs`, which must be repeated when words were learned. */
export async function learnWords(file: CaseFile): Promise<LearnedWords[]> {
  const rows = await file.query(`
    WITH shapes AS (SELECT id, ${dataField('text', 'shape')} AS shape FROM strings WHERE text LIKE '{%"shape":%'),
    teachers AS (
      SELECT q, job, starts, returns FROM job_summary
      WHERE activations <= 1 AND starts <= 1 AND stalls = 0 AND stall_notices = 0 AND lock_errors = 0 AND renewal_errors = 0
        AND requeues = 0 AND attempt_failures = 0 AND throws = 0 AND log_moves = 0 AND moves = 0 AND (acks = 1 OR completions = 1)
    ), redis AS (
      SELECT q, job, min(t) FILTER (kind = ${code('active')}) AS active, min(t) FILTER (kind = ${code('completed')}) AS completed
      FROM ev JOIN teachers USING (q, job) WHERE clock = 0 GROUP BY q, job
    ), acks AS (
      SELECT q, job, min(t) AS acked, arg_min(source, t) AS ack_source, arg_min(line, t) AS ack_line, arg_min(process, t) AS ack_process FROM ev JOIN teachers USING (q, job) WHERE kind = ${code('acknowledged')} AND t IS NOT NULL GROUP BY q, job
    ), lines AS (
      SELECT q, job, e.kind, e.source, e.line, e.off, e.process, e.t, e.data, t.starts, t.returns,
        row_number() OVER (PARTITION BY q, job ORDER BY e.t, e.source, e.line) AS place,
        count(*) OVER (PARTITION BY q, job) AS lines,
        lead(e.t) OVER (PARTITION BY q, job ORDER BY e.t, e.source, e.line) - e.t AS next_ms
      FROM ev_all e JOIN teachers t USING (q, job) WHERE clock = 1 AND e.kind <> ${code('acknowledged')} AND prec <> ${PRECISIONS.indexOf('none')}
    ), told AS (
      SELECT s.shape, l.*, a.acked, l.t - r.active AS before_ms, coalesce(a.acked, r.completed) - l.t AS after_ms,
        l.t > a.acked OR (l.t = a.acked AND l.source = a.ack_source AND l.line > a.ack_line) AS follows,
        l.process = a.ack_process OR l.t BETWEEN r.active - ${ROUNDING_MS} AND r.completed + ${ROUNDING_MS} AS own,
        count(*) OVER (PARTITION BY s.shape, l.q, l.job) AS times_in_job, p.path
      FROM lines l JOIN shapes s ON s.id = l.data JOIN sources p ON p.id = l.source
      LEFT JOIN redis r USING (q, job) LEFT JOIN acks a USING (q, job) WHERE l.kind IN (${code('handler-line')}, ${code('numbered-line')})
    ), numbered AS (
      SELECT s.shape, count(j.job) / count(*) AS known
      FROM ev_all e JOIN shapes s ON s.id = e.data LEFT JOIN job_summary j USING (q, job)
      WHERE e.kind = ${code('numbered-line')} GROUP BY s.shape
    )
    SELECT shape, any_value(n.known) AS known, count(*) FILTER (own) AS own, count(*) AS times, max(times_in_job) AS most_in_job, sum(starts) AS starts, sum(returns) AS returns,
      count(*) FILTER (place = 1) AS firsts, count(*) FILTER (place = lines) AS lasts,
      count(*) FILTER (place = lines - 1) AS seconds, median(next_ms) AS next_ms, count(acked) AS acked, count(*) FILTER (follows) AS follows,
      median(before_ms) AS before_ms, median(after_ms) AS after_ms, arg_min(path, (path, line)) AS path, arg_min(line, (path, line)) AS line, arg_min(off, (path, line)) AS off
    FROM told LEFT JOIN numbered n USING (shape) GROUP BY shape HAVING count(*) >= ${MIN_JOBS} ORDER BY shape`);

  const shapes = rows.filter((row) => Number(row.most_in_job) === 1 && isOfJobs(row)).map(toShape);
  const learned = shapes.flatMap((shape): LearnedWords[] => {
    const kind = meaningOf(shape, shapes);
    return kind === undefined ? [] : [{ kind, shape: shape.shape, jobs: shape.times, example: shape.example }];
  });
  await applyWords(file, learned);
  return learned;
}

/** The numbers in the words are ids of jobs: by the words themselves, or by what is known of jobs with these ids. */
const isOfJobs = (row: Row): boolean =>
  row.known === null || (Number(row.known) >= KNOWN_NUMBERS && Number(row.own) >= AGREEMENT * Number(row.times));

interface Shape {
  readonly shape: string;
  readonly times: number;
  readonly example: Ref;
  /** Shares of the jobs in which it stood first, last, last but one among the job's lines (acknowledgements aside). */
  readonly first: boolean;
  readonly last: boolean;
  readonly second: boolean;
  /** It stood behind the acknowledgement. */
  readonly follows: boolean;
  /** Known words for it exist in these jobs already. */
  readonly startsKnown: boolean;
  readonly returnsKnown: boolean;
  readonly acksKnown: boolean;
  /** Medians, ms: since the activation, until the acknowledgement or completion, until the job's next line. */
  readonly beforeMs?: number;
  readonly afterMs?: number;
  readonly nextMs?: number;
}

function toShape(row: Row): Shape {
  const times = Number(row.times);
  const mostly = (count: unknown): boolean => Number(count) >= AGREEMENT * times;
  const ms = (value: unknown): number | undefined => (value === null ? undefined : Number(value));
  const [beforeMs, afterMs, nextMs] = [ms(row.before_ms), ms(row.after_ms), ms(row.next_ms)];
  return {
    shape: String(row.shape),
    times,
    example: {
      source: String(row.path),
      line: Number(row.line),
      ...(Number(row.off) >= 0 ? { offset: Number(row.off) } : {}),
    },
    first: mostly(row.firsts),
    last: mostly(row.lasts),
    second: mostly(row.seconds),
    follows: mostly(row.follows),
    startsKnown: Number(row.starts) > 0,
    returnsKnown: Number(row.returns) > 0,
    acksKnown: mostly(row.acked),
    ...(beforeMs === undefined ? {} : { beforeMs }),
    ...(afterMs === undefined ? {} : { afterMs }),
    ...(nextMs === undefined ? {} : { nextMs }),
  };
}

/**
 * Last and right before a known acknowledgement: the return. Last where no acknowledgement is known: the acknowledgement,
 * softly, and the words right before it the return. First, where no start is known: the start. Behind a known
 * acknowledgement: work that is done after it.
 */
function meaningOf(shape: Shape, all: readonly Shape[]): LearnedWords['kind'] | undefined {
  if (shape.follows && shape.acksKnown) return 'aftermath';
  const runMs = (shape.beforeMs ?? 0) + Math.max(0, shape.afterMs ?? 0);
  const atOnce = (ms: number | undefined): boolean =>
    ms !== undefined && Math.abs(ms) <= Math.max(AT_ONCE_MS, AT_ONCE_OF_RUN * runMs);
  const nearerToEnd = shape.beforeMs === undefined ? shape.startsKnown : Math.abs(shape.afterMs ?? 0) < shape.beforeMs;
  const isLast = shape.last && atOnce(shape.afterMs) && (!shape.first || nearerToEnd);
  if (isLast && shape.acksKnown) return shape.returnsKnown ? undefined : 'handler-returned';
  if (isLast) return 'acknowledged';
  const isSecond = shape.second && !shape.acksKnown && !shape.returnsKnown && atOnce(shape.nextMs) && !shape.first;
  if (isSecond && all.some((other) => other.last && !other.acksKnown && atOnce(other.afterMs)))
    return 'handler-returned';
  return shape.first && !shape.startsKnown ? 'handler-started' : undefined;
}

async function applyWords(file: CaseFile, learned: readonly LearnedWords[]): Promise<void> {
  if (learned.length === 0) return;
  const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const values = learned.map(({ kind, shape }) => `(${quote(shape)}, ${code(kind)})`).join(', ');
  await file.run(`
    INSERT INTO learned SELECT s.id, w.kind FROM strings s JOIN (VALUES ${values}) w(shape, kind) ON ${dataField('s.text', 'shape')} = w.shape
    WHERE s.text LIKE '{%"shape":%'`);
}
