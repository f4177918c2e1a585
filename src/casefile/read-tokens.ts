/**
 * Worker instances as Redis knows them: by the part of the lock token before the colon, which all tokens of one Worker share
 * (BullMQ 3.3.5 and later: `<uuid>:<n>`; before, and in Bull 4, the whole token). AOF and MONITOR show tokens, and MONITOR also
 * the address of the client, so commands without a token (sweeps) can be told to be a worker's, too.
 */
import { EVENT_KINDS } from '../model/event.js';
import type { CaseFile } from './case-file.js';
import type { StoredGap } from './read-processes.js';

const STARTED = EVENT_KINDS.indexOf('handler-started');
const ACTIVE = EVENT_KINDS.indexOf('active');

export interface TokenLife {
  readonly prefix: string;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Redis sources that show it, by path. */
  readonly sources: readonly string[];
  /** MONITOR was watching: a refused command of this worker would be seen. */
  readonly refusalsSeen: boolean;
  /** Worker number of the log that ran the same jobs, by most of them; -1 for none. */
  readonly logWorker: number;
}

/** Token prefixes in the case, in order. Needs `storeWorkers` and `summarizeJobs`. */
export async function readTokenLives(file: CaseFile): Promise<TokenLife[]> {
  await file.run(`
    CREATE OR REPLACE TEMP TABLE token_prefix AS
      SELECT s.id AS token, regexp_replace(s.text, ':[0-9]+$', '') AS prefix
      FROM strings s JOIN (SELECT DISTINCT token FROM events WHERE token <> 0) t ON t.token = s.id;
    CREATE OR REPLACE TEMP TABLE client_of AS
      SELECT id AS data, text->>'client' AS client FROM strings WHERE text LIKE '{%"client":"%';
    CREATE OR REPLACE TEMP TABLE client_prefix AS
      SELECT client, arg_max(prefix, n) AS prefix FROM (
        SELECT c.client, p.prefix, count(*) AS n FROM events e JOIN client_of c ON c.data = e.data JOIN token_prefix p ON p.token = e.token
        WHERE e.clock = 0 GROUP BY c.client, p.prefix) GROUP BY client;
    CREATE OR REPLACE TEMP TABLE redis_presence AS
      SELECT coalesce(p.prefix, k.prefix) AS prefix, e.t, e.source FROM events e
      LEFT JOIN token_prefix p ON p.token = e.token
      LEFT JOIN client_of c ON c.data = e.data LEFT JOIN client_prefix k ON k.client = c.client
      WHERE e.clock = 0 AND e.t IS NOT NULL AND coalesce(p.prefix, k.prefix) IS NOT NULL;`);
  const rows = await file.query(`
    WITH told AS (
      SELECT p.prefix, w.worker, count(*) AS n FROM events e JOIN token_prefix p ON p.token = e.token
      JOIN worker_of w ON w.process = e.process AND e.off * w.direction >= w.from_place AND e.off * w.direction < w.to_place
      WHERE e.clock <> 0 GROUP BY p.prefix, w.worker
    ), once AS (SELECT q, job FROM job_summary WHERE activations = 1 AND starts = 1),
    shared AS (
      SELECT p.prefix, w.worker, count(*) AS n FROM ev a JOIN once USING (q, job) JOIN token_prefix p ON p.token = a.token
      JOIN ev s ON s.q = a.q AND s.job = a.job AND s.kind = ${STARTED} AND s.clock = 1
      JOIN worker_of w ON w.process = s.process AND s.off * w.direction >= w.from_place AND s.off * w.direction < w.to_place
      WHERE a.clock = 0 AND a.kind = ${ACTIVE} GROUP BY p.prefix, w.worker
    ), votes AS (SELECT prefix, worker, sum(n) AS n FROM (FROM told UNION ALL FROM shared) GROUP BY prefix, worker),
    elected AS (SELECT prefix, arg_max(worker, (n, -worker)) AS worker FROM votes GROUP BY prefix)
    SELECT r.prefix, min(r.t) AS first_ms, max(r.t) AS last_ms, list(DISTINCT s.path ORDER BY s.path) AS sources,
      bool_or((s.report->>'format') LIKE 'monitor%') AS refusals, any_value(e.worker) AS worker
    FROM redis_presence r JOIN sources s ON s.id = r.source LEFT JOIN elected e ON e.prefix = r.prefix
    GROUP BY r.prefix ORDER BY r.prefix`);
  return rows.map((row) => ({
    prefix: String(row.prefix),
    firstMs: Number(row.first_ms),
    lastMs: Number(row.last_ms),
    sources: toList(row.sources),
    refusalsSeen: row.refusals === true,
    logWorker: row.worker === null ? -1 : Number(row.worker),
  }));
}

function toList(value: unknown): string[] {
  const items = typeof value === 'object' && value !== null && 'items' in value ? value.items : [];
  return Array.isArray(items) ? items.map(String) : [];
}

/** Silences of at least `minMs` between two commands of a token prefix, in order; `worker` counts in the order of `lives`. */
export async function readTokenGaps(file: CaseFile, lives: readonly TokenLife[], minMs: number): Promise<StoredGap[]> {
  const rows = await file.query(`
    SELECT prefix, before AS from_ms, t AS to_ms, path FROM (
      SELECT r.prefix, r.t, s.path, lag(r.t) OVER (PARTITION BY r.prefix ORDER BY r.t) AS before
      FROM redis_presence r JOIN sources s ON s.id = r.source)
    WHERE t - before >= ${minMs} ORDER BY prefix, t`);
  const index = new Map(lives.map((life, n) => [life.prefix, n]));
  return rows.map((row) => ({
    worker: index.get(String(row.prefix)) ?? -1,
    fromMs: Number(row.from_ms),
    toMs: Number(row.to_ms),
    source: String(row.path),
    afterLine: 0,
    beforeLine: 0,
  }));
}
