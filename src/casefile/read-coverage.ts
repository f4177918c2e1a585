/** Which sources tell of the state of queues at a moment, and not only of what happened. */
import type { CaseFile } from './case-file.js';

/** Paths of sources that hold a job, a place in a set, a lock, or the answer that there is none. */
export async function readSnapshotSources(file: CaseFile): Promise<ReadonlySet<string>> {
  const rows = await file.query(`
    SELECT path FROM sources WHERE complete AND id IN (
      SELECT source FROM job_facts UNION SELECT source FROM members UNION SELECT source FROM locks
      UNION SELECT source FROM absences UNION SELECT source FROM counts)`);
  return new Set(rows.map((row) => String(row.path)));
}
