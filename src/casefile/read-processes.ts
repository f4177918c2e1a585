/** What the case holds about processes: identities, restarts, lives, silences, and what their logs tell at all. */
import { EVENT_KINDS, type EventKind } from '../model/event.js';
import type { StoredEvent, StoredProcess, StoredSource } from '../model/stored.js';
import type { CaseFile, Row } from './case-file.js';
import { compareEvents, EVENT_JOINS, EVENT_SELECT, toStoredEvent } from './read-jobs.js';

const code = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);
const codes = (...kinds: EventKind[]): string => kinds.map(code).join(', ');

/** Records about a process itself, not about a job. */
const SIGNS = codes(
  'worker-ready',
  'worker-signal',
  'worker-closing',
  'worker-closed',
  'process-crashed',
  'process-ended',
  'redis-lost',
  'redis-back',
  'redis-refused',
  'event-loop-lag',
  'settings',
);

/** More process records than this are not carried into memory; the first ones are. */
const SIGN_LIMIT = 50_000;

/** Sources that are in the case, by id, sorted by path and then hash. */
export async function readSources(file: CaseFile): Promise<Map<number, StoredSource>> {
  const rows = await file.query(
    "SELECT id, path, coalesce(report->>'kind', 'unknown') AS kind, coalesce(report->>'format', '') AS format FROM sources WHERE complete ORDER BY path, sha256",
  );
  return new Map(
    rows.map((row) => [
      Number(row.id),
      { id: Number(row.id), path: String(row.path), kind: String(row.kind), format: String(row.format) },
    ]),
  );
}

export async function readProcesses(
  file: CaseFile,
  sources: ReadonlyMap<number, StoredSource>,
): Promise<StoredProcess[]> {
  const rows = await file.query(
    'SELECT p.* FROM processes p JOIN sources s ON s.id = p.source ORDER BY s.path, s.sha256, p.id',
  );
  return rows.flatMap((row) => {
    const source = sources.get(Number(row.source));
    if (source === undefined) return [];
    return [
      {
        id: Number(row.id),
        source,
        ...(row.host === null ? {} : { host: String(row.host) }),
        ...(row.pid === null ? {} : { pid: Number(row.pid) }),
        ...(row.name === null ? {} : { name: String(row.name) }),
        ...(row.container === null ? {} : { container: String(row.container) }),
      },
    ];
  });
}

/** The workers of one process announce themselves within this time, ms. */
const BOOT_MS = 10_000;

/**
 * `ready` lines that follow a job line of the same process, with no lost connection since that job line. Several workers of one
 * process announce themselves one by one, each with words of its own.
 */
export async function readBoots(file: CaseFile): Promise<{ process: number; line: number }[]> {
  const rows = await file.query(`
    WITH announced AS (
      SELECT process, line, t, row_number() OVER (PARTITION BY process, queue, data ORDER BY line) = 1 AS first_of_its_words,
        min(t) OVER (PARTITION BY process) AS first_t, min(line) OVER (PARTITION BY process) AS first_line
      FROM events WHERE kind = ${code('worker-ready')}
    ), ready AS (
      SELECT process, line FROM announced WHERE line = first_line OR NOT coalesce(first_of_its_words AND t - first_t <= ${BOOT_MS}, false)
    ),
    work AS (SELECT process, line FROM events WHERE job IS NOT NULL AND process <> 0),
    lost AS (SELECT process, line FROM events WHERE kind = ${code('redis-lost')}),
    worked AS (SELECT r.process, r.line, w.line AS after_work FROM ready r ASOF JOIN work w ON r.process = w.process AND r.line > w.line)
    SELECT w.process, w.line FROM worked w ASOF LEFT JOIN lost l ON w.process = l.process AND w.line > l.line
    WHERE l.line IS NULL OR l.line < w.after_work
    QUALIFY row_number() OVER (PARTITION BY w.process, w.after_work ORDER BY w.line) = 1
    ORDER BY w.process, w.line`);
  return rows.map((row) => ({ process: Number(row.process), line: Number(row.line) }));
}

/** Which lines of which process row belong to worker number `worker`. */
export interface WorkerPart {
  readonly worker: number;
  readonly process: number;
  readonly from: number;
  readonly to: number;
}

/** Makes the temporary table `worker_of`, which the reads below need. */
export async function storeWorkers(file: CaseFile, parts: readonly WorkerPart[]): Promise<void> {
  await file.run(
    'CREATE OR REPLACE TEMP TABLE worker_of (worker INTEGER, process INTEGER, from_line DOUBLE, to_line DOUBLE)',
  );
  for (let n = 0; n < parts.length; n += 1000) {
    const values = parts.slice(n, n + 1000).map((p) => `(${p.worker}, ${p.process}, ${p.from}, ${p.to})`);
    await file.run(`INSERT INTO worker_of VALUES ${values.join(', ')}`);
  }
}

