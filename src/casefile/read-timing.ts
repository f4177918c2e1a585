/** Numbers over all jobs: how long good runs take, what captures watched, which settings they show. */
import type { Ref } from '../model/analysis.js';
import { EVENT_KINDS, type EventKind, PRECISIONS } from '../model/event.js';
import type { CaseFile } from './case-file.js';

const code = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);
const timed = `prec <> ${PRECISIONS.indexOf('none')} AND t IS NOT NULL`;

/** Of the jobs of a queue, of those of one name, or of those that one worker ran. Times in ms. */
export interface RunTimes {
  readonly queue?: string;
  readonly jobName?: string;
  /** Number of the worker, as `storeWorkers` counts. */
  readonly worker?: number;
  readonly runs: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly ackP50?: number;
  readonly ackP99?: number;
  readonly ackMax?: number;
  /** Least life that a lock had left when it was renewed, as AOF or MONITOR show it. */
  readonly slackMs?: number;
  /** Jobs of which a lock had less than a quarter of its life left when it was renewed. */
  readonly atRisk?: number;
}

/** Names and workers told apart in each queue: those with most runs. */
const MOST_ROWS = 20;
/** BullMQ renews at half or three quarters of a lock's life left. */
const LATE_OF_LOCK = 1 / 4;

/**
 * How long runs took that went well (one activation or start, completed, no lock error): of each queue, then of its job names and
 * of its workers where there are several. Needs `storeWorkers` and `readLockHabits`.
 */
export async function readRunTimes(file: CaseFile): Promise<RunTimes[]> {
  const rows = await file.query(`
    WITH good AS (SELECT q, job FROM job_summary WHERE activations <= 1 AND starts <= 1 AND lock_errors = 0 AND stalls = 0
      AND stall_notices = 0 AND renewal_errors = 0 AND (completions = 1 OR acks = 1)),
    times AS (
      SELECT q, job,
        min(t) FILTER (clock = 0 AND kind = ${code('active')}) AS active,
        min(t) FILTER (clock = 0 AND kind = ${code('completed')}) AS completed,
        min(t) FILTER (kind = ${code('handler-started')} AND ${timed}) AS started,
        min(t) FILTER (kind = ${code('handler-returned')} AND ${timed}) AS returned,
        min(t) FILTER (kind = ${code('acknowledged')} AND ${timed}) AS acked,
        any_value(process) FILTER (kind = ${code('handler-started')}) AS process,
        any_value(line) FILTER (kind = ${code('handler-started')}) AS line
      FROM ev JOIN good USING (q, job) GROUP BY q, job
    ), named AS (SELECT queue AS q, job, min(name) AS name FROM job_facts WHERE name <> 0 GROUP BY queue, job),
    renewed AS (
      SELECT q, job, min(life - gap) AS slack, coalesce(bool_or(life - gap < life * ${LATE_OF_LOCK}), false) AS late
      FROM lock_steps WHERE gap IS NOT NULL AND life IS NOT NULL GROUP BY q, job
    ), spans AS (
      SELECT t.q, n.name, w.worker, coalesce(returned - started, acked - started, completed - active) AS ran, acked - returned AS ack,
        r.slack, r.late
      FROM times t LEFT JOIN named n USING (q, job) LEFT JOIN renewed r USING (q, job)
      LEFT JOIN worker_of w ON w.process = t.process AND t.line >= w.from_line AND t.line < w.to_line
    ), figures AS (
      SELECT q, name, worker, grouping(name) AS any_name, grouping(worker) AS any_worker, count(ran) AS runs,
        quantile_disc(ran, 0.5) AS p50, quantile_disc(ran, 0.99) AS p99, max(ran) AS max,
        quantile_disc(ack, 0.5) AS ack_p50, quantile_disc(ack, 0.99) AS ack_p99, max(ack) AS ack_max,
        min(slack) AS slack, count(*) FILTER (late) AS late
      FROM spans WHERE ran >= 0 GROUP BY GROUPING SETS ((q), (q, name), (q, worker))
    ), placed AS (
      SELECT f.*, s.text AS queue, n.text AS job_name,
        row_number() OVER (PARTITION BY f.q, any_name, any_worker ORDER BY runs DESC, n.text, worker) AS place,
        count(*) OVER (PARTITION BY f.q, any_name, any_worker) AS kin
      FROM figures f LEFT JOIN strings s ON s.id = f.q AND f.q <> 0 LEFT JOIN strings n ON n.id = f.name
      WHERE (any_name = 1 AND any_worker = 1) OR (any_name = 0 AND f.name IS NOT NULL) OR (any_worker = 0 AND worker IS NOT NULL)
    )
    FROM placed WHERE (any_name = 1 AND any_worker = 1) OR (kin > 1 AND place <= ${MOST_ROWS})
    ORDER BY queue, any_name + any_worker DESC, any_name, job_name, worker`);
  return rows.map((row) => ({
    ...(row.queue === null ? {} : { queue: String(row.queue) }),
    ...(row.job_name === null ? {} : { jobName: String(row.job_name) }),
    ...(row.worker === null ? {} : { worker: Number(row.worker) }),
    runs: Number(row.runs),
    p50: Number(row.p50),
    p99: Number(row.p99),
    max: Number(row.max),
    ...(row.ack_max === null
      ? {}
      : { ackP50: Number(row.ack_p50), ackP99: Number(row.ack_p99), ackMax: Number(row.ack_max) }),
    ...(row.slack === null ? {} : { slackMs: Math.round(Number(row.slack)), atRisk: Number(row.late) }),
  }));
}

