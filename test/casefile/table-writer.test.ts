/**
 * What goes into a table comes out of it. Rows are handed to DuckDB as blocks of memory, 2048 at a time, so the edges of a
 * block, what has no value, and what a column cannot hold are tried.
 */
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cell } from '../../src/casefile/row-buffer.js';
import { openTableWriter } from '../../src/casefile/table-writer.js';
import type { Columns } from '../../src/casefile/tables.js';

const COLUMNS: Columns = [
  ['i', 'INTEGER'],
  ['d', 'DOUBLE'],
  ['u', 'UTINYINT'],
  ['b', 'BOOLEAN'],
  ['t', 'VARCHAR'],
];

describe('a table', () => {
  let instance: DuckDBInstance;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
  });
  afterAll(() => instance.closeSync());

  /** The rows as the table gives them back, in the order in which they were pushed. */
  async function throughTable(rows: readonly (readonly Cell[])[], flushAfter = -1): Promise<unknown[][]> {
    const connection = await instance.connect();
    const columns = COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ');
    await connection.run(`CREATE OR REPLACE TABLE cells (${columns})`);
    const writer = await openTableWriter(connection, 'cells', COLUMNS);
    for (const [i, row] of rows.entries()) {
      writer.push(row);
      if (i === flushAfter) writer.flush();
    }
    writer.close();
    const read = (await connection.runAndReadAll('SELECT * FROM cells ORDER BY rowid')).getRows();
    connection.closeSync();
    return read;
  }

  test.each([1, 2047, 2048, 2049, 5000])('of %i rows holds each as it was pushed', async (count) => {
    const rows = Array.from({ length: count }, (_, i): Cell[] => [
      i % 3 === 0 ? null : i - 7,
      i % 5 === 0 ? null : i / 8,
      i % 7 === 0 ? null : i % 256,
      i % 2 === 0 ? null : i % 4 === 1,
      i % 11 === 0 ? null : `text ${i} ünïcode`,
    ]);
    expect(await throughTable(rows)).toEqual(rows);
    expect(await throughTable(rows, Math.floor(count / 2))).toEqual(rows);
  });

  test('shows no gap of one block in the next', async () => {
    const gaps = Array.from({ length: 2048 }, (): Cell[] => [null, null, null, null, null]);
    const full = Array.from({ length: 2048 }, (_, i): Cell[] => [i, i, 1, true, '']);
    expect(await throughTable([...gaps, ...full])).toEqual([...gaps, ...full]);
  });

  test.each<[Cell, Cell, Cell]>([
    [2 ** 31, Number.POSITIVE_INFINITY, 256],
    [-(2 ** 31) - 1, Number.NaN, -1],
    [0.5, Number.NEGATIVE_INFINITY, 1.5],
    [Number.NaN, 'text', Number.NaN],
    ['1', null, '1'],
  ])('holds nothing instead of %s, %s, %s', async (integer, double, tiny) => {
    expect(await throughTable([[integer, double, tiny, null, 1]])).toEqual([[null, null, null, null, null]]);
  });

  test('holds the largest that fit', async () => {
    const rows: Cell[][] = [
      [2 ** 31 - 1, Number.MAX_VALUE, 255, true, 'a'.repeat(100_000)],
      [-(2 ** 31), -Number.MIN_VALUE, 0, false, ''],
    ];
    expect(await throughTable(rows)).toEqual(rows);
  });

  test('fills up a row that is too short with nothing', async () => {
    expect(await throughTable([[1]])).toEqual([[1, null, null, null, null]]);
  });
});
