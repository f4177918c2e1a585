/**
 * The case file: everything understood from the evidence, in one embedded DuckDB database.
 *
 * It is the seam between reading and judging: a kept case file can take more evidence later, be queried with SQL by any
 * DuckDB client, and be diagnosed again without the evidence. A source that was not finished (the process died) is dropped
 * whole when the file is opened again.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import type { Damage, EvidenceSink, ReadReport } from '../model/evidence.js';
import { createEvidenceWriter } from './evidence-writer.js';
import { createInterner } from './interner.js';
import { mergeCase } from './merge-case.js';
import { createParcelReceiver } from './parcels.js';
import type { TableWriter } from './table-writer.js';
import { CASE_VERSION, type Columns, forRowTables, schemaSql, TABLES, TABLES_BY_SOURCE } from './tables.js';

/** One source as the intake hands it over when it is through. */
export interface FinishedSource {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly report: ReadReport;
  readonly damage: readonly Damage[];
  /** The content equals an earlier source: what was taken from it is dropped. */
  readonly skipped?: 'same-content';
}

export type Row = Record<string, DuckDBValue>;

export interface CaseFile {
  /** True when a finished source of this content is in the case. */
  has(sha256: string): boolean;
  begin(source: { readonly path: string }): Promise<EvidenceSink>;
  finish(source: FinishedSource): Promise<void>;
  /** Rows of a query as objects; text as strings, numbers as numbers, BIGINT as bigint. */
  query(sql: string): Promise<Row[]>;
  /** The same in batches, for results too large to hold. Nothing else may be asked before the last one. */
  stream(sql: string): AsyncIterable<readonly Row[]>;
  /** Runs statements without a result. */
  run(sql: string): Promise<void>;
  /** Opens a table that `run` made for appending; the caller closes it. */
  append(table: string, columns: Columns): Promise<TableWriter>;
  close(): Promise<void>;
}

/** Thrown when a file is not a case file that can be used; the message is for the user. */
export class CaseFileError extends Error {
  /** The file, as it was named; absent for a temporary one. */
  readonly path: string | undefined;

  constructor(message: string, path?: string) {
    super(message);
    this.path = path;
  }
}

export interface CaseFileOptions {
  /** Kept here, and made where it does not exist; absent: a temporary file that `close` removes. */
  readonly path?: string | undefined;
  /** Case files whose sources are taken in first. They stay as they are. */
  readonly from?: readonly string[] | undefined;
}

/**
 * Opens a case file.
 *
 * @throws CaseFileError when a file is no DuckDB database, belongs to something else, or is in use by another process.
 */
export async function openCaseFile({ path, from = [] }: CaseFileOptions = {}): Promise<CaseFile> {
  const file = path ?? join(tmpdir(), `bullmortem-${randomUUID()}.duckdb`);
  const removeTemporary = (): void => {
    // DuckDB puts what does not fit into memory into a folder beside the file.
    if (path === undefined)
      for (const suffix of ['', '.wal', '.tmp']) rmSync(`${file}${suffix}`, { force: true, recursive: true });
  };
  // Evidence must not stay behind, however the process ends.
  process.once('exit', removeTemporary);
  try {
    return await openFile(file, path, from, removeTemporary);
  } catch (error) {
    removeTemporary();
    process.off('exit', removeTemporary);
    throw error;
  }
}

/** DuckDB fetches extensions for files of other programs from the network; nothing here may. */
const OPTIONS = {
  threads: '2',
  memory_limit: '512MB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
} as const;

