/** Idempotency records against executions, in SQL. */
export {
  type CensusOptions,
  type CensusRelation,
  countMismatches,
  countRows,
  findInteresting,
  forgetSource,
  MOST_UNFINISHED,
  takeCensus,
  takeCensusOfKept,
  wantedRows,
} from './census.js';
export { findDoubleEnqueues } from './double-enqueues.js';
export {
  findUnrecorded,
  joinEvidence,
  pairQueues,
  type QueuePair,
  readEvidenceQueues,
  readRecordQueues,
} from './evidence.js';
export { judgeRecords, weighEvidence } from './judge.js';
export { countKeys, type KeyLookups, readKeys } from './read-keys.js';
export { readHabits, readTotals } from './read-totals.js';
export { createRecordTables, keepRecords, type RecordKeeper } from './tables.js';
