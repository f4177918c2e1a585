/**
 * Pairs of records that bound `worker clock − Redis clock`, because one of the two must have come before the other.
 *
 * high (the worker wrote after Redis): a start line after the activation, the worker's `completed`, `failed` and `stalled` lines
 * after the entry in the stream, `finishedOn` after the activation.
 * low (the worker's time was taken before Redis wrote): a return line before the completion, `processedOn` before the
 * activation, `finishedOn` before the completion. Both fields hold the worker's own time (BullMQ, all versions).
 */
import type { Ref } from '../model/analysis.js';
import { EVENT_KINDS, type EventKind, PRECISIONS } from '../model/event.js';
import { lineAt } from '../model/place.js';
import type { CaseFile, Row } from './case-file.js';

const code = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);
const codes = (...kinds: EventKind[]): string => kinds.map(code).join(', ');

/** A time printed to the second lies up to 999 ms later than printed. */
const LATEST = `t + CASE WHEN prec = ${PRECISIONS.indexOf('s')} THEN 999 ELSE 0 END`;
const TIMED = `prec <> ${PRECISIONS.indexOf('none')} AND t IS NOT NULL`;

/**
 * When Redis recorded what of a job, once for each job. An id is exact; MONITOR's time of the command stands in where there is
 * no id. `simple` jobs ran once and lost nothing; all starts of `whole` ones stand in the stream.
 */
export const CLOCK_POINTS = `
  SELECT q, job, ${(['active', 'completed', 'failed', 'stalled'] as const)
    .map((kind) => {
      const first = (filter: string): string => `min(t) FILTER (kind = ${code(kind)}${filter})`;
      return `coalesce(${first(' AND by_id')}, ${first('')}) AS ${kind}`;
    })
    .join(', ')},
    any_value(s.activations = 1 AND s.lock_errors = 0 AND s.stalls = 0 AND s.log_moves = 0) AS simple,
    any_value(s.adds = 1 AND s.activations = 1 AND s.completions = 1) AS once,
    any_value(s.starts <= s.activations) AS whole, any_value(s.stalls = 1 AND s.stall_notices = 1) AS stalled_once
  FROM (SELECT e.q, e.job, e.kind, e.t, (s.report->>'format') <> 'monitor' AS by_id FROM ev e JOIN sources s ON s.id = e.source
    WHERE e.clock = 0 AND e.job IS NOT NULL AND e.kind IN (${codes('active', 'completed', 'failed', 'stalled')}))
  JOIN job_summary s USING (q, job) GROUP BY q, job`;

/**
 * Which pairs count, on each side of a process: those of its lines; else lines of jobs some of whose starts Redis does not show;
 * else what the process stamped into the job, because a log's times may come from another clock.
 */
const STAMPED = 2;

const PAIRS = `
  WITH points AS MATERIALIZED (${CLOCK_POINTS}),
  lines AS MATERIALIZED (
    SELECT e.process, e.source, e.line, e.off, e.kind, e.t, e.prec, p.* FROM ev e JOIN points p USING (q, job)
    WHERE e.clock = 1 AND ${TIMED}
      AND e.kind IN (${codes('handler-started', 'handler-returned', 'acknowledged', 'attempt-failed', 'stalled-notice')})
  ), stamped AS MATERIALIZED (
    SELECT l.process, l.source, l.line, l.off, l.active, l.completed, f.processed_on, f.finished_on
    FROM lines l JOIN job_facts f ON f.queue = l.q AND f.job = l.job
    WHERE l.kind = ${code('handler-started')} AND l.simple AND l.once
  )
  SELECT process, source, line, off, side, ms, tier FROM (
    SELECT process, source, line, off, 'high' AS side, ${LATEST} - active AS ms, CASE WHEN whole THEN 0 ELSE 1 END AS tier FROM lines
      WHERE kind = ${code('handler-started')}
    UNION ALL SELECT process, source, line, off, 'high', ${LATEST} - completed, 0 FROM lines WHERE simple AND kind = ${code('acknowledged')}
    UNION ALL SELECT process, source, line, off, 'high', ${LATEST} - failed, 0 FROM lines WHERE simple AND kind = ${code('attempt-failed')}
    UNION ALL SELECT process, source, line, off, 'high', ${LATEST} - stalled, 0 FROM lines WHERE stalled_once AND kind = ${code('stalled-notice')}
    UNION ALL SELECT process, source, line, off, 'low', t - completed, 0 FROM lines WHERE simple AND kind = ${code('handler-returned')}
    UNION ALL SELECT process, source, line, off, 'high', finished_on - active, ${STAMPED} FROM stamped
    UNION ALL SELECT process, source, line, off, 'low', processed_on - active, ${STAMPED} FROM stamped
    UNION ALL SELECT process, source, line, off, 'low', finished_on - completed, ${STAMPED} FROM stamped
  ) WHERE ms IS NOT NULL`;

