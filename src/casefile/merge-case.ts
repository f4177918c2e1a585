/**
 * Takes the sources of another case file in, so that what many machines read is judged as one. A source that is there
 * already (the same bytes) is left out, and one that was not finished.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Columns, type ColumnType, ROW_TABLES, TABLES } from './tables.js';

/**
 * From the database attached as `other`, a case file of this version. Numbers of strings, processes and sources are those of
 * their case file; they get new ones behind the largest here.
 */
export async function mergeCase(connection: DuckDBConnection): Promise<void> {
  await connection.run('BEGIN');
  await connection.run(NUMBERS);
  for (const table of ROW_TABLES.filter((name) => name !== 'strings')) await connection.run(takeRows(table));
  await connection.run(
    'INSERT INTO sources SELECT n.new, s.* EXCLUDE (id) FROM other.sources s JOIN source_numbers n ON n.old = s.id',
  );
  await connection.run('COMMIT');
}

const NUMBERS = `
CREATE OR REPLACE TEMP TABLE source_numbers AS
  SELECT id AS old, (SELECT coalesce(max(id), 0) FROM sources) + row_number() OVER (ORDER BY id) AS "new"
  FROM other.sources WHERE complete AND sha256 NOT IN (SELECT sha256 FROM sources WHERE complete);
CREATE OR REPLACE TEMP TABLE string_numbers AS
  SELECT o.id AS old, m.id AS "new", o.text FROM other.strings o LEFT JOIN strings m ON m.text = o.text;
UPDATE string_numbers SET "new" = fresh."new" FROM (
  SELECT old, (SELECT coalesce(max(id), 0) FROM strings) + row_number() OVER (ORDER BY old) AS "new"
  FROM string_numbers WHERE "new" IS NULL
) fresh WHERE fresh.old = string_numbers.old;
INSERT INTO strings SELECT "new", text FROM string_numbers WHERE "new" NOT IN (SELECT id FROM strings);
CREATE OR REPLACE TEMP TABLE process_shift AS SELECT coalesce(max(id), 0) AS n FROM processes;
`;

/** The rows of a table that belong to the sources taken, in their order. */
function takeRows(table: (typeof ROW_TABLES)[number]): string {
  const columns: Columns = TABLES[table];
  const joins: string[] = [];
  const numberOf = (column: string, type: ColumnType): string => {
    const cell = `r."${column}"`;
    if (column === 'source') return 'n."new"';
    if (type === 'PROCESS' || (table === 'processes' && column === 'id'))
      return `if(${cell} = 0, 0, ${cell} + (SELECT n FROM process_shift))`;
    if (type !== 'STRING' && type !== 'JOB') return cell;
    joins.push(`LEFT JOIN string_numbers "s_${column}" ON "s_${column}".old = ${type === 'JOB' ? '-' : ''}${cell}`);
    return type === 'JOB' ? `if(${cell} < 0, -"s_${column}"."new", ${cell})` : `coalesce("s_${column}"."new", 0)`;
  };
  const cells = columns.map(([column, type]) => numberOf(column, type));
  return `INSERT INTO ${table} SELECT ${cells.join(', ')} FROM other.${table} r
    JOIN source_numbers n ON n.old = r.source ${joins.join(' ')} ORDER BY r.rowid`;
}
