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

/**
 * Takes the census of one source in the order of its rows. `zone`: of times that name none.
 * @throws what DuckDB throws where its reader cannot make rows of the source.
 */
export async function takeCensus(
  file: CaseFile,
  source: number,
  { from, key, scope, queue, job, state, later, atMs }: CensusRelation,
  zone: string,
): Promise<number> {
  await file.run(`SET TimeZone = '${zone.replaceAll("'", "''")}'`);
  try {
    await file.run(`
      INSERT INTO census SELECT ${source}, ${identSql(scope, queue, key)}, ${jobSql(queue, job)},
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
const KEYS_IN_BUCKET = 1_000_000;

/**
 * Makes `repeated_keys` (those that stand more than once) and `interesting`: keys that stand more than once, were begun and not ended, or are named by the evidence. Grouping goes
 * bucket by bucket, so that memory does not follow the number of keys. Needs `ev_jobs` and `finding_jobs`.
 */
export async function findInteresting(file: CaseFile): Promise<{ readonly unfinishedLeftOut: number }> {
  const rows = Number((await file.query('SELECT count(*) AS n FROM census'))[0]?.n);
  const buckets = Math.max(1, Math.ceil(rows / KEYS_IN_BUCKET));
  await file.run('CREATE OR REPLACE TEMP TABLE repeated_keys (h UBIGINT)');
  for (let bucket = 0; bucket < buckets; bucket++)
    await file.run(
      `INSERT INTO repeated_keys SELECT h FROM census WHERE h % ${buckets} = ${bucket} GROUP BY h HAVING count(*) > 1`,
    );
  const begun = `FROM census c JOIN record_stores s ON s.source = c.source AND s.tells_end WHERE c.state = ${stateCode('begun')} AND c.h IS NOT NULL`;
  await file.run('CREATE OR REPLACE TEMP TABLE interesting AS FROM repeated_keys');
  await file.run(`INSERT INTO interesting SELECT c.h ${begun} ORDER BY c.source, c.rowid LIMIT ${MOST_UNFINISHED}`);
  await file.run(`
    INSERT INTO interesting SELECT h FROM census WHERE h IS NOT NULL AND j IN (SELECT j FROM finding_jobs);
    INSERT INTO interesting SELECT c.h FROM census c JOIN ev_jobs e USING (j) WHERE c.h IS NOT NULL AND e.outcome IS NOT NULL
      AND ((c.state = ${stateCode('ended')} AND e.outcome <> 'completed') OR (c.state = ${stateCode('failed')} AND e.outcome = 'completed'));
    INSERT INTO interesting SELECT h FROM unexecuted;
    CREATE OR REPLACE TEMP TABLE interesting AS SELECT DISTINCT h FROM interesting`);
  const all = Number((await file.query(`SELECT count(DISTINCT c.h) AS n ${begun}`))[0]?.n);
  return { unfinishedLeftOut: Math.max(0, all - MOST_UNFINISHED) };
}

/** Numbers of the rows of a source that are worth reading whole, rising: those of interesting keys, and one of each queue. */
export async function wantedRows(file: CaseFile, source: number): Promise<Float64Array> {
  const first = Number((await file.query(`SELECT min(rowid) AS n FROM census WHERE source = ${source}`))[0]?.n ?? 0);
  const wanted: number[] = [];
  const sql = `
    SELECT CAST(rowid - ${first} + 1 AS DOUBLE) AS nr FROM census WHERE source = ${source}
      AND (h IN (FROM interesting) OR rowid IN (SELECT min(rowid) FROM census WHERE source = ${source} GROUP BY q ORDER BY 1 LIMIT 1000))
    ORDER BY rowid`;
  for await (const rows of file.stream(sql)) for (const row of rows) wanted.push(Number(row.nr));
  return Float64Array.from(wanted);
}

/** Kept rows of a source whose key is not that of the census row with their number: then the two readers do not agree. */
export async function countMismatches(file: CaseFile, source: number): Promise<number> {
  const rows = await file.query(`
    SELECT count(*) AS n FROM record_rows r
    LEFT JOIN census c ON c.source = ${source} AND c.rowid = (SELECT min(rowid) FROM census WHERE source = ${source}) + r.nr - 1
    WHERE r.source = ${source} AND r.nr > 0 AND c.h IS DISTINCT FROM ${identSql('r.scope', 'r.queue', 'r.key')}`);
  return Number(rows[0]?.n);
}
