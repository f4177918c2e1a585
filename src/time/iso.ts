/**
 * The one form most logs use, read digit by digit: `2024-01-15T10:30:00.123Z` and its relatives (space for `T`, comma
 * for the dot, 0 to 9 fraction digits, offset with or without colon, with hours only, or none). A regular expression and
 * `Date.parse` would be several times slower, and `Date.parse` reads a missing zone as the machine's own.
 */
import { daysInMonth, fractionPrecision, type TimeHit } from './instant.js';
import type { Zone } from './zone.js';

const ASSUMED_ZONE = ['zone'] as const;

let lastDate = -1;
let lastMidnight = 0;

function utcMidnight(year: number, month: number, day: number): number {
  const date = year * 10_000 + month * 100 + day;
  if (date !== lastDate) {
    lastDate = date;
    lastMidnight = Date.UTC(year, month - 1, day);
  }
  return lastMidnight;
}

/** Two digits at `at`, or -1. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * Reads an ISO-like date and time that starts at `at`. A time without an offset is taken in `zone` and marked as assumed.
 * Undefined when the text there is something else, or a date alone.
 */
export function scanIso(text: string, at: number, zone: Zone): TimeHit | undefined {
  if (text.charCodeAt(at + 4) !== 45 || text.charCodeAt(at + 7) !== 45) return undefined;
  const century = two(text, at);
  const rest = two(text, at + 2);
  const month = two(text, at + 5);
  const day = two(text, at + 8);
  if (century < 0 || rest < 0 || day < 1) return undefined;
  const year = century * 100 + rest;
  if (year < 1970 || day > daysInMonth(year, month)) return undefined;
  let pos = at + 10;
  const separator = text.charCodeAt(pos);
  // T, t, or a space; two spaces occur in hand-made formats.
  if (separator !== 84 && separator !== 116 && separator !== 32) return undefined;
  pos++;
  const hour = two(text, pos);
  const minute = two(text, pos + 3);
  if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || text.charCodeAt(pos + 2) !== 58) return undefined;
  pos += 5;
  let second = 0;
  if (text.charCodeAt(pos) === 58) {
    second = two(text, pos + 1);
    if (second < 0 || second > 60) return undefined;
    pos += 3;
  } else if (isDigit(text.charCodeAt(pos))) return undefined;
  let micros = 0;
  let digits = 0;
  const mark = text.charCodeAt(pos);
  if ((mark === 46 || mark === 44) && isDigit(text.charCodeAt(pos + 1))) {
    pos++;
    for (let code = text.charCodeAt(pos); isDigit(code) && digits < 12; code = text.charCodeAt(++pos)) {
      if (digits < 6) micros = micros * 10 + (code - 48);
      digits++;
    }
    for (let have = digits; have < 6; have++) micros *= 10;
  }
  const wall = utcMidnight(year, month, day) + hour * 3_600_000 + minute * 60_000 + second * 1000;
  return finish(text, pos, wall, micros, digits, zone);
}

function finish(text: string, from: number, wall: number, micros: number, digits: number, zone: Zone): TimeHit {
  const precision = fractionPrecision(digits);
  // Whole ms stay whole: no float noise from the division.
  const ms = digits <= 3 ? micros / 1000 : Math.floor(micros / 1000) + (micros % 1000) / 1000;
  const code = text.charCodeAt(from);
  if (code === 90 || code === 122) {
    if (!/[A-Za-z0-9]/.test(text.charAt(from + 1))) return { t: wall + ms, precision, end: from + 1 };
  }
  const offset = scanOffset(text, from);
  if (offset) return { t: wall - offset.minutes * 60_000 + ms, precision, end: offset.end };
  return { t: zone.toUtc(wall) + ms, precision, end: from, assumed: ASSUMED_ZONE };
}

/**
 * An offset right at `from`, or after one space: `+05:30`, `-0500`, `-05`, ` UTC`, ` GMT`. Names of zones other than those
 * two are left to the rarer forms.
 */
export function scanOffset(text: string, from: number): { minutes: number; end: number } | undefined {
  const spaced = text.charCodeAt(from) === 32;
  const at = spaced ? from + 1 : from;
  const sign = text.charCodeAt(at);
  if (sign === 43 || sign === 45) {
    const hours = two(text, at + 1);
    if (hours < 0 || hours > 18) return undefined;
    const colon = text.charCodeAt(at + 3) === 58;
    const minutes = two(text, at + (colon ? 4 : 3));
    // After a space, `-05` may be anything, such as a dash and a number; only the long forms count there.
    if (minutes < 0 || minutes > 59) {
      return spaced || colon || isDigit(text.charCodeAt(at + 3))
        ? undefined
        : { minutes: (sign === 45 ? -1 : 1) * hours * 60, end: at + 3 };
    }
    const end = at + (colon ? 6 : 5);
    if (isDigit(text.charCodeAt(end))) return undefined;
    return { minutes: (sign === 45 ? -1 : 1) * (hours * 60 + minutes), end };
  }
  const word = text.slice(at, at + 3);
  if ((word === 'UTC' || word === 'GMT') && !/[A-Za-z0-9]/.test(text.charAt(at + 3))) {
    return scanOffset(text, at + 3) ?? { minutes: 0, end: at + 3 };
  }
  return undefined;
}
