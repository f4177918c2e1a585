/**
 * The tables of a case file, as DuckDB stores them.
 *
 * The hot table `events` holds numbers only: text is interned once in `strings` and referred to by id, because columns of
 * text append an order of magnitude slower. Verbatim lines are not stored; they are read again from the source by offset.
 *
 * Job ids that are plain integers below 2^31 (BullMQ's own counter) are stored as themselves in `job`; any other id is
 * stored as the negative of its id in `strings`. No job: NULL. Everywhere else 0 stands for "none".
 */
import { CLOCK_KINDS, EVENT_KINDS, PRECISIONS } from '../model/event.js';
import { QUEUE_SETS } from '../model/fact.js';
import { lineSql } from '../model/place.js';

export const CASE_VERSION = 2;

/** `STRING`, `JOB` and `PROCESS` are the numbers that stand for one: see above. */
export type ColumnType = 'INTEGER' | 'UTINYINT' | 'DOUBLE' | 'VARCHAR' | 'BOOLEAN' | 'STRING' | 'JOB' | 'PROCESS';
export type Columns = readonly (readonly [name: string, type: ColumnType])[];

export const TABLES = {
  sources: [
    ['id', 'INTEGER'],
    ['path', 'VARCHAR'],
    ['sha256', 'VARCHAR'],
    ['bytes', 'DOUBLE'],
    ['report', 'VARCHAR'],
    ['complete', 'BOOLEAN'],
  ],
  strings: [
    ['id', 'INTEGER'],
    ['text', 'VARCHAR'],
  ],
  processes: [
    ['id', 'INTEGER'],
    ['source', 'INTEGER'],
    ['host', 'VARCHAR'],
    ['pid', 'INTEGER'],
    ['name', 'VARCHAR'],
    ['container', 'VARCHAR'],
  ],
  events: [
    ['source', 'INTEGER'],
    // The sequence part of a stream id may pass any integer type but the largest.
    ['line', 'DOUBLE'],
    ['off', 'DOUBLE'],
    ['kind', 'UTINYINT'],
    ['clock', 'UTINYINT'],
    ['prec', 'UTINYINT'],
    ['t', 'DOUBLE'],
    ['queue', 'STRING'],
    ['job', 'JOB'],
    ['process', 'PROCESS'],
    ['token', 'STRING'],
    ['data', 'STRING'],
  ],
  presence: [
    ['source', 'INTEGER'],
    ['process', 'PROCESS'],
    ['from_ms', 'DOUBLE'],
    ['to_ms', 'DOUBLE'],
    ['from_line', 'DOUBLE'],
    ['to_line', 'DOUBLE'],
    ['lines', 'INTEGER'],
  ],
  job_facts: [
    ['source', 'INTEGER'],
    ['queue', 'STRING'],
    ['job', 'JOB'],
    ['off', 'DOUBLE'],
    ['name', 'STRING'],
    ['timestamp', 'DOUBLE'],
    ['processed_on', 'DOUBLE'],
    ['finished_on', 'DOUBLE'],
    ['attempts_started', 'INTEGER'],
    ['attempts_made', 'INTEGER'],
    ['stalled_counter', 'INTEGER'],
    ['max_attempts', 'INTEGER'],
    ['processed_by', 'STRING'],
    ['failed_reason', 'STRING'],
    ['deferred_failure', 'STRING'],
    ['progress', 'STRING'],
    ['has_return_value', 'BOOLEAN'],
    ['parent_key', 'STRING'],
  ],
  members: [
    ['source', 'INTEGER'],
    ['queue', 'STRING'],
    ['job', 'JOB'],
    ['off', 'DOUBLE'],
    ['set', 'UTINYINT'],
    ['score', 'DOUBLE'],
  ],
  locks: [
    ['source', 'INTEGER'],
    ['queue', 'STRING'],
    ['job', 'JOB'],
    ['off', 'DOUBLE'],
    ['token', 'STRING'],
    ['expires_at', 'DOUBLE'],
  ],
  streams: [
    ['source', 'INTEGER'],
    ['queue', 'STRING'],
    ['off', 'DOUBLE'],
    ['length', 'DOUBLE'],
    ['first_id', 'VARCHAR'],
    ['last_id', 'VARCHAR'],
    ['entries_added', 'DOUBLE'],
    ['max_deleted_id', 'VARCHAR'],
  ],
  meta: [
    ['source', 'INTEGER'],
    ['queue', 'STRING'],
    ['off', 'DOUBLE'],
    ['field', 'VARCHAR'],
    ['value', 'VARCHAR'],
  ],
  snapshots: [
    ['source', 'INTEGER'],
    ['from_ms', 'DOUBLE'],
    ['to_ms', 'DOUBLE'],
    ['redis_version', 'VARCHAR'],
  ],
  /** Moments of transcripts, which show what was asked for and no more; `snapshots` are whole. */
  askings: [
    ['source', 'INTEGER'],
    ['from_ms', 'DOUBLE'],
    ['to_ms', 'DOUBLE'],
  ],
  absences: [
    ['source', 'INTEGER'],
    ['queue', 'STRING'],
    ['job', 'JOB'],
    ['off', 'DOUBLE'],
    ['what', 'VARCHAR'],
    ['while_active', 'BOOLEAN'],
  ],
  counts: [
    ['source', 'INTEGER'],
    ['queue', 'STRING'],
    ['off', 'DOUBLE'],
    ['what', 'VARCHAR'],
    ['n', 'DOUBLE'],
  ],
  server: [
    ['source', 'INTEGER'],
    ['off', 'DOUBLE'],
    ['field', 'VARCHAR'],
    ['value', 'VARCHAR'],
  ],
  connections: [
    ['source', 'INTEGER'],
    ['queue', 'STRING'],
    ['off', 'DOUBLE'],
    ['role', 'VARCHAR'],
    ['name', 'VARCHAR'],
    ['address', 'VARCHAR'],
    ['age_s', 'DOUBLE'],
    ['idle_s', 'DOUBLE'],
    ['command', 'VARCHAR'],
  ],
  // Of the job asked for with --at only.
  writes: [
    ['source', 'INTEGER'],
    ['line', 'DOUBLE'],
    ['off', 'DOUBLE'],
    ['prec', 'UTINYINT'],
    ['t', 'DOUBLE'],
    ['queue', 'STRING'],
    ['job', 'JOB'],
    ['data', 'STRING'],
  ],
  worker_clocks: [
    ['source', 'INTEGER'],
    ['prefix', 'VARCHAR'],
    ['side', 'VARCHAR'],
    ['ms', 'DOUBLE'],
    ['off', 'DOUBLE'],
    ['pairs', 'INTEGER'],
  ],
} as const satisfies Record<string, Columns>;

