/** Checks over all jobs of the snapshots: what the counters of a job say about what the evidence shows. */
import type { Ref } from '../model/analysis.js';
import { EVENT_KINDS, type EventKind } from '../model/event.js';
import { QUEUE_SETS } from '../model/fact.js';
import type { CaseFile } from './case-file.js';

/** A producer's clock and that of Redis are taken to differ by less. */
const CLOCKS_APART_MS = 60_000;

const code = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);

export interface CounterCheck {
  readonly queue: string;
  readonly jobs: number;
  readonly example: string;
  readonly ref: Ref;
}

/**
 * BullMQ 5 and later: `ats` (activations) = `atm` (persisted ends) + `stc` (stalls) + moves by the handler + 1 if active. Jobs
 * whose snapshot says more activations than that, where the events stream shows no move of theirs, had steps or runs that the
 * evidence no longer shows. Up to BullMQ 4 there is no counter of activations apart from the attempts, and nothing is said.
 */
export async function readUnexplainedActivations(file: CaseFile): Promise<CounterCheck[]> {
  const rows = await file.query(`
    WITH active AS (SELECT DISTINCT source, queue, job FROM members WHERE set = ${QUEUE_SETS.indexOf('active')}),
    moves AS (
      SELECT q, job, count(*) AS n FROM ev WHERE clock = 0 AND kind IN (${code('delayed')}, ${code('waiting-children')}, ${code('waiting')})
      GROUP BY q, job
    ), odd AS (
      SELECT f.queue, f.job, f.source, f.off,
        f.attempts_started - f.attempts_made - coalesce(f.stalled_counter, 0) - (CASE WHEN a.job IS NULL THEN 0 ELSE 1 END) AS unexplained,
        coalesce(m.n, 0) AS moves
      FROM job_facts f LEFT JOIN active a ON a.source = f.source AND a.queue = f.queue AND a.job = f.job
      LEFT JOIN moves m ON m.q = f.queue AND m.job = f.job
      WHERE f.attempts_started IS NOT NULL AND f.attempts_made IS NOT NULL
    )
    SELECT q.text AS queue, count(*) AS jobs, min(s.path) AS path, arg_min(o.off, (s.path, o.off)) AS off,
      arg_min(CASE WHEN o.job >= 0 THEN CAST(o.job AS VARCHAR) ELSE j.text END, (s.path, o.off)) AS example
    FROM odd o JOIN sources s ON s.id = o.source LEFT JOIN strings q ON q.id = o.queue LEFT JOIN strings j ON j.id = -o.job
    WHERE unexplained > moves GROUP BY q.text ORDER BY q.text`);
  return rows.map((row) => ({
    queue: String(row.queue),
    jobs: Number(row.jobs),
    example: String(row.example),
    ref: { source: String(row.path), ...(Number(row.off) >= 0 ? { offset: Number(row.off) } : {}) },
  }));
}

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
