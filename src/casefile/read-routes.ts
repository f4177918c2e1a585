/**
 * How many events the sources tell, each once however many of them tell it, and by which routes they were seen together.
 *
 * The rules are those of `story/routes.ts`, over all jobs: an entry of a stream is known by its id; what has none (MONITOR, the
 * lock ledger) is the same event when one of its kind lies beside it in another source. In a cluster of such neighbours there
 * are as many events as the source with most of them tells.
 */
import { EVENT_KINDS, LEDGER_KINDS, SAME_EVENT_MS } from '../model/event.js';
import type { CaseFile } from './case-file.js';
import { listItems } from './list-items.js';

const OF_LEDGER = [...LEDGER_KINDS].map((kind) => EVENT_KINDS.indexOf(kind)).join(', ');

export interface Route {
  /** Sources that tell the same events, by path. */
  readonly sources: readonly string[];
  readonly events: number;
}

export interface SeenEvents {
  /** All events, those of logs included, each once. */
  readonly events: number;
  /** Events that more than one source tells. */
  readonly routes: readonly Route[];
}

/** Needs `resolveQueues`. */
export async function readSeenEvents(file: CaseFile): Promise<SeenEvents> {
  const inLogs = await file.query('SELECT count(*) AS n FROM ev WHERE clock <> 0');
  const bySource = await file.query('SELECT source, count(*) AS n FROM events WHERE clock = 0 GROUP BY source');
  const logged = Number(inLogs[0]?.n);
  if (bySource.length < 2)
    return { events: logged + bySource.reduce((sum, row) => sum + Number(row.n), 0), routes: await readCopies(file) };
  const rows = await file.query(`
    WITH seen AS (
      SELECT e.kind, e.q, coalesce(e.job, 0) AS job, CASE WHEN e.kind IN (${OF_LEDGER}) THEN e.token ELSE 0 END AS token,
        e.t, e.line, e.source, (s.report->>'format') <> 'monitor' AND e.kind NOT IN (${OF_LEDGER}) AS by_id,
        coalesce(TRY_CAST(regexp_extract(d.text, '"expiresAtMs":([0-9.]+)', 1) AS DOUBLE), e.t) AS point
      FROM ev e JOIN sources s ON s.id = e.source LEFT JOIN strings d ON d.id = e.data AND e.kind IN (${OF_LEDGER})
      WHERE e.clock = 0 AND e.t IS NOT NULL
    ), told AS (
      SELECT kind, q, job, token, point, line, 0 AS route, list(DISTINCT source) AS sources FROM seen WHERE by_id
        GROUP BY kind, q, job, token, point, t, line
      UNION ALL SELECT kind, q, job, token, point, line, source, [source] FROM seen WHERE NOT by_id
    ), opened AS (
      SELECT *, coalesce(point - lag(point) OVER beside > ${SAME_EVENT_MS}, true) AS opens FROM told
      WINDOW beside AS (PARTITION BY kind, q, job, token ORDER BY point, route, line)
    ), clustered AS (
      SELECT *, count(*) FILTER (opens) OVER so_far AS cluster FROM opened
      WINDOW so_far AS (PARTITION BY kind, q, job, token ORDER BY point, route, line ROWS UNBOUNDED PRECEDING)
    ), by_route AS (
      SELECT kind, q, job, token, cluster, route, count(*) AS n, flatten(list(sources)) AS sources FROM clustered
      GROUP BY kind, q, job, token, cluster, route
    ), merged AS (
      SELECT max(n) AS n, list_sort(list_distinct(flatten(list(sources)))) AS sources FROM by_route
      GROUP BY kind, q, job, token, cluster
    )
    SELECT n, (SELECT list(path ORDER BY path) FROM sources s WHERE list_contains(m.sources, s.id)) AS paths
    FROM (SELECT sum(n) AS n, sources FROM merged GROUP BY sources) m ORDER BY paths`);
  const seen = rows.map((row) => ({ sources: listItems(row.paths), events: Number(row.n) }));
  const untimed = await file.query('SELECT count(*) AS n FROM ev WHERE clock = 0 AND t IS NULL');
  return {
    events: logged + Number(untimed[0]?.n) + seen.reduce((sum, { events }) => sum + events, 0),
    routes: [...seen.filter(({ sources }) => sources.length > 1), ...(await readCopies(file))],
  };
}

/** Records of logs that stand in two sources: the first of the two by path counts. */
async function readCopies(file: CaseFile): Promise<Route[]> {
  const rows = await file.query(`
    SELECT first_path, s.path, count(*) AS n FROM twice d JOIN events e ON e.rowid = d.row_id JOIN sources s ON s.id = e.source
    GROUP BY first_path, s.path ORDER BY first_path, s.path`);
  return rows.map((row) => ({ sources: [String(row.first_path), String(row.path)], events: Number(row.n) }));
}
