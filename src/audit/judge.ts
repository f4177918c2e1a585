/**
 * The verdicts, in SQL: what the rows of one key say together, and what the evidence adds or takes away.
 *
 * Two runs are ordered by what the records say of them. Rows of one worker carry one clock; rows of two workers are taken as
 * synchronous within `skewMs`, so an overlap that such a difference could explain is none. A run that starts over after an
 * unfinished one has lost its checkpoint; after one that reached its end the work was done twice, which is another verdict.
 */
import type { CaseFile } from '../casefile/case-file.js';
import { PRECISIONS } from '../model/event.js';
import { identSql, jobSql, stateCode } from './tables.js';

const SECONDS = PRECISIONS.indexOf('s');
const [UNKNOWN, ENDED, FAILED, BEGUN, SKIPPED] = (['unknown', 'ended', 'failed', 'begun', 'skipped'] as const).map(
  stateCode,
);
/** Jobs of one key that are named. */
export const MOST_JOBS_OF_KEY = 20;

/** What tells one row of a run from another, where the same row may stand in two exports. */
const SAME_RUN =
  'scope, queue, key, raw_key, job, attempt, worker, started, CASE WHEN started IS NULL THEN status END, CASE WHEN started IS NULL THEN completed END';

/**
 * Makes `run_rows` (each row once) and `key_facts` (what the rows of a key say). Returns how many rows stood in two sources.
 */
export async function judgeRecords(file: CaseFile, skewMs: number): Promise<{ readonly repeated: number }> {
  const sources = Number((await file.query('SELECT count(*) AS n FROM first_rows'))[0]?.n);
  await file.run(rowsSql(sources));
  await file.run(factsSql(skewMs));
  const rows = await file.query(
    'SELECT (SELECT count(*) FROM record_rows) - (SELECT count(*) FROM run_rows) AS repeated',
  );
  return { repeated: Number(rows[0]?.repeated) };
}

/** Makes `key_verdicts`: the facts with the evidence. Needs the tables of `joinEvidence`; may be called again when they grow. */
export async function weighEvidence(file: CaseFile, skewMs: number): Promise<void> {
  await file.run(verdictsSql(skewMs));
}

/** A row that stands in two exports is one row; of a run that an earlier export shows unfinished, the later row counts. */
const rowsSql = (sources: number): string => `
  CREATE OR REPLACE TEMP TABLE run_rows AS
  ${
    sources < 2
      ? 'WITH once AS (FROM record_rows)'
      : `WITH copies AS (
    SELECT *, row_number() OVER (PARTITION BY source, ${SAME_RUN} ORDER BY line, nr, entry, redis_key) AS nth FROM record_rows
  ), once AS (
    SELECT * EXCLUDE nth FROM copies QUALIFY row_number() OVER (PARTITION BY nth, ${SAME_RUN}
      ORDER BY state IN (${ENDED}, ${FAILED}) DESC, completed DESC NULLS LAST, source, line, nr) = 1
  )`
  }
  SELECT *, ${identSql('scope', 'queue', 'key')} AS h, ${jobSql('queue', 'job')} AS j,
    coalesce(started, completed) AS at_ms
  FROM once`;

const EARLIER_ROWS = 'ORDER BY at_ms NULLS LAST, source, line, nr ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';