/** The tightest pair on one side; `ref` is the worker's record of it. */
export interface StoredBound {
  readonly process: number;
  readonly side: 'low' | 'high';
  readonly ms: number;
  readonly ref: Ref;
  readonly pairs: number;
  /** Of what the process stamped into jobs, not of its lines. */
  readonly stamped: boolean;
}

/** Order of pairs from the tightest, whatever their side; the place decides ties. */
const TIGHTEST = "(CASE WHEN side = 'high' THEN ms ELSE -ms END, path, line)";

const toBound = (row: Row): StoredBound => ({
  process: Number(row.process),
  side: row.side === 'low' ? 'low' : 'high',
  ms: Number(row.ms),
  ref: {
    source: String(row.path),
    line: lineAt(Number(row.line)),
    ...(row.off !== undefined && row.off !== null && Number(row.off) >= 0 ? { offset: Number(row.off) } : {}),
  },
  pairs: Number(row.pairs),
  stamped: row.stamped === true,
});

/** For each process row, the tightest pair on either side, of those that count. */
export async function readClockBounds(file: CaseFile): Promise<StoredBound[]> {
  await file.run(`
    CREATE OR REPLACE TEMP VIEW clock_pairs AS
      SELECT p.*, s.path FROM (SELECT *, min(tier) OVER (PARTITION BY process, side) AS best FROM (${PAIRS})) p
      JOIN sources s ON s.id = p.source WHERE p.tier = p.best`);
  const rows = await file.query(`
    SELECT process, side, count(*) AS pairs, min(tier) = ${STAMPED} AS stamped, arg_min(ms, ${TIGHTEST}) AS ms,
      arg_min(path, ${TIGHTEST}) AS path, arg_min(line, ${TIGHTEST}) AS line, arg_min(off, ${TIGHTEST}) AS off
    FROM clock_pairs GROUP BY process, side ORDER BY process, side`);
  return rows.map(toBound);
}

/** A stretch of one process' lines over which one offset fits all pairs. */
export interface StoredStretch {
  readonly process: number;
  readonly source: string;
  /** Places (`model/place.ts`): the first, and that behind the last one. */
  readonly fromLine: number;
  readonly toLine: number;
  readonly low?: StoredBound;
  readonly high?: StoredBound;
}

/** Joins a table of records with the workers that they are of. */
const OF_WORKER = (name: string): string => `JOIN worker_of w ON w.process = ${name}.process
  AND ${name}.line >= w.from_line AND ${name}.line < w.to_line`;

/** Of a clock that changes more often nothing is said from there on. */
const MAX_STRETCHES = 100;
const [START_LINE, END_LINE] = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * Cuts the lines of a process row, as far as they are of one worker, at `cuts` and where a pair contradicts those before it by more
 * than `toleranceMs`. Needs `readClockBounds` and `storeWorkers`.
 */
export async function readStretches(
  file: CaseFile,
  worker: number,
  process: number,
  toleranceMs: number,
  cuts: readonly number[],
): Promise<StoredStretch[]> {
  await file.run(
    `CREATE OR REPLACE TEMP TABLE own_pairs AS SELECT p.process, side, ms, path, line FROM clock_pairs p ${OF_WORKER('p')}
     WHERE w.worker = ${worker} AND p.process = ${process} AND tier < ${STAMPED}`,
  );
  const source = await readSource(file, process);
  const stretches: StoredStretch[] = [];
  let fromLine = START_LINE;
  while (stretches.length < MAX_STRETCHES) {
    const toLine = Math.min(await readBreak(file, fromLine, toleranceMs), ...cuts.filter((line) => line > fromLine));
    const rows = await file.query(`
      SELECT ${process} AS process, side, count(*) AS pairs, false AS stamped, arg_min(ms, ${TIGHTEST}) AS ms,
        arg_min(path, ${TIGHTEST}) AS path, arg_min(line, ${TIGHTEST}) AS line
      FROM own_pairs WHERE line >= ${fromLine} AND line < ${toLine} GROUP BY side`);
    const bounds = rows.map(toBound);
    const [low, high] = [bounds.find(({ side }) => side === 'low'), bounds.find(({ side }) => side === 'high')];
    stretches.push({
      process,
      source,
      fromLine,
      toLine,
      ...(low ? { low } : {}),
      ...(high ? { high } : {}),
    });
    if (toLine === END_LINE) return stretches;
    fromLine = toLine;
  }
  return [...stretches, { process, source, fromLine, toLine: END_LINE }];
}

