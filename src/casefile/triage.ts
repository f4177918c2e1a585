/**
 * Picks the jobs worth a story, in SQL, from an order-free summary of every job.
 *
 * The same entry may be seen through several sources (an RDB, an XRANGE export, AOF, MONITOR): what Redis recorded is counted
 * per source, and the source that shows most counts.
 */
import { EVENT_KINDS, type EventKind } from '../model/event.js';
import { QUEUE_SETS, type QueueSet, SCORE_PER_MS } from '../model/fact.js';
import { type JobSummary, SUMMARY_COLUMNS, type SummaryColumn } from '../model/summary.js';
import type { CaseFile } from './case-file.js';
import { relateJobs, TELLING_KINDS } from './relate-jobs.js';

const kindCode = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);
const kindCodes = (...kinds: EventKind[]): string => kinds.map(kindCode).join(', ');
const setCodes = (...sets: QueueSet[]): string => sets.map((set) => QUEUE_SETS.indexOf(set)).join(', ');

/** Records of Redis of these kinds in one source; the source that shows most of them counts. */
const inRedis = (...kinds: EventKind[]): string => `count(*) FILTER (clock = 0 AND kind IN (${kindCodes(...kinds)}))`;
const inLogs = (...kinds: EventKind[]): string => `count(*) FILTER (clock <> 0 AND kind IN (${kindCodes(...kinds)}))`;

/** Entries that one script made carry the same time, as MONITOR shows them within a few ms. */
const SAME_SCRIPT_MS = 5;

const EVENT_COLUMNS = {
  activations: inRedis('active'),
  completions: inRedis('completed'),
  failures: inRedis('failed'),
  stalls: inRedis('stalled'),
  // A job that was added with a delay was not moved there by a run.
  moves: `${inRedis('delayed', 'waiting-children')} - CASE WHEN abs(min(t) FILTER (clock = 0 AND kind = ${kindCode('delayed')})
    - min(t) FILTER (clock = 0 AND kind = ${kindCode('added')})) <= ${SAME_SCRIPT_MS} THEN 1 ELSE 0 END`,
  requeues: `count(*) FILTER (clock = 0 AND kind = ${kindCode('waiting')} AND data IN (FROM requeue_data))`,
  progresses: inRedis('progress'),
  adds: inRedis('added'),
  starts: inLogs('handler-started'),
  returns: inLogs('handler-returned'),
  throws: inLogs('handler-threw'),
  acks: inLogs('acknowledged'),
  attempt_failures: inLogs('attempt-failed'),
  stall_notices: inLogs('stalled-notice'),
  lock_errors: inLogs('lock-missing', 'lock-mismatch', 'not-in-state', 'key-missing', 'pending-children'),
  renewal_errors: inLogs('renewal-failed'),
  log_moves: inLogs('moved-by-handler'),
  aftermath_missing: inLogs('aftermath'),
  ack_wait_ms: `max(t) FILTER (kind = ${kindCode('acknowledged')}) - max(t) FILTER (kind = ${kindCode('handler-returned')})`,
  lock_events: inRedis('lock-set', 'lock-renewed', 'lock-released', 'lock-gone'),
  lock_losses: inRedis('lock-gone'),
  rejected_finishes: inRedis('finish-rejected'),
} as const satisfies Partial<Record<SummaryColumn, string>>;

/** Told by workers, each in its own log: what they tell adds up. */
const IN_LOGS: ReadonlySet<string> = new Set([
  'starts',
  'returns',
  'throws',
  'acks',
  'attempt_failures',
  'stall_notices',
  'lock_errors',
  'renewal_errors',
  'log_moves',
  'aftermath_missing',
]);

const FACT_COLUMNS = {
  in_active: `max(CASE WHEN set IN (${setCodes('active')}) THEN 1 ELSE 0 END)`,
  in_wait: `max(CASE WHEN set IN (${setCodes('wait', 'paused', 'prioritized')}) THEN 1 ELSE 0 END)`,
  queue_idle: `max(CASE WHEN idle AND set IN (${setCodes('wait', 'paused', 'prioritized', 'delayed')}) THEN 1 ELSE 0 END)`,
  overdue: `max(CASE WHEN set = ${setCodes('delayed')} AND score / ${SCORE_PER_MS} < moment THEN 1 ELSE 0 END)`,
  in_delayed: `max(CASE WHEN set IN (${setCodes('delayed')}) THEN 1 ELSE 0 END)`,
  has_lock: 'max(has_lock)',
  has_hash: 'max(has_hash)',
  attempts_started: 'max(attempts_started)',
  attempts_made: 'max(attempts_made)',
  stalled_counter: 'max(stalled_counter)',
} as const satisfies Partial<Record<SummaryColumn, string>>;

const aliased = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, expression]) => `CAST(coalesce(${expression}, 0) AS INTEGER) AS ${name}`)
    .join(',\n      ');