async function openFile(
  file: string,
  path: string | undefined,
  from: readonly string[],
  removeTemporary: () => void,
): Promise<CaseFile> {
  // An empty file is what mktemp makes to hold a name; DuckDB wants to make the file itself.
  if (existsSync(file) && statSync(file).size === 0) rmSync(file);
  const existed = existsSync(file);
  // Loaded when it is needed: it takes longer than all else of a start.
  const { duckdb } = await import('./duckdb.js');
  const instance = await duckdb.DuckDBInstance.create(file, OPTIONS).catch((error: Error) => {
    const where =
      path === undefined ? `a temporary file in ${tmpdir()} (TMPDIR names another folder)` : `the case file ${path}`;
    throw new CaseFileError(`cannot open ${where}: ${firstLine(error).replaceAll(file, path ?? file)}`, path);
  });
  try {
    const connection = await instance.connect();
    if (existed && path !== undefined) await checkIsCase(connection, 'main', path);
    await connection.run(schemaSql());
    for (const other of from) await takeCase(connection, other);
    return await prepareCase(instance, connection, removeTemporary);
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

const firstLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split('\n')[0] ?? '';

/** Takes in the sources of a case file that nobody writes to, and leaves it as it is. */
async function takeCase(connection: DuckDBConnection, path: string): Promise<void> {
  try {
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS other (READ_ONLY)`);
  } catch (error) {
    throw new CaseFileError(`cannot open the case file ${path}: ${firstLine(error)}`, path);
  }
  try {
    await checkIsCase(connection, 'other', path);
    await mergeCase(connection);
  } finally {
    await connection.run('DETACH other');
  }
}

/** @throws CaseFileError unless the attached database holds the tables of this version, or nothing at all. */
async function checkIsCase(connection: DuckDBConnection, database: 'main' | 'other', path: string): Promise<void> {
  const schema = database === 'main' ? 'current_database()' : `'${database}'`;
  const ask = async (sql: string): Promise<readonly DuckDBValue[][]> => (await connection.runAndReadAll(sql)).getRows();
  const tables = new Set(
    (await ask(`SELECT table_name FROM duckdb_tables() WHERE database_name = ${schema}`)).map(([name]) => name),
  );
  if (tables.size === 0 && database === 'main') return;
  if (!tables.has('bullmortem_case'))
    throw new CaseFileError(
      `${path} is a DuckDB database of something else; ${database === 'main' ? 'name another file for --case' : 'leave it out'}`,
      path,
    );
  const [row] = await ask(`SELECT version FROM ${database}.bullmortem_case`);
  const version = Number(row?.[0]);
  if (version !== CASE_VERSION)
    throw new CaseFileError(
      `${path} was written by another version of bullmortem (case version ${version}, this one writes ${CASE_VERSION}); make a new one`,
      path,
    );
  const lacking = Object.keys(TABLES).filter((table) => !tables.has(table));
  if (lacking.length > 0)
    throw new CaseFileError(`${path} lacks tables of a case file (${lacking.join(', ')}); make a new one`, path);
}

async function prepareCase(
  instance: DuckDBInstance,
  connection: DuckDBConnection,
  removeTemporary: () => void,
): Promise<CaseFile> {
  const query = async (sql: string): Promise<Row[]> => (await connection.runAndReadAll(sql)).getRowObjects() as Row[];

  const dropSource = async (id: number): Promise<void> => {
    for (const table of TABLES_BY_SOURCE) await connection.run(`DELETE FROM ${table} WHERE source = ${id}`);
    await connection.run(`DELETE FROM sources WHERE id = ${id}`);
  };
  // What was read for a job that is asked for now belongs to the source as it stands in the case already.
  const adoptWrites = async (id: number, sha256: string): Promise<void> => {
    const known = await connection.runAndReadAll('SELECT id FROM sources WHERE complete AND sha256 = $1', [sha256]);
    const [row] = known.getRowObjects();
    if (row === undefined) return;
    await connection.run('DELETE FROM writes WHERE source = $1 AND job IN (SELECT job FROM writes WHERE source = $2)', [
      Number(row.id),
      id,
    ]);
    await connection.run('UPDATE writes SET source = $1 WHERE source = $2', [Number(row.id), id]);
  };
  for (const row of await query('SELECT id FROM sources WHERE NOT complete')) await dropSource(Number(row.id));

  const { openTableWriter } = await import('./table-writer.js');
  const writers = await forRowTables((table) => openTableWriter(connection, table, TABLES[table]));
  const interner = createInterner(writers.strings);
  for (const row of await query('SELECT id, text FROM strings')) interner.adopt(Number(row.id), String(row.text));
  const hashes = new Set((await query('SELECT sha256 FROM sources')).map((row) => String(row.sha256)));
  let lastSource = Number((await query('SELECT coalesce(max(id), 0) AS n FROM sources'))[0]?.n);
  let lastProcess = Number((await query('SELECT coalesce(max(id), 0) AS n FROM processes'))[0]?.n);
  const nextProcessId = (): number => ++lastProcess;
  let current: { id: number; events: () => number } | undefined;
  const flush = (): void => {
    for (const writer of Object.values(writers)) writer.flush();
  };

  return {
    has: (sha256) => hashes.has(sha256),
    async begin({ path: sourcePath }) {
      const id = ++lastSource;
      await connection.run('INSERT INTO sources VALUES ($1, $2, NULL, 0, NULL, false)', [id, sourcePath]);
      const writer = createEvidenceWriter(id, writers, interner, nextProcessId);
      const receive = createParcelReceiver(id, writers, interner, nextProcessId);
      let adopted = 0;
      current = { id, events: () => writer.events() + adopted };
      return {
        ...writer,
        adopt(parcel) {
          if (parcel.table === 'events') adopted += parcel.rows;
          receive(parcel);
        },
      };
    },
    async finish(source) {
      if (current === undefined) return;
      const { id, events } = current;
      current = undefined;
      flush();
      if (source.skipped !== undefined) {
        await adoptWrites(id, source.sha256);
        await dropSource(id);
        return;
      }
      hashes.add(source.sha256);
      const report = JSON.stringify({ ...source.report, damage: source.damage, events: events() });
      await connection.run('UPDATE sources SET sha256 = $2, bytes = $3, report = $4, complete = true WHERE id = $1', [
        id,
        source.sha256,
        source.bytes,
        report,
      ]);
    },
    query,
    async *stream(sql) {
      for await (const rows of (await connection.stream(sql)).yieldRowObjects()) yield rows;
    },
    async run(sql) {
      await connection.run(sql);
    },
    append: (table, columns) => openTableWriter(connection, table, columns),
    async close() {
      try {
        for (const writer of Object.values(writers)) writer.close();
      } finally {
        connection.closeSync();
        instance.closeSync();
        removeTemporary();
        process.off('exit', removeTemporary);
      }
    },
  };
}
