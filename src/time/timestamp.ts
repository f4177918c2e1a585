import type { AssumedPart, TimePrecision } from './instant.js';
import { createTimeReader, type TimeReaderOptions } from './time-reader.js';

export interface ParsedTime {
  /** ms since the epoch, UTC; a fraction carries microseconds. */
  readonly t: number;
  readonly precision: TimePrecision;
  /** What the text left out or open and `options` did not settle. */
  readonly assumed?: readonly AssumedPart[];
}

/**
 * A text that is one written time and nothing else. Accepts RFC 3339 with 0 to 9 digits, offsets with or without colon or
 * absent, epoch s/ms/µs/ns, comma millis, the dates of every common locale, syslog, Apache, HTTP, Kibana and bare times
 * of day. Undefined when it is no time, or lacks a year or date that `options.modifiedMs` could settle.
 *
 * @throws Error when `options.assumeTz` names no zone.
 */
export function parseTimestamp(text: string, options: TimeReaderOptions = {}): ParsedTime | undefined {
  const hit = createTimeReader(options).value(text);
  if (hit === undefined) return undefined;
  return hit.assumed === undefined
    ? { t: hit.t, precision: hit.precision }
    : { t: hit.t, precision: hit.precision, assumed: hit.assumed };
}
