/**
 * The newest snapshot of each queue, as a whole: how many jobs stand where, whether it is paused or limited, and who swept last. Where
 * there is none, the answers of a transcript, if they say that nothing is in active.
 */
import { EVENT_KINDS } from '../model/event.js';
import { QUEUE_SETS, type QueueSet } from '../model/fact.js';
import type { QueueState, StoredSource } from '../model/stored.js';
import type { CaseFile } from './case-file.js';

const ACTIVE = EVENT_KINDS.indexOf('active');

/** By queue name, prefix included where it is not `bull`. Needs `resolveQueues` and `summarizeJobs`. */
export async function readQueueStates(
  file: CaseFile,
  sources: ReadonlyMap<number, StoredSource>,
): Promise<Map<string, QueueState>> {
  const rows = await file.query(`
    WITH seen AS (
      SELECT DISTINCT source, queue FROM (
        SELECT source, queue FROM members UNION ALL SELECT source, queue FROM meta UNION ALL SELECT source, queue FROM job_facts)
    ), moments AS (
      SELECT s.queue, n.source, n.from_ms, n.to_ms, false AS asked FROM seen s JOIN snapshots n ON n.source = s.source WHERE n.from_ms IS NOT NULL
      UNION ALL SELECT queue, source, from_ms, to_ms, true FROM idle_asked
    ), newest AS (
      FROM moments QUALIFY row_number() OVER (PARTITION BY queue ORDER BY asked, from_ms DESC, source DESC) = 1
    ), linked AS (
      SELECT w.queue, arg_min(c.address, c.off) AS address, arg_min(c.idle_s, c.off) AS idle_s, min(c.off) AS off
      FROM newest w JOIN connections c ON c.source = w.source AND c.queue = w.queue WHERE c.role = 'worker' GROUP BY w.queue
    ), fields AS (
      SELECT w.queue, min(m.off) AS off,
        any_value(m.value) FILTER (m.field = 'stalled-check') AS swept,
        bool_or(m.field IN ('paused', 'meta-paused') AND m.value NOT IN ('', '0')) AS paused,
        bool_or(m.field IN ('limiter', 'max', 'duration', 'concurrency')) AS limited
      FROM newest w JOIN meta m ON m.source = w.source AND m.queue = w.queue GROUP BY w.queue
    ), held AS (
      SELECT w.queue, m.set, count(*) AS n, min(m.off) AS off
      FROM newest w JOIN members m ON m.source = w.source AND m.queue = w.queue GROUP BY w.queue, m.set
    ), locked AS (
      SELECT w.queue, count(*) AS n FROM newest w JOIN locked_active l ON l.source = w.source AND l.queue = w.queue GROUP BY w.queue
    ), begun AS (SELECT q, max(t) AS t FROM ev WHERE clock = 0 AND kind = ${ACTIVE} GROUP BY q)
    SELECT q.text AS queue, w.source, w.from_ms, w.to_ms, w.asked, k.address, k.idle_s, k.off AS link_off, f.swept, f.paused, f.limited, coalesce(f.off, h.off) AS off, b.t AS begun,
      h.set, h.n, coalesce(l.n, 0) AS locked
    FROM newest w JOIN strings q ON q.id = w.queue LEFT JOIN linked k ON k.queue = w.queue
    LEFT JOIN fields f ON f.queue = w.queue LEFT JOIN held h ON h.queue = w.queue
    LEFT JOIN locked l ON l.queue = w.queue LEFT JOIN begun b ON b.q = w.queue
    ORDER BY q.text, h.set`);
  const states = new Map<string, QueueState & { readonly held: Partial<Record<QueueSet, number>> }>();
  for (const row of rows) {
    const queue = String(row.queue);
    const source = sources.get(Number(row.source));
    if (source === undefined) continue;
    const swept = Number(row.swept ?? Number.NaN);
    const state = states.get(queue) ?? {
      momentMs: [Number(row.from_ms), Number(row.to_ms)] as const,
      source,
      offset: Number(row.off ?? -1),
      held: {},
      locked: Number(row.locked),
      paused: row.paused === true,
      limited: row.limited === true,
      ...(Number.isFinite(swept) ? { lastSweepMs: swept } : {}),
      ...(row.begun === null ? {} : { lastActivationMs: Number(row.begun) }),
      ...(row.asked === true ? { isAsked: true } : {}),
      ...(row.address === null
        ? {}
        : {
            connected: {
              address: String(row.address),
              offset: Number(row.link_off),
              ...(row.idle_s === null ? {} : { idleSeconds: Number(row.idle_s) }),
            },
          }),
    };
    const set = row.set === null ? undefined : QUEUE_SETS[Number(row.set)];
    if (set !== undefined) state.held[set] = Number(row.n);
    states.set(queue, state);
  }
  return states;
}
