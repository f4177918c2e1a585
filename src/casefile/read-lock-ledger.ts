/**
 * The lock ledger of each worker instance, as AOF and MONITOR show it: how often it renewed its locks, the life it gave them, and
 * what it gave the sweeps that it ran. Workers are known by the part of the token that their tokens share.
 */
import type { Ref } from '../model/analysis.js';
import { EVENT_KINDS, type EventKind, PRECISIONS } from '../model/event.js';
import type { CaseFile, Row } from './case-file.js';

const code = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);
const codes = (...kinds: EventKind[]): string => kinds.map(code).join(', ');
/** A number of an event's data. DuckDB may look at strings that are no JSON before it joins, and would stop at them. */
const numberIn = (text: string, name: string): string =>
  `TRY_CAST(regexp_extract(${text}, '"${name}":([0-9.]+)', 1) AS DOUBLE)`;
/** A renewal that is dated to the second says nothing about the time between two. */
const EXACT = PRECISIONS.indexOf('ms');

/** A worker that was given a lock and did not renew it: BullMQ's first renewal comes a quarter to half of its life after that. */
const OVERDUE_OF_LOCK = 3 / 4;
/** Activations of a worker that are looked at for the life of its locks: it gives all of them the same. */
const SAMPLED_LOCKS = 200;

export interface LockHabits {
  readonly tokenPrefix: string;
  /** Locks taken, and renewals of them. */
  readonly locks: number;
  readonly renewals: number;
  /** Time between two renewals of one lock, and from taking it to the first, ms. Absent: none is dated well enough. */
  readonly medianMs?: number;
  readonly maxMs?: number;
  /** The renewal that came after the longest time. */
  readonly slowest?: Ref;
  /** Locks that were held for most of their life, or all of it, without any renewal. */
  readonly unrenewed: number;
  /** The first of them. */
  readonly firstUnrenewed?: Ref;
}

/** By token prefix, in order. Of a lock that several sources show, the one that shows most of it counts. Needs `readTokenLives`. */
export async function readLockHabits(file: CaseFile): Promise<LockHabits[]> {
  await file.run(`
    CREATE OR REPLACE TEMP TABLE lock_lives AS
      SELECT prefix, value, min(path) AS path, arg_min(off, (path, off)) AS off FROM (
        SELECT p.prefix, s.path, e.off, ${numberIn('d.text', 'lockMs')} AS value FROM (
          SELECT source, off, token, data FROM events WHERE clock = 0 AND kind = ${code('lock-set')} AND token <> 0
          QUALIFY row_number() OVER (PARTITION BY token ORDER BY source, off) <= ${SAMPLED_LOCKS}
        ) e JOIN token_prefix p ON p.token = e.token JOIN sources s ON s.id = e.source JOIN strings d ON d.id = e.data
      ) WHERE value > 0 GROUP BY prefix, value`);
  await file.run(`
    CREATE OR REPLACE TEMP TABLE lock_steps AS WITH marks AS (
      SELECT e.source, e.q, e.job, e.token, e.kind, e.t, e.prec, e.line, e.off FROM ev e
      WHERE e.clock = 0 AND e.token <> 0 AND e.kind IN (${codes('lock-set', 'lock-renewed', 'lock-released', 'lock-gone')})
    ), best AS (
      SELECT q, job, token, arg_max(source, (n, -source)) AS source FROM (
        SELECT q, job, token, source, count(*) AS n FROM marks GROUP BY q, job, token, source) GROUP BY q, job, token
    ), placed AS (
      SELECT m.*, lag(t) OVER own AS t_before, lag(prec) OVER own AS prec_before, lead(t) OVER own AS t_after, lead(kind) OVER own AS kind_after
      FROM marks m JOIN best USING (q, job, token, source) WINDOW own AS (PARTITION BY m.q, m.job, m.token, m.source ORDER BY m.t, m.line)
    ), windows AS (
      SELECT id AS source, path, CAST(report->>'$.windowMs[1]' AS DOUBLE) AS last FROM sources
    ), judged AS (
      SELECT a.q, a.job, t.prefix, a.kind, w.path, a.off, a.line, l.life,
        CASE WHEN a.kind = ${code('lock-renewed')} AND a.prec >= ${EXACT} AND a.prec_before >= ${EXACT} THEN a.t - a.t_before END AS gap,
        a.kind = ${code('lock-set')} AND coalesce(a.kind_after, 0) <> ${code('lock-renewed')}
          AND coalesce(a.t_after, w.last) - a.t >= ${OVERDUE_OF_LOCK} * l.life AS unrenewed
      FROM placed a JOIN token_prefix t ON t.token = a.token JOIN windows w ON w.source = a.source
      LEFT JOIN (SELECT prefix, min(value) AS life FROM lock_lives GROUP BY prefix) l ON l.prefix = t.prefix
    ) FROM judged`);
  const rows = await file.query(`
    SELECT prefix, count(*) FILTER (kind = ${code('lock-set')}) AS locks, count(*) FILTER (kind = ${code('lock-renewed')}) AS renewals,
      quantile_disc(gap, 0.5) AS median, max(gap) AS longest,
      arg_max(path, (gap, path, -off)) FILTER (gap IS NOT NULL) AS slow_path, arg_max(off, (gap, path, -off)) FILTER (gap IS NOT NULL) AS slow_off,
      count(*) FILTER (unrenewed) AS unrenewed,
      arg_min(path, (path, off)) FILTER (unrenewed) AS bare_path, arg_min(off, (path, off)) FILTER (unrenewed) AS bare_off
    FROM lock_steps GROUP BY prefix ORDER BY prefix`);
  return rows.map((row) => ({
    tokenPrefix: String(row.prefix),
    locks: Number(row.locks),
    renewals: Number(row.renewals),
    ...(row.median === null
      ? {}
      : { medianMs: Math.round(Number(row.median)), maxMs: Math.round(Number(row.longest)) }),
    ...(row.slow_path ? { slowest: toRef(row.slow_path, row.slow_off) } : {}),
    unrenewed: Number(row.unrenewed),
    ...(row.bare_path ? { firstUnrenewed: toRef(row.bare_path, row.bare_off) } : {}),
  }));
}

