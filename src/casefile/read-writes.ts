/** Reads back what was written to the keys of the job that was asked for, and which stretch of time each source covers. */
import { EVENT_KINDS, type EventKind, PRECISIONS } from '../model/event.js';
import type { JobWrite } from '../model/job-write.js';
import type { StoredSource, StoredWrite } from '../model/stored.js';
import type { CaseFile } from './case-file.js';
import type { Suspect } from './triage.js';

const TIMED = PRECISIONS.indexOf('ms');

/** In the order of the sources, and of the log within one. Needs `resolveQueues`. */
export async function readWrites(
  file: CaseFile,
  job: Pick<Suspect, 'q' | 'job'>,
  sources: ReadonlyMap<number, StoredSource>,
): Promise<StoredWrite[]> {
  const rows = await file.query(`
    WITH mine AS (
      SELECT w.rowid AS nr, w.* FROM writes w LEFT JOIN queue_map m ON m.id = w.queue
      WHERE w.job = ${job.job} AND (w.queue = 0 OR coalesce(m.q, w.queue) = ${job.q})
    ), dated AS (
      SELECT source, off, t FROM events WHERE clock = 0 AND prec >= ${TIMED} AND source IN (SELECT source FROM mine)
      UNION ALL SELECT source, off, t FROM writes WHERE prec >= ${TIMED}
    )
    SELECT w.source, w.line, w.off, w.prec, w.t, ds.text AS data, CASE WHEN w.prec < ${TIMED} THEN d.t END AS before_ms
    FROM mine w JOIN sources s ON s.id = w.source JOIN strings ds ON ds.id = w.data
    ASOF LEFT JOIN dated d ON d.source = w.source AND d.off > w.off
    ORDER BY s.path, s.sha256, w.line, w.nr`);
  return rows.flatMap((row) => {
    const source = sources.get(Number(row.source));
    if (source === undefined) return [];
    return [
      {
        source,
        write: JSON.parse(String(row.data)) as JobWrite,
        precision: PRECISIONS[Number(row.prec)] ?? 'none',
        ...(row.t === null ? {} : { t: Number(row.t) }),
        ...(row.before_ms === null ? {} : { beforeMs: Number(row.before_ms) }),
        line: Number(row.line),
        offset: Number(row.off),
      },
    ];
  });
}

/** Entries of events streams, whatever source shows them. */
const ENTRIES: readonly EventKind[] = [
  'added',
  'waiting',
  'active',
  'delayed',
  'waiting-children',
  'progress',
  'stalled',
  'completed',
  'failed',
  'retries-exhausted',
  'removed',
  'duplicated',
  'paused',
  'resumed',
  'cleaned',
  'drained',
];

/** A source that shows entries of the queue's events stream, ms on Redis' clock. */
export interface StreamSpan {
  readonly source: StoredSource;
  readonly fromMs: number;
  /** Last entry of the queue. */
  readonly toMs: number;
}

export async function readStreamSpans(
  file: CaseFile,
  q: number,
  sources: ReadonlyMap<number, StoredSource>,
): Promise<StreamSpan[]> {
  const kinds = ENTRIES.map((kind) => EVENT_KINDS.indexOf(kind)).join(', ');
  const rows = await file.query(`
    SELECT e.source, min(e.t) AS first, max(e.t) AS last FROM ev e JOIN sources s ON s.id = e.source
    WHERE e.clock = 0 AND e.q = ${q} AND e.kind IN (${kinds}) AND e.prec >= ${TIMED}
    GROUP BY e.source, s.path, s.sha256 ORDER BY s.path, s.sha256`);
  return rows.flatMap((row) => {
    const source = sources.get(Number(row.source));
    return source ? [{ source, fromMs: Number(row.first), toMs: Number(row.last) }] : [];
  });
}

/** Moments of the snapshots, [earliest, latest] ms on Redis' clock, by path. */
export async function readSnapshotMoments(file: CaseFile): Promise<Map<string, readonly [number, number]>> {
  const rows = await file.query(`
    SELECT s.path, n.from_ms, n.to_ms FROM snapshots n JOIN sources s ON s.id = n.source
    WHERE n.from_ms IS NOT NULL ORDER BY s.path, s.sha256`);
  return new Map(rows.map((row) => [String(row.path), [Number(row.from_ms), Number(row.to_ms)] as const]));
}