export interface WorkerLife {
  readonly firstMs: number;
  readonly firstLine: number;
  readonly firstSource: string;
  readonly lastMs: number;
  readonly lastLine: number;
  readonly lastSource: string;
}

/** First and last timed line of each worker, on its own clock. */
export async function readLives(file: CaseFile): Promise<Map<number, WorkerLife>> {
  const rows = await file.query(`
    SELECT w.worker, min(p.from_ms) AS first_ms, max(p.to_ms) AS last_ms,
      arg_min(p.from_line, p.from_ms) AS first_line, arg_min(s.path, p.from_ms) AS first_source,
      max(p.to_line) FILTER (p.source = last.source) AS last_line, any_value(last.path) AS last_source
    FROM presence p JOIN sources s ON s.id = p.source
    JOIN worker_of w ON w.process = p.process AND p.from_line >= w.from_line AND p.from_line < w.to_line
    JOIN (SELECT w.worker, arg_max(p.source, p.to_ms) AS source, arg_max(s.path, p.to_ms) AS path FROM presence p
      JOIN sources s ON s.id = p.source
      JOIN worker_of w ON w.process = p.process AND p.from_line >= w.from_line AND p.from_line < w.to_line GROUP BY w.worker) last
      ON last.worker = w.worker
    GROUP BY w.worker`);
  return new Map(
    rows.map((row) => [
      Number(row.worker),
      {
        firstMs: Number(row.first_ms),
        firstLine: Number(row.first_line),
        firstSource: String(row.first_source),
        lastMs: Number(row.last_ms),
        lastLine: Number(row.last_line),
        lastSource: String(row.last_source),
      },
    ]),
  );
}

export interface StoredGap {
  readonly worker: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly source: string;
  readonly afterLine: number;
  readonly beforeLine: number;
}

/** Silences of at least `minMs` between two lines of a worker, in order. */
export async function readGaps(file: CaseFile, minMs: number): Promise<StoredGap[]> {
  const rows = await file.query(`
    WITH spans AS (
      SELECT w.worker, p.from_ms, p.to_ms, p.from_line, p.to_line, s.path FROM presence p JOIN sources s ON s.id = p.source
      JOIN worker_of w ON w.process = p.process AND p.from_line >= w.from_line AND p.from_line < w.to_line
    ), ordered AS (
      SELECT *, max(to_ms) OVER before AS heard, lag(to_line) OVER (PARTITION BY worker ORDER BY from_ms, path, from_line) AS after_line
      FROM spans WINDOW before AS (PARTITION BY worker ORDER BY from_ms, path, from_line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    SELECT worker, heard AS from_ms, from_ms AS to_ms, path, after_line, from_line AS before_line FROM ordered
    WHERE from_ms - heard >= ${minMs} ORDER BY worker, from_ms`);
  return rows.map((row) => ({
    worker: Number(row.worker),
    fromMs: Number(row.from_ms),
    toMs: Number(row.to_ms),
    source: String(row.path),
    afterLine: Number(row.after_line),
    beforeLine: Number(row.before_line),
  }));
}

/** Records about processes, in order, at most `SIGN_LIMIT`. */
export async function readSigns(file: CaseFile, sources: ReadonlyMap<number, StoredSource>): Promise<StoredEvent[]> {
  const rows = await file.query(
    `SELECT ${EVENT_SELECT} FROM ev e ${EVENT_JOINS} WHERE e.kind IN (${SIGNS}) AND e.process <> 0
     ORDER BY e.t, e.source, e.line LIMIT ${SIGN_LIMIT}`,
  );
  return rows
    .map((row: Row) => toStoredEvent(row, sources))
    .filter((event) => event !== undefined)
    .sort(compareEvents);
}

/** How often each process row tells of acknowledgements and of handler returns. */
export async function readHabits(file: CaseFile): Promise<Map<number, { acks: number; returns: number }>> {
  const rows = await file.query(`
    SELECT process, count(*) FILTER (kind IN (${codes('acknowledged')})) AS acks,
      count(*) FILTER (kind IN (${codes('handler-returned')})) AS returns
    FROM ev WHERE process <> 0 GROUP BY process`);
  return new Map(rows.map((row) => [Number(row.process), { acks: Number(row.acks), returns: Number(row.returns) }]));
}

/** Queues that the lines of each worker name, by worker id; `ids` in the order of worker numbers. */
export async function readQueuesOfWorkers(file: CaseFile, ids: readonly string[]): Promise<Map<string, Set<string>>> {
  const rows = await file.query(`
    SELECT DISTINCT w.worker, s.text FROM ev e JOIN strings s ON s.id = e.q AND e.q <> 0
    JOIN worker_of w ON w.process = e.process AND e.line >= w.from_line AND e.line < w.to_line`);
  const queues = new Map<string, Set<string>>();
  for (const row of rows) {
    const id = ids[Number(row.worker)];
    if (id !== undefined) queues.set(id, (queues.get(id) ?? new Set()).add(String(row.text)));
  }
  return queues;
}
