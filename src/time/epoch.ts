/**
 * Epoch numbers. The unit follows from the magnitude, which is unambiguous for the years 2001 to 2286: 10 digits are
 * seconds, 13 ms, 16 µs, 19 ns. Nanoseconds exceed 2^53, so text is cut into parts before it becomes a number.
 */
import { fractionMs, fractionPrecision, isPlausible, type TimeHit } from './instant.js';

/** An epoch number at `at` in a text, with an optional fraction; it must not go on with another digit or letter. */
export function scanEpoch(text: string, at: number): TimeHit | undefined {
  let end = at;
  while (end - at < 20 && isDigit(text.charCodeAt(end))) end++;
  const digits = end - at;
  if (digits !== 10 && digits !== 13 && digits !== 16 && digits !== 19) return undefined;
  let fraction = '';
  if (text.charCodeAt(end) === 46 && isDigit(text.charCodeAt(end + 1))) {
    let stop = end + 1;
    while (stop - end < 12 && isDigit(text.charCodeAt(stop))) stop++;
    fraction = text.slice(end + 1, stop);
    end = stop;
  }
  if (/[A-Za-z0-9_-]/.test(text.charAt(end))) return undefined;
  return fromDigits(text.slice(at, at + digits), fraction, end);
}

function fromDigits(digits: string, fraction: string, end: number): TimeHit | undefined {
  if (digits.length === 10) {
    const t = Number(digits) * 1000 + fractionMs(fraction);
    return isPlausible(t) ? { t, precision: fractionPrecision(fraction.length), end } : undefined;
  }
  const whole = Number(digits.slice(0, 13));
  if (!isPlausible(whole)) return undefined;
  const below = digits.slice(13) + fraction;
  if (below === '') return { t: whole, precision: 'ms', end };
  return { t: whole + Number(below.slice(0, 3).padEnd(3, '0')) / 1000, precision: 'us', end };
}

/** A number from JSON as a time, or undefined when no unit makes it a plausible one. */
export function epochFromNumber(value: number): TimeHit | undefined {
  if (!(value >= 1e9)) return undefined;
  if (value >= 1e12 && value < 1e14 && Number.isInteger(value)) return { t: value, precision: 'ms', end: 0 };
  if (value < 1e11) {
    const micros = Math.round(value * 1e6);
    const precision = micros % 1e6 === 0 ? 's' : micros % 1000 === 0 ? 'ms' : 'us';
    return inRange({ t: micros / 1000, precision, end: 0 });
  }
  if (value < 1e14) return inRange({ t: Math.round(value * 1000) / 1000, precision: 'us', end: 0 });
  if (value < 1e17) return inRange({ t: Math.round(value) / 1000, precision: 'us', end: 0 });
  // A number of nanoseconds has lost its last digits already; what is left is good to the microsecond.
  return inRange({ t: Math.round(value / 1000) / 1000, precision: 'us', end: 0 });
}

function inRange(hit: TimeHit): TimeHit | undefined {
  return isPlausible(hit.t) ? hit : undefined;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
