/** What a log record says, whatever its format. */
import type { Precision } from '../model/event.js';

/** Severity on pino's scale: 10 trace, 20 debug, 30 info, 40 warn, 50 error, 60 fatal. */
export type Level = 10 | 20 | 30 | 40 | 50 | 60;

export const WARN: Level = 40;
export const ERROR: Level = 50;

/** An error a record carries, from its own field or from the lines that follow it. */
export interface RecordError {
  readonly message: string;
  readonly stack?: string;
}

/**
 * Details with a meaning of their own, found under any of their usual names (`fields/roles.ts`). `jobs` has more than one
 * id only where the record has a plural such as `jobIds`.
 */
export interface RecordFields {
  jobs?: string[] | undefined;
  /** Ids in a job's own data printed behind the words: the job's only if nothing else names it. */
  payloadJobs?: string[] | undefined;
  /** An `id` that is a job's only if the rest of the record says so. */
  bareId?: string | undefined;
  queue?: string | undefined;
  prefix?: string | undefined;
  jobName?: string | undefined;
  attempt?: number | undefined;
  worker?: string | undefined;
  /** What the logger calls itself: a name, a context, a component. */
  label?: string | undefined;
  token?: string | undefined;
  /** The application's own name for the piece of work: an idempotency key. */
  key?: string | undefined;
  progress?: number | string | undefined;
  durationMs?: number | undefined;
  /** Name of an event, as written. */
  event?: string | undefined;
  /** A `status` or `state`: an event name where nothing better is found. */
  state?: string | undefined;
  prev?: string | undefined;
  host?: string | undefined;
  port?: number | undefined;
  pid?: number | undefined;
  container?: string | undefined;
  lagMs?: number | undefined;
  signal?: string | undefined;
  exitCode?: number | undefined;
  settings?: Record<string, number> | undefined;
  /** The record shows the shape of a job beside its `id`. */
  jobShaped?: true | undefined;
  /** The record is about an HTTP request. */
  request?: true | undefined;
  /** The error object of the record. */
  error?: RecordError | undefined;
  /** Error text from a string field (`error`, `reason`, `failedReason`). */
  errorText?: string | undefined;
  errorStack?: string | undefined;
}

export interface LogRecord {
  /** Name of the format it was written in. */
  readonly format: string;
  /** ms UTC of the worker's clock; absent when the record has no time of its own. */
  t?: number | undefined;
  precision: Precision;
  level?: Level | undefined;
  readonly message: string;
  error?: RecordError | undefined;
  readonly fields: RecordFields;
  /** The parsed record, where a team's configuration may look into it. */
  object?: { readonly [key: string]: unknown };
}

const LEVEL_NAMES: ReadonlyMap<string, Level> = new Map<string, Level>([
  ['trace', 10],
  ['silly', 10],
  ['trc', 10],
  ['verbose', 20],
  ['debug', 20],
  ['dbug', 20],
  ['dbg', 20],
  ['d', 20],
  ['log', 30],
  ['info', 30],
  ['information', 30],
  ['informational', 30],
  ['inf', 30],
  ['i', 30],
  ['http', 30],
  ['notice', 30],
  ['default', 30],
  ['warn', 40],
  ['warning', 40],
  ['wrn', 40],
  ['w', 40],
  ['error', 50],
  ['err', 50],
  ['erro', 50],
  ['e', 50],
  ['severe', 50],
  ['fatal', 60],
  ['critical', 60],
  ['crit', 60],
  ['alert', 60],
  ['emerg', 60],
  ['emergency', 60],
  ['panic', 60],
]);

/** Level by name, any case; undefined for a word that is none. */
export function levelByName(name: string): Level | undefined {
  return LEVEL_NAMES.get(name.toLowerCase());
}

/** Level from a field: a name, a pino or bunyan number, or a number written as text. */
export function levelOf(value: unknown): Level | undefined {
  if (typeof value === 'string') {
    const named = levelByName(value);
    if (named !== undefined) return named;
    return /^\d{1,2}$/.test(value) ? levelOf(Number(value)) : undefined;
  }
  if (typeof value !== 'number' || !(value >= 0)) return undefined;
  // Custom levels of pino lie between the named ones; each counts as the one below it.
  if (value >= 60) return 60;
  if (value >= 10) return (Math.floor(value / 10) * 10) as Level;
  // Syslog numbers run the other way: 3 is an error, 6 is information.
  return value <= 2 ? 60 : value === 3 ? 50 : value === 4 ? 40 : value <= 6 ? 30 : 20;
}
