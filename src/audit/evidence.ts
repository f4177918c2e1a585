/** What the evidence knows of the jobs that records name: the findings about them, how they ended, when somebody watched. */
import type { CaseFile } from '../casefile/case-file.js';
import type { Finding } from '../model/analysis.js';
import { EVENT_KINDS, type EventKind } from '../model/event.js';
import { QUEUE_SETS } from '../model/fact.js';
import { jobSql, stateCode } from './tables.js';

const FINDING_COLUMNS = [
  ['queue', 'VARCHAR'],
  ['job', 'VARCHAR'],
  ['finding', 'VARCHAR'],
  ['duplicate', 'VARCHAR'],
  ['firm', 'BOOLEAN'],
  ['ended', 'INTEGER'],
  ['executions', 'INTEGER'],
  ['regressed', 'BOOLEAN'],
] as const;

/** A queue as records name it, and the queue of the evidence that is meant. */
export interface QueuePair {
  /** Absent: records that name no queue. */
  readonly record?: string;
  readonly evidence: string;
}

const code = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);
const quoted = (text: string | undefined): string => (text === undefined ? 'NULL' : `'${text.replaceAll("'", "''")}'`);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Queues that the evidence knows jobs of. Needs `summarizeJobs`. */
export async function readEvidenceQueues(file: CaseFile): Promise<string[]> {
  const rows = await file.query(`
    SELECT DISTINCT s.text FROM job_summary j JOIN strings s ON s.id = j.q AND j.q <> 0 ORDER BY 1`);
  return rows.map((row) => text(row.text));
}

/** Those of the names that records carry; undefined among them where records carry none. */
export async function readRecordQueues(file: CaseFile, candidates: readonly string[]): Promise<(string | undefined)[]> {
  const found = new Map<string, string>();
  for (const name of candidates)
    found.set(text((await file.query(`SELECT CAST(hash(${quoted(name)}) AS VARCHAR) AS q`))[0]?.q), name);
  const rows = await file.query('SELECT DISTINCT CAST(q AS VARCHAR) AS q FROM census ORDER BY 1');
  return rows.flatMap(({ q }): (string | undefined)[] => {
    const name = found.get(text(q));
    if (text(q) === '0') return [undefined];
    return name === undefined ? [] : [name];
  });
}

/** Exact names first, then the last part of a name where only one queue has it; records without a queue take the only one. */
export function pairQueues(records: readonly (string | undefined)[], evidence: readonly string[]): QueuePair[] {
  const last = (name: string): string => name.slice(name.lastIndexOf(':') + 1);
  return records.flatMap((record): QueuePair[] => {
    if (record === undefined) {
      const [only, ...others] = evidence;
      return only === undefined || others.length > 0 ? [] : [{ evidence: only }];
    }
    const same = evidence.includes(record) ? [record] : evidence.filter((name) => last(name) === last(record));
    return same.length === 1 && same[0] !== undefined ? [{ record, evidence: same[0] }] : [];
  });
}

const LAST_KIND_ORDER: readonly EventKind[] = [
  'waiting',
  'delayed',
  'waiting-children',
  'active',
  'failed',
  'completed',
];

/**
 * Makes `ev_jobs` (queue as the records name it, job, `j`, what became of it), `finding_jobs` and `unexecuted` (records of jobs
 * that do not stand in evidence which was watching when they ran). Without evidence all three are empty.
 */
export async function joinEvidence(
  file: CaseFile,
  pairs: readonly QueuePair[],
  findings: readonly Finding[],
  skewMs: number,
): Promise<void> {
  const values = pairs.map(({ record, evidence }) => `(${quoted(record)}, ${quoted(evidence)})`).join(', ');
  await file.run(`
    CREATE OR REPLACE TEMP TABLE queue_pairs (record VARCHAR, evidence VARCHAR);
    ${values === '' ? '' : `INSERT INTO queue_pairs VALUES ${values};`}
    CREATE OR REPLACE TEMP TABLE finding_jobs (${FINDING_COLUMNS.map(([name, type]) => `"${name}" ${type}`).join(', ')});`);
  const writer = await file.append('finding_jobs', FINDING_COLUMNS);
  for (const { record, evidence } of pairs)
    for (const finding of findings.filter(({ boundary }) => boundary !== 'none'))
      for (const job of finding.jobs) {
        if (job.queue !== evidence) continue;
        const firm = finding.status === 'shown' || finding.status === 'likely';
        const { executions, duplicate, ended, progressRegressed = false } = job;
        writer.push([
          record ?? null,
          job.id,
          finding.id,
          duplicate,
          firm,
          ended.atLeast,
          executions ?? null,
          progressRegressed,
        ]);
      }
  writer.close();
  await file.run(
    `ALTER TABLE finding_jobs ADD COLUMN j UBIGINT; UPDATE finding_jobs SET j = ${jobSql('queue', 'job')}`,
  );
  if (pairs.length === 0) {
    await file.run(`
      CREATE OR REPLACE TEMP TABLE ev_jobs (queue VARCHAR, job VARCHAR, j UBIGINT, outcome VARCHAR, outcome_ms DOUBLE, seen_until DOUBLE,
        moves INTEGER, failures INTEGER, stalls INTEGER, ended INTEGER);
      CREATE OR REPLACE TEMP TABLE unexecuted (h UBIGINT, j UBIGINT);
      CREATE OR REPLACE TEMP TABLE unrecorded (queue VARCHAR, job VARCHAR, j UBIGINT, outcome VARCHAR)`);
    return;
  }
  await file.run(evidenceSql(skewMs));
}

