/**
 * Which queue a record belongs to when it does not say, or says it in other words than Redis.
 *
 * Worker lines often leave the queue out, and name it without the key prefix. A record without a queue takes the only queue
 * its process ever names, else the only queue in the whole evidence, else none: then its job stays apart from the jobs
 * Redis knows, rather than being joined to one by guess.
 */
import { EVENT_KINDS, PRECISIONS } from '../model/event.js';
import type { CaseFile } from './case-file.js';

/**
 * Records of one process that stand in two sources (a log copied, rotated while it was copied, or shipped twice) are one
 * record. Only times to the millisecond under a named process make two records the same; the first source by path keeps it.
 */
const TWICE_SQL = `
    CREATE OR REPLACE TEMP TABLE spread AS
      SELECT p.id, dense_rank() OVER (ORDER BY p.host, p.pid, p.name, p.container) AS identity, s.path
      FROM processes p JOIN sources s ON s.id = p.source
      WHERE coalesce(p.host, p.container) IS NOT NULL OR (p.name IS NOT NULL AND p.pid IS NOT NULL);
    CREATE OR REPLACE TEMP TABLE twice AS
      WITH shared AS (SELECT identity FROM spread GROUP BY identity HAVING count(DISTINCT path) > 1),
      copies AS (
        SELECT e.rowid AS row_id, p.identity, p.path, e.line, e.kind, e.t, e.job, e.token, e.data, e.queue,
          row_number() OVER (PARTITION BY p.path, p.identity, e.kind, e.t, e.job, e.token, e.data, e.queue ORDER BY e.line) AS nth
        FROM events e JOIN spread p ON p.id = e.process JOIN shared USING (identity)
        WHERE e.t IS NOT NULL AND e.prec >= ${PRECISIONS.indexOf('ms')}
      )
      SELECT row_id FROM copies
      QUALIFY row_number() OVER (PARTITION BY identity, kind, t, job, token, data, queue, nth ORDER BY path, line) > 1;`;

export interface QueueResolution {
  /** Records that stand in two sources and count once. */
  readonly twice: number;
  readonly queues: readonly string[];
  /** Set when lines without a queue were taken for this one, the only queue in the evidence. */
  readonly assumedOnly?: string;
}

const lastSegment = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** Makes the temporary view `ev`: `events` with the resolved queue in column `q` (string id, 0 unknown)
 * and the kinds that `learnWords` found for a team's own words. */
export async function resolveQueues(file: CaseFile): Promise<QueueResolution> {
  const named = await file.query(`
    SELECT s.id, s.text, max(u.in_redis) AS in_redis FROM (
      SELECT DISTINCT queue, CASE WHEN clock = 0 THEN 1 ELSE 0 END AS in_redis FROM events WHERE queue <> 0
      UNION ALL SELECT DISTINCT queue, 1 FROM job_facts UNION ALL SELECT DISTINCT queue, 1 FROM members
      UNION ALL SELECT DISTINCT queue, 1 FROM meta UNION ALL SELECT DISTINCT queue, 1 FROM streams
    ) u JOIN strings s ON s.id = u.queue GROUP BY s.id, s.text ORDER BY s.text`);
  const queues = named.map((row) => ({
    id: Number(row.id),
    text: String(row.text),
    inRedis: Number(row.in_redis) === 1,
  }));
  const redisQueues = queues.filter((queue) => queue.inRedis);
  const canonical = new Map<number, number>();
  for (const queue of queues) {
    const same = queue.inRedis
      ? []
      : redisQueues.filter((other) => lastSegment(other.text) === lastSegment(queue.text));
    canonical.set(queue.id, same.length === 1 && same[0] ? same[0].id : queue.id);
  }
  const distinct = [...new Set(canonical.values())];
  const only = distinct.length === 1 ? distinct[0] : undefined;
  const pairs = [...canonical].map(([id, to]) => `(${id}, ${to})`).join(', ');

  await file.run(`
    CREATE OR REPLACE TEMP TABLE queue_map (id INTEGER, q INTEGER);
    ${pairs === '' ? '' : `INSERT INTO queue_map VALUES ${pairs};`}
    CREATE OR REPLACE TEMP TABLE process_queue AS
      SELECT e.process, min(m.q) AS q FROM events e JOIN queue_map m ON m.id = e.queue
      WHERE e.process <> 0 GROUP BY e.process HAVING count(DISTINCT m.q) = 1;
    ${TWICE_SQL}
    DELETE FROM learned;
    CREATE OR REPLACE TEMP VIEW ev AS
      SELECT e.* REPLACE (coalesce(w.kind, e.kind) AS kind), w.kind IS NOT NULL AS learned,
        CASE WHEN e.queue <> 0 THEN m.q ELSE coalesce(p.q, ${only ?? 0}) END AS q
      FROM events e ANTI JOIN twice d ON d.row_id = e.rowid LEFT JOIN queue_map m ON m.id = e.queue
      LEFT JOIN learned w ON w.data = e.data AND e.kind = ${EVENT_KINDS.indexOf('handler-line')}
      LEFT JOIN process_queue p ON e.queue = 0 AND p.process = e.process;`);
  const silent = await file.query('SELECT count(*) AS n FROM events WHERE queue = 0 AND job IS NOT NULL');
  const text = (id: number): string => queues.find((queue) => queue.id === id)?.text ?? '';
  const twice = await file.query('SELECT count(*) AS n FROM twice');
  return {
    twice: Number(twice[0]?.n),
    queues: distinct.map(text).sort(),
    ...(only !== undefined && Number(silent[0]?.n) > 0 ? { assumedOnly: text(only) } : {}),
  };
}