/** Only numbers go through the windows: they carry every column of a row along. */
const factsSql = (skewMs: number): string => `
  CREATE OR REPLACE TEMP TABLE key_facts AS
  WITH attempts AS (
    SELECT h, max(attempt) AS last_attempt FROM run_rows WHERE state <> ${SKIPPED} GROUP BY h
  ), runs AS (
    SELECT r.h, hash(worker) AS w, worker IS NOT NULL AS has_worker, state, started, completed, at_ms, source, line, nr, resumed, checkpoint, expires,
      CASE WHEN started_prec = ${SECONDS} THEN 1000 ELSE 0 END AS blur, coalesce(a.last_attempt > r.attempt, false) AS superseded
    FROM run_rows r JOIN attempts a USING (h) WHERE state <> ${SKIPPED}
  ), ordered AS (
    SELECT *, max(completed) OVER before AS end_before,
      max(CASE WHEN state <> ${ENDED} THEN checkpoint END) OVER before AS left_checkpoint,
      min(expires) OVER before AS expired_before,
      max(completed) OVER (PARTITION BY h, w ${EARLIER_ROWS}) AS own_end_before
    FROM runs WINDOW before AS (PARTITION BY h ${EARLIER_ROWS})
  ), judged AS (
    SELECT *,
      coalesce(has_worker AND own_end_before > started + blur, false) AS own_overlap,
      coalesce(end_before > started + blur + ${skewMs}, false) AS overlap,
      coalesce(end_before > started - blur - ${skewMs} AND NOT (has_worker AND own_end_before IS NOT DISTINCT FROM end_before), false) AS near,
      coalesce(resumed < left_checkpoint, false) AS regress,
      state = ${BEGUN} AND NOT superseded AS open
    FROM ordered
  ), told AS (
    SELECT h, count(*) AS "rows",
      count(*) FILTER (state = ${ENDED}) AS ended, count(*) FILTER (state = ${FAILED}) AS failed, count(*) FILTER (open) AS open_rows,
      count(*) FILTER (state = ${UNKNOWN}) = 0 AS tells_end,
      bool_or(overlap OR own_overlap) AS overlap, bool_or(own_overlap) AS own_overlap, bool_or(near AND NOT own_overlap AND NOT overlap) AS near,
      max(CASE WHEN overlap OR own_overlap THEN least(end_before, coalesce(completed, end_before)) - started END) AS overlap_ms,
      bool_or(regress) AS regressed, max(CASE WHEN regress THEN left_checkpoint END) AS left_checkpoint, min(CASE WHEN regress THEN resumed END) AS resumed,
      bool_or(superseded) AS superseded, coalesce(bool_or(expired_before <= started), false) AS expired,
      arg_max(state, struct_pack(t := coalesce(at_ms, 0), n := source, l := coalesce(line, nr))) AS last_state, max(completed) AS last_end
    FROM judged GROUP BY h
  ), named AS (
    SELECT h, min(key) AS key, min(scope) AS scope, min(queue) AS queue, count(DISTINCT j) AS jobs,
      count(DISTINCT fingerprint) > 1 AS other_request, count(DISTINCT coalesce(raw_key, key)) > 1 AS holds_attempt
    FROM run_rows WHERE state <> ${SKIPPED} GROUP BY h
  )
  SELECT *, superseded OR ("rows" > 1 AND failed > CASE WHEN last_state = ${FAILED} THEN 1 ELSE 0 END) AS retried
  FROM told JOIN named USING (h)`;

/** One row a key: a column for each verdict, and for those that both may tell, who tells it (1 records, 2 evidence, 3 both). */
const verdictsSql = (skewMs: number): string => `
  CREATE OR REPLACE TEMP TABLE key_verdicts AS
  WITH jobs_of AS (
    SELECT DISTINCT h, j FROM run_rows WHERE j IS NOT NULL AND state <> ${SKIPPED}
  ), found AS (
    SELECT k.h, list_sort(list(DISTINCT f.finding)) AS findings, max(f.ended) AS ended,
      bool_or(f.firm AND f.duplicate = 'overlapping') AS overlapping,
      bool_and(f.firm AND f.duplicate IN ('sequential', 'none')) AS apart,
      bool_or(f.regressed AND f.ended < 2) AS regressed, max(f.executions) AS executions
    FROM jobs_of k JOIN finding_jobs f USING (j) GROUP BY k.h
  ), fates AS (
    SELECT k.h, count(*) AS seen, any_value(e.outcome) AS outcome, max(e.seen_until) AS seen_until, sum(e.moves) AS moves,
      sum(e.failures) AS failures, sum(e.stalls) AS stalls, max(e.ended) AS ended
    FROM jobs_of k JOIN ev_jobs e USING (j) GROUP BY k.h
  ), lost AS (
    SELECT DISTINCT h FROM unexecuted
  ), told AS (
    SELECT f.*, w.findings, w.executions, t.seen, t.outcome, t.moves, t.failures, t.stalls,
      (f.ended >= 2)::INTEGER + 2 * coalesce(w.ended >= 2, false)::INTEGER AS done_twice,
      (f.overlap AND NOT coalesce(w.apart AND NOT f.own_overlap AND w.executions = f."rows" AND f.jobs <= 1, false))::INTEGER
        + 2 * coalesce(w.overlapping, false)::INTEGER AS overlapping,
      f.regressed::INTEGER + 2 * coalesce(w.regressed, false)::INTEGER AS regressing,
      f.jobs > 1 AS enqueued_twice,
      coalesce(f.jobs = 1 AND t.seen = 1 AND CASE
        WHEN f.ended > 0 THEN t.outcome IN ('failed', 'removed') OR (t.outcome <> 'completed' AND t.seen_until > f.last_end + ${skewMs})
        WHEN f.last_state = ${FAILED} THEN t.outcome = 'completed'
        WHEN f.last_state = ${BEGUN} THEN t.outcome IN ('completed', 'failed')
        ELSE false END, false) AS states_differ,
      l.h IS NOT NULL AS unexecuted
    FROM key_facts f LEFT JOIN found w USING (h) LEFT JOIN fates t USING (h) LEFT JOIN lost l USING (h)
  )
  SELECT *, open_rows > 0 OR ("rows" > 1 AND NOT tells_end AND done_twice = 0) AS unfinished,
    retried AND done_twice = 0 AND "rows" > 1 AS retry FROM told`;
