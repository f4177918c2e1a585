/**
 * The case file: everything understood from the evidence, in one embedded DuckDB database.
 *
 * It is the seam between reading and judging: a kept case file can take more evidence later, be queried with SQL by any
 * DuckDB client, and be diagnosed again without the evidence. A source that was not finished (the process died) is dropped
 * whole when the file is opened again.
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBInstance, DuckDBValue } from '@duckdb/node-api';
import type { Damage, EvidenceSink, ReadReport } from '../model/evidence.js';
import { duckdb } from './duckdb.js';
import { createEvidenceWriter, type EvidenceWriter, type Writers } from './evidence-writer.js';
import { createInterner } from './interner.js';
import { openTableWriter, type TableWriter } from './table-writer.js';
import { CASE_VERSION, type Columns, schemaSql, TABLES, TABLES_BY_SOURCE, type TableName } from './tables.js';

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

/** Thrown when the file at `path` is not a case file of this program; the message is for the user. */
export class CaseFileError extends Error {}

/**
 * Opens a case file, making it where it does not exist. Without a path it lives in a temporary file that `close` removes.
 * `readOnly` works on a copy, so that the file given stays as it is.
 *
 * @throws CaseFileError when the file is no DuckDB database, belongs to something else, or is in use by another process.
 */
export async function openCaseFile(path?: string, readOnly = false): Promise<CaseFile> {
  const temporary = path === undefined || readOnly;
  const file = temporary ? join(tmpdir(), `bullmortem-${randomUUID()}.duckdb`) : path;
  const shown = path ?? file;
  const removeTemporary = (): void => {
    // DuckDB puts what does not fit into memory into a folder beside the file.
    if (temporary)
      for (const suffix of ['', '.wal', '.tmp']) rmSync(`${file}${suffix}`, { force: true, recursive: true });
  };
  // Evidence must not stay behind, however the process ends.
  process.once('exit', removeTemporary);
  try {
    return await openFile(file, shown, path !== undefined, readOnly ? path : undefined, removeTemporary);
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
  shown: string,
  named: boolean,
  copyOf: string | undefined,
  removeTemporary: () => void,
): Promise<CaseFile> {
  if (copyOf !== undefined) copyFileSync(copyOf, file);
  // An empty file is what mktemp makes to hold a name; DuckDB wants to make the file itself.
  if (existsSync(file) && statSync(file).size === 0) rmSync(file);
  const existed = existsSync(file);
  const instance = await duckdb.DuckDBInstance.create(file, OPTIONS).catch((error: Error) => {
    const why = (error.message.split('\n')[0] ?? '').replaceAll(file, shown);
    const where = named ? `the case file ${shown}` : `a temporary file in ${tmpdir()} (TMPDIR names another folder)`;
    throw new CaseFileError(`cannot open ${where}: ${why}`);
  });
  try {
    return await prepareCase(instance, shown, existed, removeTemporary);
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

async function prepareCase(
  instance: DuckDBInstance,
  shown: string,
  existed: boolean,
  removeTemporary: () => void,
): Promise<CaseFile> {
  const connection = await instance.connect();
  const query = async (sql: string): Promise<Row[]> => (await connection.runAndReadAll(sql)).getRowObjects() as Row[];

  if (existed) {
    const known = await query(
      "SELECT count(*) AS n FROM information_schema.tables WHERE table_name = 'bullmortem_case'",
    );
    const others = await query('SELECT count(*) AS n FROM information_schema.tables');
    if (Number(known[0]?.n) === 0 && Number(others[0]?.n) > 0)
      throw new CaseFileError(`${shown} is a DuckDB database of something else; name another file for --case`);
    if (Number(known[0]?.n) > 0) {
      const version = Number((await query('SELECT version FROM bullmortem_case'))[0]?.version);
      if (version !== CASE_VERSION)
        throw new CaseFileError(
          `${shown} was written by another version of bullmortem (case version ${version}, this one writes ${CASE_VERSION}); make a new one`,
        );
    }
  }
  await connection.run(schemaSql());
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

  const writers = Object.fromEntries(
    await Promise.all(
      (Object.keys(TABLES) as TableName[])
        .filter((table) => table !== 'sources')
        .map(async (table) => [table, await openTableWriter(connection, table, TABLES[table])] as const),
    ),
  ) as unknown as Writers;
  const interner = createInterner(writers.strings);
  for (const row of await query('SELECT id, text FROM strings')) interner.adopt(Number(row.id), String(row.text));
  const hashes = new Set((await query('SELECT sha256 FROM sources')).map((row) => String(row.sha256)));
  let lastSource = Number((await query('SELECT coalesce(max(id), 0) AS n FROM sources'))[0]?.n);
  let lastProcess = Number((await query('SELECT coalesce(max(id), 0) AS n FROM processes'))[0]?.n);
  let current: { id: number; writer: EvidenceWriter } | undefined;
  const flush = (): void => {
    for (const writer of Object.values(writers)) writer.flush();
  };

  return {
    has: (sha256) => hashes.has(sha256),
    async begin({ path: sourcePath }) {
      const id = ++lastSource;
      await connection.run('INSERT INTO sources VALUES ($1, $2, NULL, 0, NULL, false)', [id, sourcePath]);
      const writer = createEvidenceWriter(id, writers, interner, () => ++lastProcess);
      current = { id, writer };
      return writer;
    },
    async finish(source) {
      if (current === undefined) return;
      const { id, writer } = current;
      current = undefined;
      flush();
      if (source.skipped !== undefined) {
        await adoptWrites(id, source.sha256);
        await dropSource(id);
        return;
      }
      hashes.add(source.sha256);
      const report = JSON.stringify({ ...source.report, damage: source.damage, events: writer.events() });
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
