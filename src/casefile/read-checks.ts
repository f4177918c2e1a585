/** Checks over all jobs of the snapshots: what the counters of a job say about what the evidence shows. */
import type { Ref } from '../model/analysis.js';
import { EVENT_KINDS, type EventKind } from '../model/event.js';
import { QUEUE_SETS } from '../model/fact.js';
import type { CaseFile } from './case-file.js';

/** A producer's clock and that of Redis are taken to differ by less. */
const CLOCKS_APART_MS = 60_000;

const code = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);

/**
 * - `unseen`: activations that the hash counts and no record shows;
 * - `reset`: fewer counted than attempts, stalls and the one that is open need, or than the stream shows;
 * - `stalls`: recoveries that the hash counts and the stream does not show, although it begins before the job.
 */
export type CounterProblem = 'unseen' | 'reset' | 'stalls';

export interface CounterCheck {
  readonly problem: CounterProblem;
  readonly queue: string;
  readonly jobs: number;
  /** Activations or stalls, over all of these jobs. */
  readonly missing: number;
  readonly example: string;
  readonly counted: number;
  readonly shown: number;
  readonly ref: Ref;
}

/**
 * Holds the counters of each job against what the evidence shows. BullMQ 5 and later: `ats` (activations) = `atm` (persisted
 * ends) + `stc` (stalls) + moves by the handler + 1 if active, so `ats` is never less than the rest, and where the stream of the
 * same snapshot begins before the job, it shows `ats` activations and `stc` stalls (up to 5.53.1 the last stall of a job over the
 * limit is a `failed` entry instead). Up to BullMQ 4 `attemptsMade` counts activations, and nothing can be said of their sum.
 * `job.retry` can set the counters back (`resetAttemptsMade`, `resetAttemptsStarted`), so jobs put back by hand are left out there.
 */
export async function readCounterChecks(file: CaseFile): Promise<CounterCheck[]> {
  const rows = await file.query(`
    WITH active AS (SELECT DISTINCT source, queue, job FROM members WHERE set = ${QUEUE_SETS.indexOf('active')}),
    streams_of AS (
      SELECT e.source, e.q, e.job, count(*) FILTER (kind = ${code('added')}) AS adds, count(*) FILTER (kind = ${code('active')}) AS activations,
        count(*) FILTER (kind = ${code('stalled')}) AS stalls,
        count(*) FILTER (kind = ${code('failed')} AND d.text LIKE '%stalled more than%') AS over_limit
      FROM ev e JOIN sources s ON s.id = e.source LEFT JOIN strings d ON d.id = e.data AND e.kind = ${code('failed')}
      WHERE e.clock = 0 AND e.job IS NOT NULL AND (s.report->>'format') LIKE 'rdb%' GROUP BY e.source, e.q, e.job
    ), jobs AS (
      SELECT f.queue, f.job, f.source, f.off, f.attempts_started AS ats, f.attempts_made AS atm, coalesce(f.stalled_counter, 0) AS stc,
        CASE WHEN a.job IS NULL THEN 0 ELSE 1 END AS open, s.requeues, greatest(s.activations, s.starts) AS shown,
        o.adds = 1 AS whole, o.activations, o.stalls, o.over_limit
      FROM job_facts f JOIN job_summary s ON s.q = f.queue AND s.job = f.job
      LEFT JOIN active a ON a.source = f.source AND a.queue = f.queue AND a.job = f.job
      LEFT JOIN streams_of o ON o.source = f.source AND o.q = f.queue AND o.job = f.job
      WHERE f.attempts_started IS NOT NULL
    ), problems AS (
      SELECT *, 'unseen' AS problem, ats AS counted, shown AS seen, ats - shown AS missing FROM jobs WHERE shown > 0 AND ats > shown
      UNION ALL SELECT *, 'reset', ats, atm + stc + open, atm + stc + open - ats FROM jobs
        WHERE requeues = 0 AND atm IS NOT NULL AND ats < atm + stc + open
      UNION ALL SELECT *, 'reset', ats, activations, activations - ats FROM jobs WHERE requeues = 0 AND whole AND activations > ats
      UNION ALL SELECT *, 'stalls', stc, stalls, stc - stalls FROM jobs WHERE whole AND stc > stalls + over_limit
    ), once AS (
      FROM problems QUALIFY row_number() OVER (PARTITION BY problem, queue, job ORDER BY missing DESC, source, off) = 1
    )
    SELECT p.problem, q.text AS queue, count(*) AS jobs, sum(missing) AS missing, arg_min(counted, (s.path, p.off, p.job)) AS counted,
      arg_min(seen, (s.path, p.off, p.job)) AS seen, min(s.path) AS path, arg_min(p.off, (s.path, p.off, p.job)) AS off,
      arg_min(CASE WHEN p.job >= 0 THEN CAST(p.job AS VARCHAR) ELSE j.text END, (s.path, p.off, p.job)) AS example
    FROM once p JOIN sources s ON s.id = p.source LEFT JOIN strings q ON q.id = p.queue LEFT JOIN strings j ON j.id = -p.job
    GROUP BY p.problem, q.text ORDER BY q.text, p.problem`);
  return rows.map((row) => ({
    problem: PROBLEMS.find((one) => one === row.problem) ?? 'unseen',
    queue: String(row.queue),
    jobs: Number(row.jobs),
    missing: Number(row.missing),
    example: String(row.example),
    counted: Number(row.counted),
    shown: Number(row.seen),
    ref: { source: String(row.path), ...(Number(row.off) >= 0 ? { offset: Number(row.off) } : {}) },
  }));
}

const PROBLEMS: readonly CounterProblem[] = ['unseen', 'reset', 'stalls'];