const evidenceSql = (skewMs: number): string => `
  CREATE OR REPLACE TEMP TABLE ev_jobs AS
  WITH paired AS (
    SELECT p.record AS queue, s.id AS q FROM queue_pairs p JOIN strings s ON s.text = p.evidence
  ), last_told AS (
    SELECT q, job, arg_max(kind, t * 10 + list_position([${LAST_KIND_ORDER.map(code).join(', ')}], kind)) AS kind, max(t) AS t
    FROM ev WHERE clock = 0 AND job IS NOT NULL AND t IS NOT NULL AND kind IN (${LAST_KIND_ORDER.map(code).join(', ')}) GROUP BY q, job
  ), ends AS (
    SELECT q, max(t) AS t FROM (
      SELECT q, max(t) AS t FROM ev WHERE clock = 0 AND prec > 0 GROUP BY q
      UNION ALL SELECT m.queue, max(s.to_ms) FROM members m JOIN snapshots s ON s.source = m.source GROUP BY m.queue
    ) GROUP BY q
  ), removed AS (
    SELECT q, job, max(t) AS t FROM ev WHERE clock = 0 AND kind = ${code('removed')} GROUP BY q, job
  ), held AS (
    SELECT m.queue AS q, m.job, arg_max(m.set, coalesce(s.to_ms, 0)) AS set, max(s.to_ms) AS t
    FROM members m LEFT JOIN snapshots s ON s.source = m.source WHERE m.set <> ${QUEUE_SETS.indexOf('stalled')} GROUP BY 1, 2
  ), logged AS (
    SELECT q, job, arg_max(kind, t) AS kind, max(t) AS t FROM ev
    WHERE clock <> 0 AND job IS NOT NULL AND kind IN (${code('acknowledged')}, ${code('attempt-failed')}) GROUP BY q, job
  )
  SELECT p.queue, CASE WHEN s.job >= 0 THEN CAST(s.job AS VARCHAR) ELSE js.text END AS job,
    ${jobSql('p.queue', 'CASE WHEN s.job >= 0 THEN CAST(s.job AS VARCHAR) ELSE js.text END')} AS j,
    CASE WHEN r.t >= coalesce(l.t, r.t) AND l.kind IS DISTINCT FROM ${code('completed')} AND l.kind IS DISTINCT FROM ${code('failed')} THEN 'removed'
      WHEN l.kind IS NOT NULL THEN [${LAST_KIND_ORDER.map(quoted).join(', ')}][list_position([${LAST_KIND_ORDER.map(code).join(', ')}], l.kind)]
      WHEN h.set IS NOT NULL THEN [${QUEUE_SETS.map(quoted).join(', ')}][h.set + 1]
      WHEN g.kind = ${code('acknowledged')} THEN 'completed' WHEN g.kind IS NOT NULL THEN 'failed' END AS outcome,
    coalesce(l.t, h.t, g.t) AS outcome_ms, n.t AS seen_until, s.moves, greatest(s.failures, s.attempt_failures, s.throws) AS failures, s.stalls,
    greatest(s.completions, s.acks, s.returns) AS ended
  FROM job_summary s JOIN paired p ON p.q = s.q LEFT JOIN strings js ON js.id = -s.job
  LEFT JOIN last_told l ON l.q = s.q AND l.job = s.job LEFT JOIN removed r ON r.q = s.q AND r.job = s.job
  LEFT JOIN held h ON h.q = s.q AND h.job = s.job LEFT JOIN logged g ON g.q = s.q AND g.job = s.job LEFT JOIN ends n ON n.q = s.q;
  CREATE OR REPLACE TEMP TABLE watched AS
  SELECT p.record AS queue, e.source, min(e.t) + ${skewMs} AS from_ms, max(e.t) - ${skewMs} AS to_ms
  FROM ev e JOIN strings s ON s.id = e.q JOIN queue_pairs p ON p.evidence = s.text
  WHERE e.clock = 0 AND e.prec > 0 GROUP BY ALL HAVING count(DISTINCT e.job) > 1;
  CREATE OR REPLACE TEMP TABLE unexecuted AS
  SELECT c.h, c.j FROM census c JOIN watched w ON c.q = CASE WHEN w.queue IS NULL THEN 0 ELSE hash(w.queue) END
    AND c.at_ms BETWEEN w.from_ms AND w.to_ms
  WHERE c.j IS NOT NULL AND c.h IS NOT NULL AND c.state <> ${stateCode('skipped')} AND c.j NOT IN (SELECT j FROM ev_jobs)
  LIMIT ${MOST_UNEXECUTED}`;

/**
 * Makes `unrecorded`: jobs that reached an end, as the evidence shows, while records of their queue were kept, and that no record
 * names.
 */
export async function findUnrecorded(file: CaseFile): Promise<void> {
  await file.run(`
    CREATE OR REPLACE TEMP TABLE unrecorded AS
    WITH kept AS (
      SELECT q, min(at_ms) AS from_ms, max(at_ms) AS to_ms FROM census WHERE j IS NOT NULL AND at_ms IS NOT NULL GROUP BY q
    )
    SELECT e.queue, e.job, e.j, e.outcome FROM ev_jobs e
    JOIN kept k ON k.q = CASE WHEN e.queue IS NULL THEN 0 ELSE hash(e.queue) END AND e.outcome_ms BETWEEN k.from_ms AND k.to_ms
    WHERE e.ended > 0 AND e.j NOT IN (SELECT j FROM census WHERE j IS NOT NULL)`);
}

/** Records without an execution that are listed; more of them would mean that other evidence was given. */
export const MOST_UNEXECUTED = 10_000;
