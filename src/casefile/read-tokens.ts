/**
 * Worker instances as Redis knows them: by the part of the lock token before the colon, which all tokens of one Worker share
 * (BullMQ 3.3.5 and later: `<uuid>:<n>`; before, and in Bull 4, the whole token). AOF and MONITOR show tokens, and MONITOR also
 * the address of the client, so commands without a token (sweeps) can be told to be a worker's, too.
 */
import type { Ref } from '../model/analysis.js';
import { EVENT_KINDS } from '../model/event.js';
import type { CaseFile, Row } from './case-file.js';
import { dataField } from './data-field.js';
import { listItems } from './list-items.js';
import type { StoredGap } from './read-processes.js';

const STARTED = EVENT_KINDS.indexOf('handler-started');
const ACKNOWLEDGED = EVENT_KINDS.indexOf('acknowledged');
const ACTIVE = EVENT_KINDS.indexOf('active');

export interface TokenLife {
  readonly prefix: string;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Its first and its last command. */
  readonly first: Ref;
  readonly last: Ref;
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
      SELECT id AS data, ${dataField('text', 'client')} AS client FROM strings WHERE text LIKE '{%"client":"%';
    CREATE OR REPLACE TEMP TABLE client_prefix AS
      SELECT client, arg_max(prefix, n) AS prefix FROM (
        SELECT c.client, p.prefix, count(*) AS n FROM events e JOIN client_of c ON c.data = e.data JOIN token_prefix p ON p.token = e.token
        WHERE e.clock = 0 GROUP BY c.client, p.prefix) GROUP BY client;
    CREATE OR REPLACE TEMP TABLE redis_presence AS
      SELECT coalesce(p.prefix, k.prefix) AS prefix, e.t, e.source, e.off FROM events e
      LEFT JOIN token_prefix p ON p.token = e.token
      LEFT JOIN client_of c ON c.data = e.data LEFT JOIN client_prefix k ON k.client = c.client
      WHERE e.clock = 0 AND e.t IS NOT NULL AND coalesce(p.prefix, k.prefix) IS NOT NULL;`);
  const rows = await file.query(`
    WITH told AS (
      SELECT p.prefix, w.worker, count(*) AS n FROM events e JOIN token_prefix p ON p.token = e.token
      JOIN worker_of w ON w.process = e.process AND e.line >= w.from_line AND e.line < w.to_line
      WHERE e.clock <> 0 GROUP BY p.prefix, w.worker
    ), once AS (SELECT q, job FROM job_summary WHERE activations = 1 AND starts = 1),
    shared AS (
      SELECT p.prefix, w.worker, count(*) AS n FROM ev a JOIN once USING (q, job) JOIN token_prefix p ON p.token = a.token
      JOIN ev s ON s.q = a.q AND s.job = a.job AND s.kind = ${STARTED} AND s.clock = 1
      JOIN worker_of w ON w.process = s.process AND s.line >= w.from_line AND s.line < w.to_line
      WHERE a.clock = 0 AND a.kind = ${ACTIVE} GROUP BY p.prefix, w.worker
    ), by_start AS (FROM told UNION ALL FROM shared),
    -- A log without starts: its acknowledgements, unless it tells those of several instances, as a listener of the queue does.
    ended_once AS (SELECT q, job FROM job_summary WHERE activations = 1 AND starts = 0 AND acks = 1),
    acked AS (
      SELECT p.prefix, w.worker, count(*) AS n FROM ev a JOIN ended_once USING (q, job) JOIN token_prefix p ON p.token = a.token
      JOIN ev s ON s.q = a.q AND s.job = a.job AND s.kind = ${ACKNOWLEDGED} AND s.clock = 1
      JOIN worker_of w ON w.process = s.process AND s.line >= w.from_line AND s.line < w.to_line
      WHERE a.clock = 0 AND a.kind = ${ACTIVE} GROUP BY a.q, p.prefix, w.worker
      QUALIFY count(*) OVER (PARTITION BY a.q, w.worker) = 1 AND count(*) OVER (PARTITION BY p.prefix) = 1
    ), votes AS (
      SELECT prefix, worker, sum(n) AS n FROM (
        FROM by_start UNION ALL FROM acked
        WHERE prefix NOT IN (SELECT prefix FROM by_start) AND worker NOT IN (SELECT worker FROM by_start))
      GROUP BY prefix, worker),
    elected AS (SELECT prefix, arg_max(worker, (n, -worker)) AS worker FROM votes GROUP BY prefix)
    SELECT r.prefix, min(r.t) AS first_ms, max(r.t) AS last_ms,
      arg_min(s.path, (r.t, s.path, r.off)) AS first_path, arg_min(r.off, (r.t, s.path, r.off)) AS first_off,
      arg_max(s.path, (r.t, s.path, r.off)) AS last_path, arg_max(r.off, (r.t, s.path, r.off)) AS last_off, list(DISTINCT s.path ORDER BY s.path) AS sources,
      bool_or((s.report->>'format') LIKE 'monitor%') AS refusals, any_value(e.worker) AS worker
    FROM redis_presence r JOIN sources s ON s.id = r.source LEFT JOIN elected e ON e.prefix = r.prefix
    GROUP BY r.prefix ORDER BY r.prefix`);
  return rows.map((row) => ({
    prefix: String(row.prefix),
    firstMs: Number(row.first_ms),
    lastMs: Number(row.last_ms),
    first: toRef(row.first_path, row.first_off),
    last: toRef(row.last_path, row.last_off),
    sources: listItems(row.sources),
    refusalsSeen: row.refusals === true,
    logWorker: row.worker === null ? -1 : Number(row.worker),
  }));
}

/** Queues whose locks each token prefix held, by prefix. Needs `readTokenLives`. */
export async function readQueuesOfTokens(file: CaseFile): Promise<Map<string, Set<string>>> {
  const rows = await file.query(`
    SELECT DISTINCT p.prefix, s.text FROM ev e JOIN token_prefix p ON p.token = e.token JOIN strings s ON s.id = e.q AND e.q <> 0
    WHERE e.clock = 0 ORDER BY p.prefix, s.text`);
  const queues = new Map<string, Set<string>>();
  for (const row of rows) {
    const prefix = String(row.prefix);
    queues.set(prefix, (queues.get(prefix) ?? new Set()).add(String(row.text)));
  }
  return queues;
}

const toRef = (path: Row[string] | undefined, off: Row[string] | undefined): Ref => ({
  source: String(path),
  ...(Number(off) >= 0 ? { offset: Number(off) } : {}),
});

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
