/** Every timestamp and duration, in and out. */
export { parseDuration } from './duration.js';
export { formatUtc } from './format-utc.js';
export type { AssumedPart, TimeHit, TimePrecision } from './instant.js';
export { createTimeReader, type TimeReader, type TimeReaderOptions } from './time-reader.js';
export { type ParsedTime, parseTimestamp } from './timestamp.js';
export { createZone, type Zone } from './zone.js';