/** Makes the temporary table `job_summary` (q, job, one column for each of `SUMMARY_COLUMNS`). Needs `resolveQueues`. */
export async function summarizeJobs(file: CaseFile): Promise<void> {
  const columns = Object.keys(SUMMARY_COLUMNS).map((name) =>
    name === 'aftermath_missing'
      ? `CASE WHEN coalesce(acks, 0) > 0 THEN greatest(0, coalesce(median(CASE WHEN acks > 0 THEN aftermath_missing END) OVER (PARTITION BY coalesce(e.q, f.q)), 0)
        - coalesce(aftermath_missing, 0)) ELSE 0 END AS aftermath_missing`
      : name === 'other_tellers' || name in EVENT_COLUMNS || name in FACT_COLUMNS
        ? `coalesce(${name}, 0) AS ${name}`
        : `0 AS ${name}`,
  );
  await file.run(`
    CREATE OR REPLACE TEMP TABLE requeue_data AS
      SELECT id FROM strings WHERE text LIKE '{%"prev":"completed"%' OR text LIKE '{%"prev":"failed"%';
    -- Only an RDB holds every key: elsewhere a lock that is not told of may be there.
    CREATE OR REPLACE TEMP TABLE locked_active AS
      SELECT DISTINCT m.source, m.queue, m.job FROM members m JOIN sources s ON s.id = m.source
      LEFT JOIN locks k ON k.source = m.source AND k.queue = m.queue AND k.job = m.job
      WHERE m.set = ${setCodes('active')} AND (k.job IS NOT NULL OR NOT (s.report->>'format') LIKE 'rdb%');
    -- Of a transcript only an answer says that nothing is in active.
    CREATE OR REPLACE TEMP TABLE idle_asked AS
      SELECT DISTINCT c.source, c.queue, a.from_ms, a.to_ms FROM counts c JOIN askings a ON a.source = c.source
      WHERE c.what = 'active' AND c.n = 0 AND a.from_ms IS NOT NULL;
    CREATE OR REPLACE TEMP TABLE job_summary AS
    WITH by_source AS (
      SELECT q, job, source, ${aliased(EVENT_COLUMNS)},
        min(process) FILTER (clock <> 0 AND kind IN (${TELLING_KINDS})) AS first_teller,
        max(process) FILTER (clock <> 0 AND kind IN (${TELLING_KINDS})) AS last_teller FROM ev WHERE job IS NOT NULL GROUP BY q, job, source
    ), from_events AS (
      SELECT q, job, ${Object.keys(EVENT_COLUMNS)
        .map((name) => `CAST(${IN_LOGS.has(name) ? 'sum' : 'max'}(${name}) AS INTEGER) AS ${name}`)
        .join(', ')}, CAST(coalesce(min(first_teller) <> max(last_teller), false) AS INTEGER) AS other_tellers
      FROM by_source GROUP BY q, job
    ), facts AS (
      SELECT queue, job, 1 AS has_hash, 0 AS has_lock, attempts_started, attempts_made, stalled_counter, NULL AS set,
        NULL AS score, false AS idle, NULL AS moment FROM job_facts
      UNION ALL SELECT queue, job, 0, 1, 0, 0, 0, NULL, NULL, false, NULL FROM locks
      UNION ALL SELECT m.queue, m.job, 0, 0, 0, 0, 0, m.set, m.score,
        CASE WHEN n.from_ms IS NULL THEN a.from_ms IS NOT NULL ELSE b.source IS NULL END, coalesce(n.from_ms, a.from_ms) FROM members m
        LEFT JOIN (SELECT DISTINCT source, queue FROM locked_active) b ON b.source = m.source AND b.queue = m.queue
        LEFT JOIN snapshots n ON n.source = m.source
        LEFT JOIN idle_asked a ON a.source = m.source AND a.queue = m.queue
    ), from_facts AS (
      SELECT queue AS q, job, ${aliased(FACT_COLUMNS)} FROM facts WHERE job IS NOT NULL GROUP BY queue, job
    )
    SELECT coalesce(e.q, f.q) AS q, coalesce(e.job, f.job) AS job, ${columns.join(', ')}
    FROM from_events e FULL OUTER JOIN from_facts f ON e.q = f.q AND e.job = f.job;`);
  await relateJobs(file);
}

export interface Suspect {
  /** String id of the queue, 0 unknown. */
  readonly q: number;
  /** Job code as stored. */
  readonly job: number;
  readonly summary: JobSummary;
}

/** Jobs for which any of the predicates holds (SQL over `job_summary`; without any all jobs), in a stable order. */
export async function findSuspects(file: CaseFile, wakes: readonly string[]): Promise<Suspect[]> {
  const rows = await file.query(`
    SELECT s.* FROM job_summary s LEFT JOIN strings qs ON qs.id = s.q LEFT JOIN strings js ON js.id = -s.job
    WHERE ${wakes.length === 0 ? 'true' : wakes.map((predicate) => `(${predicate})`).join(' OR ')}
    ORDER BY coalesce(qs.text, ''), s.job < 0, CASE WHEN s.job >= 0 THEN s.job END, js.text`);
  return rows.map((row) => ({
    q: Number(row.q),
    job: Number(row.job),
    summary: Object.fromEntries(
      Object.keys(SUMMARY_COLUMNS).map((name) => [name, Number(row[name])]),
    ) as unknown as JobSummary,
  }));
}
