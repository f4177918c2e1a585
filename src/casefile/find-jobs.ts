/** Finds the jobs that a name can mean, in the evidence as it is. */
import type { JobReading } from '../model/asked-job.js';
import type { JobSummary, SummaryColumn } from '../model/summary.js';
import { SUMMARY_COLUMNS } from '../model/summary.js';
import type { CaseFile, Row } from './case-file.js';
import type { Suspect } from './triage.js';

export interface FoundJob extends Suspect {
  readonly queue?: string;
  readonly id: string;
}

const DATABASE_MARK = / \[db \d+\]$/;

/** Columns that only Redis' own records fill. */
const FROM_REDIS: readonly SummaryColumn[] = [
  'activations',
  'completions',
  'failures',
  'adds',
  'progresses',
  'lock_events',
  'in_active',
  'in_wait',
  'in_delayed',
  'has_lock',
  'has_hash',
];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * All jobs that fit one of the readings, each once, by queue and id. Where none fits as it is written, a queue may be called
 * without its prefix; a job that only logs tell of fits a key of any prefix, since logs name none; and its id alone is enough
 * where the evidence names no queue at all. Needs `summarizeJobs`.
 */
export async function findJobs(
  file: CaseFile,
  readings: readonly JobReading[],
  namesQueues: boolean,
): Promise<FoundJob[]> {
  const ids = [...new Set(readings.map(({ id }) => id))];
  if (ids.length === 0) return [];
  const columns = Object.keys(SUMMARY_COLUMNS);
  const rows = await file.query(`
    WITH known AS (
      SELECT q, job FROM job_summary
      UNION SELECT coalesce(m.q, w.queue), w.job FROM writes w JOIN strings d ON d.id = w.data
        LEFT JOIN queue_map m ON m.id = w.queue
        WHERE w.queue <> 0 AND (d.text LIKE '{"op":"set"%' OR d.text LIKE '{"op":"into"%')
    ), named AS (
      SELECT k.q, k.job, qs.text AS queue, CASE WHEN k.job >= 0 THEN CAST(k.job AS VARCHAR) ELSE js.text END AS id
      FROM known k LEFT JOIN strings qs ON qs.id = k.q AND k.q <> 0 LEFT JOIN strings js ON js.id = -k.job
    )
    SELECT n.*, ${columns.map((column) => `coalesce(s.${column}, 0) AS ${column}`).join(', ')}
    FROM named n LEFT JOIN job_summary s ON s.q = n.q AND s.job = n.job
    WHERE n.id IN (${ids.map(quoted).join(', ')}) ORDER BY n.queue NULLS FIRST, n.id`);
  const jobs = rows.map(toFound);
  const exact = jobs.filter((job) => readings.some((reading) => isExactly(job, reading)));
  const likely = namesQueues ? isLikely : (job: FoundJob, reading: JobReading) => job.id === reading.id;
  return exact.length > 0 ? exact : jobs.filter((job) => readings.some((reading) => likely(job, reading)));
}

function toFound(row: Row): FoundJob {
  return {
    q: Number(row.q),
    job: Number(row.job),
    ...(row.queue === null ? {} : { queue: String(row.queue) }),
    id: String(row.id),
    summary: Object.fromEntries(
      Object.keys(SUMMARY_COLUMNS).map((column) => [column, Number(row[column])]),
    ) as JobSummary,
  };
}

/** The names a queue goes by: with or without the usual prefix and the mark of its database. */
export function namesOfQueue(queue: string): string[] {
  const plain = queue.replace(DATABASE_MARK, '');
  const names = plain === queue ? [queue] : [queue, plain];
  return names.flatMap((name) => (plain.includes(':') ? [name] : [name, `bull:${name}`]));
}

function isExactly(job: FoundJob, { queue, id }: JobReading): boolean {
  if (job.id !== id) return false;
  return queue === undefined || (job.queue !== undefined && namesOfQueue(job.queue).includes(queue));
}

/** The queue as it is called without its prefix and the mark of its database. */
export const bareQueue = (queue: string): string => lastSegment(queue.replace(DATABASE_MARK, ''));

const lastSegment = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

function isLikely(job: FoundJob, { queue, id }: JobReading): boolean {
  if (job.id !== id || queue === undefined || job.queue === undefined) return false;
  if (queue === bareQueue(job.queue)) return true;
  const inLogsOnly = FROM_REDIS.every((column) => job.summary[column] === 0);
  return inLogsOnly && job.queue === lastSegment(queue);
}
