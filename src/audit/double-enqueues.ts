/**
 * Two jobs for one piece of work: neither job did anything wrong, so nothing in the queue tells it. The records do, by their key,
 * and where the evidence shows both jobs it becomes a finding.
 */
import type { CaseFile, Row } from '../casefile/case-file.js';
import type { AffectedJob, Finding, Moment, Ref, Step } from '../model/analysis.js';
import { EVENT_KINDS, PRECISIONS } from '../model/event.js';
import { formatUtc } from '../time/index.js';
import { stateCode } from './tables.js';

/** Findings made of them; the audit lists every key. */
const MOST_FINDINGS = 100;
const MOST_JOBS = 50;

interface Enqueued {
  readonly id: string;
  readonly ended: boolean;
  readonly record: Step;
  /** The `added` entry of the job. */
  readonly added?: Step;
}

/** `nameOf` makes the id of a finding of its boundary, queue and first job. Needs `judgeRecords`. */
export async function findDoubleEnqueues(
  file: CaseFile,
  pathOf: (source: number) => string,
  evidencePathOf: (source: number) => string | undefined,
  nameOf: (boundary: 'enqueue', queue: string, job: string) => string,
): Promise<Finding[]> {
  const rows = await file.query(`
    WITH keys AS (
      SELECT f.h, f.key, e.queue, e.job, e.j, e.ended FROM key_facts f
      JOIN (SELECT DISTINCT h, j FROM run_rows WHERE j IS NOT NULL AND state <> ${stateCode('skipped')}) k USING (h)
      JOIN ev_jobs e USING (j) WHERE f.jobs > 1
    ), chosen AS (
      SELECT h FROM keys GROUP BY h HAVING count(DISTINCT job) > 1 ORDER BY min(queue), min(key) LIMIT ${MOST_FINDINGS}
    ), added AS (
      SELECT p.record AS queue, CASE WHEN e.job >= 0 THEN CAST(e.job AS VARCHAR) ELSE js.text END AS job,
        arg_min(e.source, e.t) AS source, min(e.t) AS t, arg_min(e.line, e.t) AS line
      FROM ev e JOIN strings s ON s.id = e.q JOIN queue_pairs p ON p.evidence = s.text LEFT JOIN strings js ON js.id = -e.job
      WHERE e.clock = 0 AND e.kind = ${EVENT_KINDS.indexOf('added')} GROUP BY ALL
    )
    SELECT k.h::VARCHAR AS h, k.key, coalesce(p.evidence, k.queue) AS queue, k.job, k.ended > 0 AS ended,
      r.source, r.line, r.off, r.entry, r.redis_key, r.status, r.worker, r.started, r.started_prec,
      a.source AS added_source, a.t AS added_t, a.line AS added_line
    FROM keys k JOIN chosen USING (h) JOIN queue_pairs p ON p.record IS NOT DISTINCT FROM k.queue
    JOIN (SELECT * FROM run_rows QUALIFY row_number() OVER (PARTITION BY h, j ORDER BY started NULLS LAST, source, line) = 1) r
      ON r.h = k.h AND r.j = k.j
    LEFT JOIN added a ON a.queue IS NOT DISTINCT FROM k.queue AND a.job = k.job
    ORDER BY queue, k.key, r.started NULLS LAST, k.job`);
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(String(row.h), [...(groups.get(String(row.h)) ?? []), row]);
  return [...groups.values()].map((group) => {
    const key = String(group[0]?.key);
    const queue = String(group[0]?.queue);
    const jobs = group.slice(0, MOST_JOBS).map((row) => enqueued(row, key, pathOf, evidencePathOf));
    return doubleEnqueue(key, queue, jobs, nameOf('enqueue', queue, jobs[0]?.id ?? ''));
  });
}

function enqueued(
  row: Row,
  key: string,
  pathOf: (source: number) => string,
  evidencePathOf: (source: number) => string | undefined,
): Enqueued {
  const ref: Ref = {
    source: pathOf(Number(row.source)),
    ...(row.line === null ? {} : { line: Number(row.line) }),
    ...(row.off === null ? {} : { offset: Number(row.off) }),
    ...(row.entry === null ? {} : { entry: String(row.entry) }),
    ...(row.redis_key === null ? {} : { key: String(row.redis_key) }),
  };
  const precision = precisionOf(row.started_prec);
  const moment: Moment =
    row.started === null
      ? { precision: 'none', clock: 'records' }
      : { at: formatUtc(Number(row.started), precision), precision, clock: 'records' };
  const status = row.status === null ? '' : `, ${row.status}`;
  const text = `the records have key ${key} for job ${row.job}${status}`;
  const added = addedStep(row, evidencePathOf);
  return {
    id: String(row.job),
    ended: row.ended === true,
    record: { text, moment, kind: 'state', ref },
    ...(added === undefined ? {} : { added }),
  };
}

const precisionOf = (code: unknown): (typeof PRECISIONS)[number] => PRECISIONS[Number(code ?? 0)] ?? 'none';

function addedStep(row: Row, evidencePathOf: (source: number) => string | undefined): Step | undefined {
  const source = row.added_source === null ? undefined : evidencePathOf(Number(row.added_source));
  if (source === undefined) return undefined;
  const ms = Number(row.added_t);
  return {
    text: `job ${row.job} was added`,
    moment: { at: formatUtc(ms, 'ms'), precision: 'ms', clock: 'redis', redisMs: [ms, ms] },
    kind: 'redis-order',
    ref: { source, entry: `${Math.floor(ms)}-${Number(row.added_line)}` },
  };
}

function doubleEnqueue(key: string, queue: string, jobs: readonly Enqueued[], id: string): Finding {
  const ended = jobs.filter((job) => job.ended).length;
  const steps = [...jobs.flatMap(({ added }) => added ?? []), ...jobs.map(({ record }) => record)];
  const bothAdded = jobs.filter((job) => job.added !== undefined).length > 1;
  const names = jobs.map((job) => job.id).join(', ');
  return {
    id,
    rule: 'double-enqueue',
    boundary: 'enqueue',
    cause: 'duplicate-enqueue',
    status: bothAdded ? 'shown' : 'likely',
    summary: `Jobs ${names} of queue ${queue} were added for one piece of work: the records give them one key, ${key}. ${ended} of ${jobs.length} reached their end.`,
    jobs: jobs.map(
      (job): AffectedJob => ({
        queue,
        id: job.id,
        duplicate: 'none',
        ended: { atLeast: job.ended ? 1 : 0, atMost: 1 },
      }),
    ),
    witness: steps,
    consequences: [],
    hypotheses: [{ cause: 'duplicate-enqueue', for: steps.map((step) => step.ref), against: [], missing: [] }],
    advice: [
      'Give the job an id that is made of the idempotency key, or use BullMQ’s deduplication, so that the second add finds the first.',
    ],
    wouldDecide: bothAdded ? [] : ['An events stream that still holds the added entries of both jobs'],
  };
}