export type TableName = keyof typeof TABLES;
/** Tables that are filled row by row; the rows of `sources` are changed later. */
export type RowTable = Exclude<TableName, 'sources'>;
export const ROW_TABLES: readonly RowTable[] = (Object.keys(TABLES) as TableName[]).filter(
  (name) => name !== 'sources',
);

/** One thing for each table that is filled row by row. */
export async function forRowTables<T>(
  make: (table: RowTable) => T | Promise<T>,
): Promise<Readonly<Record<RowTable, T>>> {
  const made = ROW_TABLES.map(async (table) => [table, await make(table)] as const);
  return Object.fromEntries(await Promise.all(made)) as Record<RowTable, T>;
}

/** Tables whose rows belong to one source and go with it. */
export const TABLES_BY_SOURCE = (Object.keys(TABLES) as TableName[]).filter((name) =>
  (TABLES[name] as Columns).some(([column]) => column === 'source'),
);

/** The type as DuckDB has it. */
export const storedType = (type: ColumnType): Exclude<ColumnType, 'STRING' | 'JOB' | 'PROCESS'> =>
  type === 'STRING' || type === 'JOB' || type === 'PROCESS' ? 'INTEGER' : type;

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** SQL that makes every table and the views people query; safe to run on a case file that has them. */
export function schemaSql(): string {
  const tables = Object.entries(TABLES).map(
    ([name, columns]) =>
      `CREATE TABLE IF NOT EXISTS ${name} (${(columns as Columns).map(([column, type]) => `"${column}" ${storedType(type)}`).join(', ')});`,
  );
  return `
CREATE TABLE IF NOT EXISTS bullmortem_case (version INTEGER);
INSERT INTO bullmortem_case SELECT ${CASE_VERSION} WHERE NOT EXISTS (FROM bullmortem_case);
${tables.join('\n')}
CREATE TABLE IF NOT EXISTS learned (data INTEGER, kind UTINYINT);
CREATE OR REPLACE MACRO text_of(string_id) AS (SELECT s.text FROM strings s WHERE s.id = string_id);
CREATE OR REPLACE VIEW timeline AS
SELECT
  CASE WHEN e.t IS NULL THEN NULL ELSE make_timestamp_ms(CAST(floor(e.t) AS BIGINT)) END AS "at",
  list_value(${list(PRECISIONS)})[e.prec + 1] AS "precision",
  list_value(${list(CLOCK_KINDS)})[e.clock + 1] AS "clock",
  list_value(${list(EVENT_KINDS)})[coalesce(w.kind, e.kind) + 1] AS "kind",
  q.text AS "queue",
  CASE WHEN e.job >= 0 THEN CAST(e.job AS VARCHAR) ELSE j.text END AS "job",
  p.host, p.pid, p.name AS worker,
  k.text AS token,
  d.text AS data,
  s.path AS source,
  CASE WHEN e.clock = 0 AND (s.report->>'format') <> 'monitor' THEN NULL ELSE ${lineSql('e.line')} END AS line,
  CASE WHEN e.clock = 0 AND (s.report->>'format') <> 'monitor' THEN printf('%d-%d', CAST(e.t AS BIGINT), CAST(e.line AS BIGINT)) END AS entry,
  e.t, e.off AS byte_offset
FROM events e
JOIN sources s ON s.id = e.source
LEFT JOIN learned w ON w.data = e.data AND e.kind IN (${EVENT_KINDS.indexOf('handler-line')}, ${EVENT_KINDS.indexOf('numbered-line')})
LEFT JOIN strings q ON q.id = e.queue
LEFT JOIN strings j ON j.id = -e.job
LEFT JOIN strings k ON k.id = e.token
LEFT JOIN strings d ON d.id = e.data
LEFT JOIN processes p ON p.id = e.process;
CREATE OR REPLACE VIEW jobs AS
SELECT
  q.text AS "queue",
  CASE WHEN f.job >= 0 THEN CAST(f.job AS VARCHAR) ELSE j.text END AS "job",
  n.text AS "name", f.timestamp, f.processed_on, f.finished_on,
  f.attempts_started, f.attempts_made, f.stalled_counter,
  r.text AS failed_reason, s.path AS source
FROM job_facts f
JOIN sources s ON s.id = f.source
LEFT JOIN strings q ON q.id = f.queue
LEFT JOIN strings j ON j.id = -f.job
LEFT JOIN strings n ON n.id = f.name
LEFT JOIN strings r ON r.id = f.failed_reason;
CREATE OR REPLACE VIEW job_states AS
SELECT
  q.text AS "queue",
  CASE WHEN m.job >= 0 THEN CAST(m.job AS VARCHAR) ELSE j.text END AS "job",
  list_value(${list(QUEUE_SETS)})[m.set + 1] AS "state", m.score, s.path AS source
FROM members m
JOIN sources s ON s.id = m.source
LEFT JOIN strings q ON q.id = m.queue
LEFT JOIN strings j ON j.id = -m.job;
`;
}
