/** The RDB reader as the rest of `redis` uses it. */
export type * from './handler.js';
export { RdbInput } from './rdb-input.js';
export type { RdbString } from './rdb-string.js';
export { type RdbMagic, type RdbResult, rdbMagic, readRdb } from './read-rdb.js';