export interface TrimmedStream {
  readonly queue: string;
  readonly source: string;
  readonly lost: number;
  readonly firstId?: string;
}

/** Events streams that once held more entries than they show: what came before their first entry cannot be seen. */
export async function readTrimmedStreams(file: CaseFile): Promise<TrimmedStream[]> {
  const rows = await file.query(`
    SELECT q.text AS queue, s.path, t.entries_added - t.length AS lost, t.first_id FROM streams t
    JOIN sources s ON s.id = t.source LEFT JOIN strings q ON q.id = t.queue
    WHERE t.entries_added > t.length ORDER BY q.text, s.path`);
  return rows.map((row) => ({
    queue: String(row.queue),
    source: String(row.path),
    lost: Number(row.lost),
    ...(row.first_id === null ? {} : { firstId: String(row.first_id) }),
  }));
}

/** Jobs that workers started and nothing shows to have ended: open at the end of the evidence, or their end is not in it. */
export async function readOpenJobs(file: CaseFile): Promise<{ queue?: string; jobs: number; example: string }[]> {
  const rows = await file.query(`
    SELECT q.text AS queue, count(*) AS jobs, min(CASE WHEN s.job >= 0 THEN CAST(s.job AS VARCHAR) ELSE j.text END) AS example
    FROM job_summary s LEFT JOIN strings q ON q.id = s.q AND s.q <> 0 LEFT JOIN strings j ON j.id = -s.job
    WHERE s.starts > 0 AND s.acks + s.returns + s.throws + s.attempt_failures + s.completions + s.failures + s.log_moves + s.lock_errors = 0
    GROUP BY q.text ORDER BY q.text NULLS FIRST`);
  return rows.map((row) => ({
    ...(row.queue === null ? {} : { queue: String(row.queue) }),
    jobs: Number(row.jobs),
    example: String(row.example),
  }));
}

/** Job ids of one queue that snapshots give different creation times: several systems in one run, or ids used again. */
export async function readMixedIds(file: CaseFile): Promise<{ queue: string; jobs: number; example: string }[]> {
  const rows = await file.query(`
    SELECT q.text AS queue, count(*) AS jobs, min(CASE WHEN f.job >= 0 THEN CAST(f.job AS VARCHAR) ELSE j.text END) AS example
    FROM (SELECT queue, job FROM job_facts WHERE timestamp IS NOT NULL GROUP BY queue, job HAVING count(DISTINCT timestamp) > 1) f
    LEFT JOIN strings q ON q.id = f.queue LEFT JOIN strings j ON j.id = -f.job GROUP BY q.text ORDER BY q.text`);
  return rows.map((row) => ({ queue: String(row.queue), jobs: Number(row.jobs), example: String(row.example) }));
}

export interface RemovedJobs {
  readonly queue: string;
  readonly source: string;
  /** Ids that the queue's counter had given out, and job hashes that were still there. */
  readonly given: number;
  readonly left: number;
  readonly offset: number;
}

/** Queues of whole snapshots whose counter of ids passed the number of their jobs: the others were removed. */
export async function readRemovedJobs(file: CaseFile): Promise<RemovedJobs[]> {
  const rows = await file.query(`
    SELECT q.text AS queue, s.path, m.off, CAST(m.value AS DOUBLE) AS given, coalesce(j.n, 0) AS jobs
    FROM meta m JOIN sources s ON s.id = m.source JOIN snapshots n ON n.source = m.source
    LEFT JOIN (SELECT source, queue, count(*) AS n FROM job_facts GROUP BY source, queue) j
      ON j.source = m.source AND j.queue = m.queue
    LEFT JOIN strings q ON q.id = m.queue
    WHERE m.field = 'id' AND TRY_CAST(m.value AS DOUBLE) > coalesce(j.n, 0) ORDER BY q.text, s.path`);
  return rows.map((row) => ({
    queue: String(row.queue),
    source: String(row.path),
    given: Number(row.given),
    left: Number(row.jobs),
    offset: Number(row.off),
  }));
}

/** Queues of Bull 3 and 4, which store no events. */
export async function readBullQueues(file: CaseFile): Promise<{ queue: string; source: string; offset: number }[]> {
  const rows = await file.query(`
    SELECT q.text AS queue, min(s.path) AS path, arg_min(m.off, (s.path, m.off)) AS off FROM meta m
    JOIN sources s ON s.id = m.source LEFT JOIN strings q ON q.id = m.queue
    WHERE m.field = 'library' AND m.value = 'bull' AND NOT EXISTS (SELECT 1 FROM streams t WHERE t.queue = m.queue)
    GROUP BY q.text ORDER BY q.text`);
  return rows.map((row) => ({ queue: String(row.queue), source: String(row.path), offset: Number(row.off) }));
}

/** Events streams of older servers (no count of entries), whose first entry is later than jobs that are still there. */
export async function readLateStreams(file: CaseFile): Promise<{ queue: string; source: string; firstId: string }[]> {
  const rows = await file.query(`
    SELECT q.text AS queue, s.path, t.first_id FROM streams t JOIN sources s ON s.id = t.source
    LEFT JOIN strings q ON q.id = t.queue
    JOIN (SELECT queue, min(timestamp) AS made FROM job_facts GROUP BY queue) j ON j.queue = t.queue
    WHERE t.entries_added IS NULL AND TRY_CAST(split_part(t.first_id, '-', 1) AS DOUBLE) > j.made + ${CLOCKS_APART_MS}
    ORDER BY q.text, s.path`);
  return rows.map((row) => ({ queue: String(row.queue), source: String(row.path), firstId: String(row.first_id) }));
}
