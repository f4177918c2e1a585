/** DuckDB's own reader of JSON lines, into a table: the events of jobs and nothing else. */
import { DuckDBInstance } from '@duckdb/node-api';

const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '512MB' });
const connection = await instance.connect();
const columns = "{time: 'BIGINT', pid: 'INTEGER', hostname: 'VARCHAR', jobId: 'VARCHAR', msg: 'VARCHAR'}";
const path = process.argv[2].replaceAll("'", "''");
await connection.run(
  `CREATE TABLE jobs AS SELECT * FROM read_json('${path}', format = 'newline_delimited', columns = ${columns}) WHERE jobId IS NOT NULL`,
);
connection.closeSync();
instance.closeSync();