const toRef = (path: Row[string], off: Row[string] | undefined): Ref => ({
  source: String(path),
  ...(Number(off) >= 0 ? { offset: Number(off) } : {}),
});

/** A setting that one worker shows. */
export interface ShownSetting {
  readonly tokenPrefix: string;
  readonly name: 'lockDuration' | 'stalledInterval' | 'maxStalledCount';
  readonly value: number;
  readonly ref: Ref;
}

/** Settings by token prefix, each distinct value once. Needs `readLockHabits`. A sweep is of the worker whose client sent it. */
export async function readShownSettings(file: CaseFile): Promise<ShownSetting[]> {
  const rows = await file.query(`
    WITH sweeps AS (
      SELECT k.prefix, s.path, e.off, d.text AS data FROM events e JOIN client_of c ON c.data = e.data
      JOIN client_prefix k ON k.client = c.client JOIN sources s ON s.id = e.source JOIN strings d ON d.id = e.data
      WHERE e.clock = 0 AND e.kind = ${code('sweep')} AND d.text LIKE '%"settings":%'
    ), given AS (
      SELECT prefix, 'lockDuration' AS name, value, path, off FROM lock_lives
      UNION ALL SELECT prefix, 'stalledInterval', ${numberIn('data', 'stalledInterval')}, path, off FROM sweeps
      UNION ALL SELECT prefix, 'maxStalledCount', ${numberIn('data', 'maxStalledCount')}, path, off FROM sweeps
    )
    SELECT prefix, name, value, arg_min(path, (path, off)) AS path, arg_min(off, (path, off)) AS off FROM given
    WHERE value IS NOT NULL GROUP BY prefix, name, value ORDER BY prefix, name, value`);
  return rows.flatMap((row) => {
    const name = SETTINGS.find((one) => one === row.name);
    return name === undefined
      ? []
      : [
          {
            tokenPrefix: String(row.prefix),
            name,
            value: Number(row.value),
            ref: toRef(String(row.path), row.off),
          },
        ];
  });
}

const SETTINGS: readonly ShownSetting['name'][] = ['lockDuration', 'stalledInterval', 'maxStalledCount'];
