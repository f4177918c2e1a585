/**
 * What workers without a log stamped into jobs on their own clocks: `processedOn` and `finishedOn` in AOF and MONITOR, by lock
 * token, and in the hashes of a snapshot, by the name that the worker gave itself (`pb`).
 */
import type { Ref } from '../model/analysis.js';
import type { CaseFile, Row } from './case-file.js';
import { CLOCK_POINTS } from './read-clock-pairs.js';

export interface StampBound {
  /** A token's prefix, or a worker's own name. */
  readonly worker: string;
  readonly side: 'low' | 'high';
  readonly ms: number;
  readonly ref: Ref;
  readonly pairs: number;
}

/** Order of stamps from the tightest, whatever their side; the place decides ties. */
const TIGHTEST = "(CASE WHEN side = 'high' THEN ms ELSE -ms END, path, off)";

const toStamp = (row: Row): StampBound => ({
  worker: String(row.worker),
  side: row.side === 'low' ? 'low' : 'high',
  ms: Number(row.ms),
  ref: { source: String(row.path), ...(Number(row.off) >= 0 ? { offset: Number(row.off) } : {}) },
  pairs: Number(row.pairs),
});

/** The tightest stamp on either side of each token prefix, in order. */
export async function readTokenStamps(file: CaseFile): Promise<StampBound[]> {
  const rows = await file.query(`
    SELECT prefix AS worker, side, arg_min(ms, ${TIGHTEST}) AS ms, arg_min(path, ${TIGHTEST}) AS path, arg_min(off, ${TIGHTEST}) AS off,
      max(pairs) AS pairs
    FROM worker_clocks JOIN sources s ON s.id = source GROUP BY prefix, side ORDER BY prefix, side`);
  return rows.map(toStamp);
}

/** The same by worker name, from jobs that ran once and whose whole life stands in the stream. Needs `summarizeJobs`. */
export async function readNamedStamps(file: CaseFile): Promise<StampBound[]> {
  const rows = await file.query(`
    WITH points AS MATERIALIZED (${CLOCK_POINTS}),
    stamped AS MATERIALIZED (
      SELECT n.text AS name, s.path, f.off, f.processed_on, f.finished_on, p.active, p.completed
      FROM job_facts f JOIN points p ON p.q = f.queue AND p.job = f.job JOIN strings n ON n.id = f.processed_by
      JOIN sources s ON s.id = f.source WHERE p.simple AND p.once
    )
    SELECT name AS worker, side, arg_min(ms, ${TIGHTEST}) AS ms, arg_min(path, ${TIGHTEST}) AS path, arg_min(off, ${TIGHTEST}) AS off,
      count(*) AS pairs
    FROM (
      SELECT name, path, off, 'low' AS side, processed_on - active AS ms FROM stamped
      UNION ALL SELECT name, path, off, 'low', finished_on - completed FROM stamped
      UNION ALL SELECT name, path, off, 'high', finished_on - active FROM stamped
    ) WHERE ms IS NOT NULL GROUP BY name, side ORDER BY name, side`);
  return rows.map(toStamp);
}
