/** The question that people ask of their idempotency records in SQL, and no more: which keys stand more than once. */
import { DuckDBInstance } from '@duckdb/node-api';

const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
const connection = await instance.connect();
const path = process.argv[2].replaceAll("'", "''");
const rows = await connection.runAndReadAll(
  `SELECT idempotency_key, count(*) FROM read_csv('${path}') GROUP BY 1 HAVING count(*) > 1`,
);
if (rows.currentRowCount === 0) throw new Error('no key stands twice');
connection.closeSync();
instance.closeSync();
