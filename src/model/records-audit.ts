/**
 * What idempotency records say, and how far evidence decides what they cannot: the `records` part of the analysis.
 *
 * A record is what an application wrote down about its own work so that it would not be done twice. Some stores keep one row
 * a run, others one row a key, which a second run overwrites; what the second kind cannot show is said, not guessed.
 */
import { z } from 'zod';
import { refSchema } from './ref.js';

const count = z.int().nonnegative();

/** What a column may tell. The key names the work; `scope` is part of its name where keys are unique within it only. */
export const RECORD_ROLES = [
  'key',
  'scope',
  'job',
  'queue',
  'attempt',
  'status',
  'worker',
  'started',
  'completed',
  'expires',
  'checkpoint',
  'resumed',
  'fingerprint',
] as const;
export type RecordRole = (typeof RECORD_ROLES)[number];

/** Verdicts on one key, the gravest first. */
export const RECORD_VERDICT_NAMES = [
  'done-twice',
  'overlapping',
  'regressed',
  'enqueued-twice',
  'fingerprint-differs',
  'key-holds-attempt',
  'states-differ',
  'execution-without-record',
  'record-without-execution',
  'unfinished-or-step',
  'retried',
] as const;
export type RecordVerdict = (typeof RECORD_VERDICT_NAMES)[number];

export const RECORD_VERDICTS: Readonly<Record<RecordVerdict, string>> = {
  'done-twice': 'two runs reached the end',
  overlapping: 'two runs worked at the same time',
  regressed: 'a run began from an earlier checkpoint than an unfinished run before it had recorded',
  'enqueued-twice': 'two jobs carry one key',
  'fingerprint-differs': 'one key was used for two different requests',
  'key-holds-attempt': 'the key changes with the attempt, so it never stops a second run',
  'states-differ': 'the records and the queue tell different ends',
  'execution-without-record': 'the queue shows a run that left no record',
  'record-without-execution': 'the record stands where the evidence shows no such job',
  'unfinished-or-step': 'begun and never ended: a run that died, is still going on, or a step',
  retried: 'run again after an attempt that failed or was counted',
};

/** Verdicts for which `audit` ends with exit code 1 unless told otherwise. */
export const DOUBLED: readonly RecordVerdict[] = ['done-twice', 'overlapping', 'regressed'];

/** What a row says about its run. `skipped`: the row tells that a duplicate was turned away, which is no run. */
export const RECORD_STATES = ['unknown', 'begun', 'ended', 'failed', 'skipped'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

export const recordColumnSchema = z.strictObject({
  role: z.enum(RECORD_ROLES),
  column: z.string(),
  /** How it was found: by its name, by what its values look like, or given by the analyst. */
  basis: z.enum(['name', 'shape', 'given']),
});

/** Sources of one layout: the same columns, read the same way. */
export const recordStoreSchema = z.strictObject({
  sources: z.array(z.string()),
  format: z.string(),
  /** Table, collection or key pattern, where the format has such a name. */
  name: z.string().optional(),
  rows: count,
  /** Rows that were read in a second way, by csv-parse, because DuckDB's reader rejected them. */
  salvaged: count,
  /** Rows of which no record could be made; the damage of their source shows the first. */
  rejected: count,
  keeps: z.enum(['row-per-run', 'row-per-key', 'unknown']),
  /** Why it is taken for one that keeps so many rows. */
  why: z.string(),
  columns: z.array(recordColumnSchema),
  /** What its columns cannot tell. */
  cannotTell: z.array(z.string()),
});

export const recordRowSchema = z.strictObject({
  ref: refSchema,
  job: z.string().optional(),
  attempt: z.int().optional(),
  worker: z.string().optional(),
  /** Verbatim. */
  status: z.string().optional(),
  state: z.enum(RECORD_STATES),
  started: z.string().optional(),
  completed: z.string().optional(),
  checkpoint: z.number().optional(),
  resumed: z.number().optional(),
  /** Number of the execution in the story of its job that this row records. */
  execution: z.int().positive().optional(),
});

export const recordKeySchema = z.strictObject({
  /** Absent: a job that left no record. */
  key: z.string().optional(),
  scope: z.string().optional(),
  queue: z.string().optional(),
  jobs: z.array(z.string()),
  verdicts: z.array(
    z.strictObject({
      verdict: z.enum(RECORD_VERDICT_NAMES),
      basis: z.enum(['records', 'evidence', 'both']),
      says: z.string(),
    }),
  ),
  rows: count,
  ended: count,
  /** The first rows; `rows` counts all of them. */
  shown: z.array(recordRowSchema),
  /** Ids of the findings about its jobs. */
  findings: z.array(z.string()),
});

export const recordQueueSchema = z.strictObject({
  queue: z.string().optional(),
  rows: count,
  keys: count,
  ended: count,
  failed: count,
  begun: count,
  from: z.string().optional(),
  to: z.string().optional(),
  verdicts: z.partialRecord(z.enum(RECORD_VERDICT_NAMES), count),
});

export const recordsAuditSchema = z.strictObject({
  stores: z.array(recordStoreSchema),
  totals: z.strictObject({
    rows: count,
    keys: count,
    /** Rows that stand in two sources and count once. */
    repeated: count,
    /** Rows that name no key. */
    withoutKey: count,
    /** Keys whose runs the evidence shows. */
    withEvidence: count,
  }),
  queues: z.array(recordQueueSchema),
  /** Keys by verdict; a key may have several. */
  verdicts: z.partialRecord(z.enum(RECORD_VERDICT_NAMES), count),
  /** The first keys by gravity of their verdict; audit.csv lists all. */
  keys: z.array(recordKeySchema),
  keysLeftOut: count,
});

export type RecordColumn = z.infer<typeof recordColumnSchema>;
export type RecordStore = z.infer<typeof recordStoreSchema>;
export type RecordRow = z.infer<typeof recordRowSchema>;
export type RecordKey = z.infer<typeof recordKeySchema>;
export type RecordQueue = z.infer<typeof recordQueueSchema>;
export type RecordsAudit = z.infer<typeof recordsAuditSchema>;
