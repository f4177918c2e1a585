/** A few numbers of every record, and which records are worth reading whole. */
import type { CaseFile } from '../casefile/case-file.js';
import { identSql, jobSql, stateCode } from './tables.js';

/** A table that DuckDB reads by itself, as SQL expressions over the rows of `from`. */
export interface CensusRelation {
  readonly from: string;
  readonly key: string;
  readonly scope: string;
  readonly queue: string;
  readonly job: string;
  readonly state: string;
  /** Whether the row is of a later attempt than the first. */
  readonly later: string;
  readonly atMs: string;
}

/** What the census is taken for. */
export interface CensusOptions {
  /** Zone of times that name none. */
  readonly zone: string;
  /** There is evidence to compare jobs with. */
  readonly withJobs: boolean;
}

/**
 * Takes the census of one source in the order of its rows.
 * @throws what DuckDB throws where its reader cannot make rows of the source.
 */
export async function takeCensus(
  file: CaseFile,
  source: number,
  { from, key, scope, queue, job, state, later, atMs }: CensusRelation,
  { zone, withJobs }: CensusOptions,
): Promise<number> {
  await file.run(`SET TimeZone = '${zone.replaceAll("'", "''")}'`);
  try {
    await file.run(`
      INSERT INTO census SELECT ${source}, ${identSql(scope, queue, key)}, ${withJobs ? jobSql(queue, job) : 'NULL'},
        CASE WHEN ${queue} IS NOT NULL THEN hash(${queue}) ELSE 0 END, ${state}, ${later}, ${atMs} FROM ${from}`);
  } finally {
    await file.run("SET TimeZone = 'UTC'");
  }
  return countRows(file, source);
}

/** The census of rows that DuckDB's reader did not see: those with the number 0. */
export async function takeCensusOfKept(file: CaseFile, source: number): Promise<void> {
  await file.run(`
    INSERT INTO census SELECT source, ${identSql('scope', 'queue', 'key')}, ${jobSql('queue', 'job')},
      CASE WHEN queue IS NOT NULL THEN hash(queue) ELSE 0 END, state, coalesce(attempt > 1, false), coalesce(started, completed)
    FROM record_rows WHERE source = ${source} AND nr = 0`);
}

export async function forgetSource(file: CaseFile, source: number): Promise<void> {
  await file.run(`DELETE FROM census WHERE source = ${source}; DELETE FROM record_rows WHERE source = ${source}`);
}

export async function countRows(file: CaseFile, source: number): Promise<number> {
  return Number((await file.query(`SELECT count(*) AS n FROM census WHERE source = ${source}`))[0]?.n);
}

/** Keys that were only begun and stand once are listed up to so many; all of them are counted. */
export const MOST_UNFINISHED = 100_000;
/** Queues of which one row is read for their name. */
const MOST_QUEUES = 1000;

/**
 * Makes `repeated_keys` (those that stand more than once) and `wanted_rows`: the rows of keys that stand more than once, were begun
 * and not ended, or are named by the evidence, and one row of each queue. Needs `ev_jobs`, `finding_jobs` and `unexecuted`.
 */
export async function findInteresting(
  file: CaseFile,
  hasEvidence: boolean,
): Promise<{ readonly unfinishedLeftOut: number }> {
  await file.run(
    'CREATE OR REPLACE TEMP TABLE repeated_keys AS SELECT h FROM census WHERE h IS NOT NULL GROUP BY h HAVING count(*) > 1',
  );
  const begun = `FROM census c WHERE c.state = ${stateCode('begun')} AND c.h IS NOT NULL`;
  await file.run(`
    CREATE OR REPLACE TEMP TABLE interesting AS FROM repeated_keys;
    INSERT INTO interesting SELECT c.h ${begun} ORDER BY c.source, c.rowid LIMIT ${MOST_UNFINISHED}`);
  if (hasEvidence) await file.run(OF_EVIDENCE);
  await file.run(`
    CREATE OR REPLACE TEMP TABLE first_rows AS SELECT source, min(rowid) AS id FROM census GROUP BY source;
    CREATE OR REPLACE TEMP TABLE wanted_rows AS
    SELECT source, rowid AS id, h, q FROM census WHERE h IN (SELECT DISTINCT h FROM interesting)
    UNION (SELECT source, min(rowid) AS id, arg_min(h, rowid) AS h, q FROM census GROUP BY source, q ORDER BY id LIMIT ${MOST_QUEUES})`);
  const all = Number((await file.query(`SELECT count(DISTINCT c.h) AS n ${begun}`))[0]?.n);
  return { unfinishedLeftOut: Math.max(0, all - MOST_UNFINISHED) };
}

const OF_EVIDENCE = `
  INSERT INTO interesting SELECT h FROM census WHERE h IS NOT NULL AND j IN (SELECT j FROM finding_jobs);
  INSERT INTO interesting SELECT c.h FROM census c JOIN ev_jobs e USING (j) WHERE c.h IS NOT NULL AND e.outcome IS NOT NULL
    AND ((c.state = ${stateCode('ended')} AND e.outcome <> 'completed') OR (c.state = ${stateCode('failed')} AND e.outcome = 'completed'));
  INSERT INTO interesting SELECT h FROM unexecuted`;

/** Numbers of the rows of a source that are worth reading whole, rising. */
export async function wantedRows(file: CaseFile, source: number): Promise<Float64Array> {
  const wanted: number[] = [];
  const sql = `
    SELECT CAST(w.id - f.id + 1 AS DOUBLE) AS nr FROM wanted_rows w JOIN first_rows f USING (source)
    WHERE source = ${source} ORDER BY nr`;
  for await (const rows of file.stream(sql)) for (const row of rows) wanted.push(Number(row.nr));
  return Float64Array.from(wanted);
}

/** Kept rows of a source whose key is not that of the census row with their number: then the two readers do not agree. */
export async function countMismatches(file: CaseFile, source: number): Promise<number> {
  const rows = await file.query(`
    SELECT count(*) AS n FROM record_rows r JOIN first_rows f USING (source)
    LEFT JOIN wanted_rows w ON w.source = r.source AND w.id = f.id + r.nr - 1
    WHERE r.source = ${source} AND r.nr > 0 AND w.h IS DISTINCT FROM ${identSql('r.scope', 'r.queue', 'r.key')}`);
  return Number(rows[0]?.n);
}