async function readSource(file: CaseFile, process: number): Promise<string> {
  const rows = await file.query(
    `SELECT s.path FROM processes p JOIN sources s ON s.id = p.source WHERE p.id = ${process}`,
  );
  return String(rows[0]?.path);
}

/** The first line whose pairs do not fit those before it. */
async function readBreak(file: CaseFile, fromLine: number, toleranceMs: number): Promise<number> {
  const rows = await file.query(`
    SELECT min(line) AS line FROM (
      SELECT line, max(ms) FILTER (side = 'low') OVER so_far AS low, min(ms) FILTER (side = 'high') OVER so_far AS high
      FROM own_pairs WHERE line >= ${fromLine} WINDOW so_far AS (ORDER BY line RANGE UNBOUNDED PRECEDING)
    ) WHERE low > high + ${toleranceMs}`);
  const line = rows[0]?.line;
  // A single line that contradicts itself must not stop the cutting.
  return line === null || line === undefined ? END_LINE : Number(line) > fromLine ? Number(line) : END_LINE;
}

/** The last line before `beforeLine` that does not fit an offset within the bounds; the clock changed behind it. */
export async function readLastMisfit(
  file: CaseFile,
  fromLine: number,
  beforeLine: number,
  { low, high }: { readonly low?: number | undefined; readonly high?: number | undefined },
): Promise<number | undefined> {
  const misfits = [
    ...(high === undefined ? [] : [`(side = 'low' AND ms > ${high})`]),
    ...(low === undefined ? [] : [`(side = 'high' AND ms < ${low})`]),
  ];
  if (misfits.length === 0) return undefined;
  const rows = await file.query(`
    SELECT max(line) AS line FROM own_pairs WHERE line >= ${fromLine} AND line < ${beforeLine}
      AND (${misfits.join(' OR ')})`);
  const line = rows[0]?.line;
  return line === null || line === undefined ? undefined : Number(line);
}

/** Two lines of one process, one behind the other, of which the second is the earlier by its time. */
export interface StoredSetback {
  /** Worker number. */
  readonly worker: number;
  readonly process: number;
  readonly ms: number;
  readonly after: Ref;
  readonly before: Ref;
  /** Place of the second line. */
  readonly place: number;
}

/** Where the time that a process prints goes back by more than `minMs`. Sources whose lines stand in no order are left out. */
export async function readSetbacks(file: CaseFile, minMs: number): Promise<StoredSetback[]> {
  const rows = await file.query(`
    WITH lines AS (
      SELECT process, source, line, off, t, lag(t) OVER own AS t_before, lag(line) OVER own AS line_before FROM ev
      WHERE clock = 1 AND ${TIMED} WINDOW own AS (PARTITION BY process, source ORDER BY line)
    ), ordered AS (
      SELECT process, source FROM lines GROUP BY process, source
      HAVING count(*) FILTER (t < t_before) * 2 <= count(*) FILTER (t > t_before)
    )
    SELECT w.worker, l.process, s.path, l.line, l.line_before, l.t_before - l.t AS ms FROM lines l
    JOIN ordered USING (process, source) JOIN sources s ON s.id = l.source ${OF_WORKER('l')}
    WHERE l.t_before - l.t > ${minMs} ORDER BY s.path, l.line LIMIT 1000`);
  return rows.map((row) => ({
    worker: Number(row.worker),
    process: Number(row.process),
    ms: Number(row.ms),
    after: { source: String(row.path), line: lineAt(Number(row.line_before)) },
    before: { source: String(row.path), line: lineAt(Number(row.line)) },
    place: Number(row.line),
  }));
}
