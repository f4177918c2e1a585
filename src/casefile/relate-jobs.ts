/**
 * What a job is beside others: whether its queue uses ids again, and whether several processes did the same after its end.
 *
 * These columns of the summary need more than the job's own records. They are looked up only where those records give cause.
 */
import { EVENT_KINDS, type EventKind } from '../model/event.js';
import type { CaseFile } from './case-file.js';
import { dataField } from './data-field.js';
import { pairTwins } from './pair-twins.js';

const codes = (...kinds: EventKind[]): string => kinds.map((kind) => EVENT_KINDS.indexOf(kind)).join(', ');
/** Lines of a process about a job that are no event of its run. */
export const TELLING_KINDS = codes('handler-line', 'aftermath');

/** Fills those columns; the last step of `summarizeJobs`. */
export async function relateJobs(file: CaseFile): Promise<void> {
  await file.run(`
    UPDATE job_summary SET queue_reused_ids = r.n
    FROM (SELECT q, count(*)::INTEGER AS n FROM job_summary WHERE ${DONE_AGAIN} GROUP BY q) r
    WHERE job_summary.q = r.q AND ${DONE_AGAIN}`);
  await pairTwins(file);
  const told = await file.query(`SELECT count(*) AS n FROM job_summary WHERE ${TOLD_BY_MANY}`);
  if (Number(told[0]?.n) > 0) await countEchoes(file);
}

/** Added and completed again; where only logs tell of the job, acknowledged again. */
const DONE_AGAIN = '((adds > 1 AND completions > 1) OR (activations = 0 AND adds = 0 AND acks > 1))';

const TOLD_BY_MANY = 'other_tellers > 0 AND (completions = 1 OR (completions = 0 AND acks = 1))';

/** The same words about one job from several processes, and from how few they come for any other job of the queue. */
async function countEchoes(file: CaseFile): Promise<void> {
  await file.run(`
    CREATE OR REPLACE TEMP TABLE shapes AS SELECT id, ${dataField('text', 'shape')} AS shape FROM strings WHERE text LIKE '{%"shape":%';
    CREATE OR REPLACE TEMP TABLE told_by_many AS
      SELECT e.q, e.job, s.shape, count(DISTINCT e.process) AS tellers FROM ev e JOIN shapes s ON s.id = e.data
      SEMI JOIN (FROM job_summary WHERE ${TOLD_BY_MANY}) j ON j.q = e.q AND j.job = e.job
      WHERE e.kind IN (${TELLING_KINDS}) AND e.clock <> 0
      GROUP BY e.q, e.job, s.shape HAVING min(e.process) <> max(e.process);
    CREATE OR REPLACE TEMP TABLE usually_told AS
      SELECT q, shape, min(tellers) AS least FROM (
        SELECT e.q, s.shape, count(DISTINCT e.process) AS tellers FROM ev e JOIN shapes s ON s.id = e.data
        WHERE e.kind IN (${TELLING_KINDS}) AND e.clock <> 0 AND s.shape IN (SELECT shape FROM told_by_many)
        GROUP BY e.q, e.job, s.shape
      ) GROUP BY q, shape;
    UPDATE job_summary SET echoes = r.echoes, echoes_more = r.more FROM (
      SELECT t.q, t.job, (max(tellers) - 1)::INTEGER AS echoes, max(tellers - least)::INTEGER AS more
      FROM told_by_many t JOIN usually_told u ON u.q = t.q AND u.shape = t.shape GROUP BY t.q, t.job
    ) r WHERE job_summary.q = r.q AND job_summary.job = r.job`);
}
