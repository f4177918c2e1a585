/** Reads back what `pairTwins` found. */
import type { EventKind } from '../model/event.js';
import type { JobRecord, StoredEvent, StoredSource } from '../model/stored.js';
import { type JobSummary, SUMMARY_COLUMNS } from '../model/summary.js';
import { TWIN_KINDS, type Twin, twinKey } from '../model/twin.js';
import type { CaseFile } from './case-file.js';
import { readJobs } from './read-jobs.js';
import type { Suspect } from './triage.js';

const NO_SUMMARY = Object.fromEntries(Object.keys(SUMMARY_COLUMNS).map((name) => [name, 0])) as JobSummary;
const ENDS: ReadonlySet<EventKind> = new Set(['completed', 'acknowledged', 'failed']);
const BEGINS: ReadonlySet<EventKind> = new Set(['active', 'handler-started']);

/** The twins of each job, by `twinKey`, each with its own records. Needs `pairTwins`. */
export async function readTwins(
  file: CaseFile,
  sources: ReadonlyMap<number, StoredSource>,
): Promise<Map<string, readonly Twin[]>> {
  const rows = await file.query(`
    SELECT t.*, qs.text AS queue, CASE WHEN t.job >= 0 THEN CAST(t.job AS VARCHAR) ELSE js.text END AS id,
      CASE WHEN t.twin >= 0 THEN CAST(t.twin AS VARCHAR) ELSE ts.text END AS twin_id
    FROM (SELECT DISTINCT q, job, twin, kind FROM twins) t LEFT JOIN strings qs ON qs.id = t.q AND t.q <> 0
    LEFT JOIN strings js ON js.id = -t.job LEFT JOIN strings ts ON ts.id = -t.twin ORDER BY queue, id, twin_id, t.kind`);
  const wanted = [...new Map(rows.map((row) => [`${row.q} ${row.twin}`, row])).entries()];
  const suspects = wanted.map(([, { q, twin }]): Suspect => ({ q: Number(q), job: Number(twin), summary: NO_SUMMARY }));
  const records = await readJobs(file, suspects, sources);
  const recordOf = new Map(wanted.map(([key], n) => [key, records[n]]));
  const twins = new Map<string, Twin[]>();
  for (const row of rows) {
    const record = recordOf.get(`${row.q} ${row.twin}`);
    const kind = TWIN_KINDS[Number(row.kind)];
    if (record === undefined || kind === undefined) continue;
    const key = twinKey(row.queue === null ? undefined : String(row.queue), String(row.id));
    twins.set(key, [...(twins.get(key) ?? []), toTwin(kind, record)]);
  }
  return twins;
}

function toTwin(kind: Twin['kind'], { job, events, facts }: JobRecord): Twin {
  const seen = facts.find(({ states }) => states.length > 0);
  const find = (isIt: (event: StoredEvent) => boolean): StoredEvent | undefined => events.find(isIt);
  const added = find((event) => event.kind === 'added' && event.clock === 'redis');
  const began = find(({ kind: what }) => BEGINS.has(what));
  const ended = find(({ kind: what }) => ENDS.has(what)) ?? find(({ kind: what }) => what === 'attempt-failed');
  const keyed = find(({ data }) => data.key !== undefined);
  return {
    kind,
    job,
    ...(added ? { added } : {}),
    ...(began ? { began } : {}),
    ...(ended ? { ended } : {}),
    ...(keyed ? { keyed } : {}),
    ...(seen === undefined ? {} : { seen }),
  };
}
