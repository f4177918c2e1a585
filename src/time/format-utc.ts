import type { TimePrecision } from './instant.js';

/** The farthest a JavaScript Date reaches. */
const DATE_LIMIT_MS = 8.64e15;

/**
 * ISO 8601 in UTC with as many digits as the time is worth: none for `s`, 3 for `ms` (and for an unknown precision), 6
 * for `us`. Cut, not rounded, so that a text never names a later moment than the record did.
 */
export function formatUtc(ms: number, precision: TimePrecision | 'none'): string {
  if (!(Math.abs(ms) < DATE_LIMIT_MS)) return String(ms);
  // A fraction of a double near 2^41 is good to about 0.2 µs: settle on the nearest microsecond before cutting.
  const micros = Math.round(ms * 1000);
  const whole = Math.floor(micros / 1000);
  const text = new Date(whole).toISOString();
  if (precision === 's') return `${text.slice(0, -5)}Z`;
  if (precision !== 'us') return text;
  return `${text.slice(0, -1)}${String(micros - whole * 1000).padStart(3, '0')}Z`;
}