/** Latest time of any record or snapshot of Redis, ms on its clock; undefined where none has a time. */
export async function readLatest(file: CaseFile): Promise<number | undefined> {
  const rows = await file.query(`
    SELECT greatest((SELECT max(t) FROM events WHERE clock = 0), (SELECT max(from_ms) FROM snapshots)) AS latest`);
  const latest = rows[0]?.latest;
  return latest === null || latest === undefined ? undefined : Number(latest);
}

/** First and last moment that each AOF or MONITOR capture watched, ms on Redis' clock, by path. */
export async function readWindows(file: CaseFile): Promise<Map<string, readonly [number, number]>> {
  const rows = await file.query(`
    SELECT path, CAST(report->>'$.windowMs[0]' AS DOUBLE) AS first, CAST(report->>'$.windowMs[1]' AS DOUBLE) AS last
    FROM sources WHERE complete AND (report->>'$.windowMs[1]') IS NOT NULL ORDER BY path, sha256`);
  return new Map(rows.map((row) => [String(row.path), [Number(row.first), Number(row.last)] as const]));
}

export interface CaseCounts {
  readonly jobs: number;
  /** Handler runs of all jobs: activations that Redis recorded, or starts that logs tell where that is more. */
  readonly executions: number;
}

export async function readCounts(file: CaseFile): Promise<CaseCounts> {
  const jobs = await file.query('SELECT count(*) AS jobs, sum(greatest(activations, starts)) AS runs FROM job_summary');
  return { jobs: Number(jobs[0]?.jobs), executions: Number(jobs[0]?.runs ?? 0) };
}

/** lockDuration, stalledInterval (ms) and maxStalledCount as AOF or MONITOR show them, each distinct value once, shortest first. */
export async function readStoredSettings(file: CaseFile): Promise<{ name: string; value: number; ref: Ref }[]> {
  const rows = await file.query(`
    SELECT m.field, CAST(m.value AS DOUBLE) AS value, arg_min(s.path, (s.path, m.off)) AS path, arg_min(m.off, (s.path, m.off)) AS off
    FROM meta m JOIN sources s ON s.id = m.source
    WHERE (m.field IN ('lockDuration', 'stalledInterval') AND TRY_CAST(m.value AS DOUBLE) > 0)
      OR (m.field = 'maxStalledCount' AND TRY_CAST(m.value AS DOUBLE) >= 0)
    GROUP BY m.field, m.value ORDER BY m.field, value`);
  return rows.map((row) => ({
    name: String(row.field),
    value: Number(row.value),
    ref: { source: String(row.path), ...(Number(row.off) >= 0 ? { offset: Number(row.off) } : {}) },
  }));
}
