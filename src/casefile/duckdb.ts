/**
 * DuckDB's two packages, loaded with `require`: they are CommonJS in 180 files, each of which `import` would read once more
 * to find its exports. That took 0.3 s of CPU in every run.
 *
 * `bindings` is the layer below `duckdb`. It copies a whole column at once, where a vector of `duckdb` takes cell after cell;
 * appending takes half the time. Handles pass between the two, so package.json names one version of both.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const duckdb: typeof import('@duckdb/node-api') = require('@duckdb/node-api');
export const bindings: typeof import('@duckdb/node-bindings') = require('@duckdb/node-bindings');
