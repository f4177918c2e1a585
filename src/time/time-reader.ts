/**
 * Reads the times of one source. Logs leave things out (zone, year, date, the order of day and month); what is missing
 * is filled from what the analyst said, then from the source itself, then from its file date, and every such filling is
 * counted so that the report can say it. Nothing is ever filled from the analyst's machine.
 */
import { epochFromNumber, scanEpoch } from './epoch.js';
import { type AssumedPart, daysInMonth, fractionMs, fractionPrecision, isPlausible, type TimeHit } from './instant.js';
import { scanIso, scanOffset } from './iso.js';
import { halfDay, isDateWord, monthNumber, plainDigits, WALL_FORMS, type WallForm } from './wall-forms.js';
import { abbreviationOffset, createZone, UTC } from './zone.js';

export interface TimeReaderOptions {
  /** IANA name or offset for times without one. Absent: UTC, marked as assumed. */
  readonly assumeTz?: string;
  /** File date, ms UTC: settles a missing year or date. Without it a time that lacks one is not read. */
  readonly modifiedMs?: number;
  /** Which of `01/02/2024` is the day. Absent: found from the source, else the order such dates are mostly written in. */
  readonly dayMonthOrder?: 'day-first' | 'month-first';
}

export interface TimeReader {
  /** A time that starts at `at`; undefined when none does. */
  at(text: string, at: number): TimeHit | undefined;
  /** A value of a field: text that is a time and nothing else, an epoch number, `{seconds, nanos}` or `{$date}`. */
  value(value: unknown): TimeHit | undefined;
  /** Looks through the head of a source for a date that settles the order of day and month. */
  learnOrder(head: string): void;
  /** What was assumed so far, each once. */
  assumptions(): { readonly name: 'zone' | 'year' | 'date' | 'day-month-order'; readonly value: string }[];
}

type Order = 'day-first' | 'month-first';
type Groups = Record<string, string | undefined>;

const DAY_MS = 86_400_000;
/** The longest written time fits; more is not looked at. */
const WINDOW = 72;

/** @throws Error when `assumeTz` names no zone. */
export function createTimeReader(options: TimeReaderOptions = {}): TimeReader {
  const zone = options.assumeTz === undefined ? UTC : createZone(options.assumeTz);
  const zoneGiven = options.assumeTz !== undefined;
  const seen = new Map<AssumedPart, string>();
  let order = options.dayMonthOrder;
  // Yearless and dateless times go on from the one before: they only ever move forward, up to a rollover.
  let year: number | undefined;
  let lastMonth = 0;
  let lastWall: number | undefined;
  /** The last time with a full date: it dates the incomplete ones of the same source better than the file does. */
  let lastComplete: number | undefined;

  /** The last time in a form of its own, for the many lines of one second: its text with what follows, and the answer. */
  let sameText = '';
  let sameStart = 0;
  let sameHit: TimeHit | undefined;

  function at(text: string, start: number): TimeHit | undefined {
    if (sameHit !== undefined && text.startsWith(sameText, start)) {
      return start === sameStart ? sameHit : { ...sameHit, end: sameHit.end - sameStart + start };
    }
    const code = text.charCodeAt(start);
    if (code >= 48 && code <= 57) {
      const hit = scanIso(text, start, zone) ?? scanEpoch(text, start);
      if (hit && !isHalfDay(text, hit.end)) return note(hit);
    }
    return atWall(text, start, code);
  }

  function note(hit: TimeHit): TimeHit {
    lastComplete = hit.t;
    if (hit.assumed === undefined) return hit;
    if (zoneGiven) return { t: hit.t, precision: hit.precision, end: hit.end };
    if (!seen.has('zone')) seen.set('zone', zone.name);
    return hit;
  }

  function atWall(text: string, start: number, code: number): TimeHit | undefined {
    const capital = code >= 65 && code <= 90;
    const digit = code >= 48 && code <= 57;
    if (!capital && !digit && !(code >= 0x660 && code <= 0x9ef)) return undefined;
    if (capital && !isDateWord(text.slice(start, start + 3))) return undefined;
    const window = plainDigits(text.slice(start, start + WINDOW));
    if (!/\d{2}[:.hT ]/.test(window)) return undefined;
    for (const form of WALL_FORMS) {
      form.pattern.lastIndex = 0;
      const match = form.pattern.exec(window);
      if (!match?.groups) continue;
      const hit = fromGroups(form, match.groups, start + match[0].length, window, match[0].length);
      if (!hit) continue;
      // Two characters more: behind another character the time might have gone on.
      sameText = text.slice(start, hit.end + 2);
      sameStart = start;
      sameHit = sameText.length === hit.end + 2 - start ? hit : undefined;
      return hit;
    }
    return undefined;
  }

  function fromGroups(form: WallForm, g: Groups, end: number, window: string, length: number): TimeHit | undefined {
    const assumed: AssumedPart[] = [];
    const time = timeOfDay(g);
    if (time === undefined) return undefined;
    const date = dateOf(form, g, time, assumed);
    if (date === undefined) return undefined;
    const digits = g.f?.length ?? 0;
    const wall = date + Math.floor(time);
    const offset = zoneOf(g.z, window, length);
    if (offset === undefined && !zoneGiven) assumed.unshift('zone');
    const t = (offset === undefined ? zone.toUtc(wall) : wall - offset.minutes * 60_000) + (time - Math.floor(time));
    if (!isPlausible(t)) return undefined;
    if (offset === undefined && !zoneGiven) seen.set('zone', zone.name);
    const hit = {
      t,
      precision: fractionPrecision(digits),
      end: offset?.end === undefined ? end - (g.z?.length ?? 0) : end + offset.end,
    };
    return assumed.length > 0 ? { ...hit, assumed } : hit;
  }

  /** Midnight of the date as wall ms, filling in what the form leaves out. */
  function dateOf(form: WallForm, g: Groups, time: number, assumed: AssumedPart[]): number | undefined {
    if (g.y !== undefined) {
      const full = gregorian(Number(g.y));
      if (full === undefined) return undefined;
      if (g.a === undefined || g.b === undefined) return midnight(full, monthOf(g), Number(g.d));
      return openOrder(form, full, g, time, assumed);
    }
    if (g.d !== undefined) return withYear(monthOf(g), Number(g.d), time, assumed);
    return withDate(time, assumed);
  }

  function openOrder(
    form: WallForm,
    full: number,
    g: Groups,
    time: number,
    assumed: AssumedPart[],
  ): number | undefined {
    const a = Number(g.a);
    const b = Number(g.b);
    const dayFirst = midnight(full, b, a);
    const monthFirst = midnight(full, a, b);
    if (form.order === 'day-first') return dayFirst;
    if (dayFirst === undefined || monthFirst === undefined) {
      order ??= dayFirst === undefined ? (monthFirst === undefined ? undefined : 'month-first') : 'day-first';
      return dayFirst ?? monthFirst;
    }
    if (dayFirst === monthFirst) return dayFirst;
    // English of the United States and the Philippines alone writes capital AM and PM, and they put the month first.
    const marked: Order | undefined = g.x === undefined ? undefined : /^[AP]M$/.test(g.x) ? 'month-first' : 'day-first';
    const chosen = marked ?? order ?? guessOrder(dayFirst, monthFirst, time);
    if (marked === undefined && order === undefined) {
      seen.set('order', chosen);
      assumed.push('order');
    }
    return chosen === 'day-first' ? dayFirst : monthFirst;
  }

  /** A log is not newer than its file: that settles most dates whose order is open. Else day first, as most locales do. */
  function guessOrder(dayFirst: number, monthFirst: number, time: number): Order {
    const limit = (options.modifiedMs ?? Number.POSITIVE_INFINITY) + DAY_MS;
    return dayFirst + time > limit && monthFirst + time <= limit ? 'month-first' : 'day-first';
  }

  function withYear(month: number, day: number, time: number, assumed: AssumedPart[]): number | undefined {
    if (year === undefined) {
      const base = lastComplete ?? options.modifiedMs;
      if (base === undefined) {
        seen.set('year', 'unknown');
        return undefined;
      }
      year = new Date(base).getUTCFullYear();
      const wall = midnight(year, month, day);
      if (wall !== undefined && wall + time > base + 2 * DAY_MS) year--;
    } else if (month < lastMonth - 6) {
      // From December to January: a year has turned. A step back of a month or two is only disorder.
      year++;
    } else if (month > lastMonth + 6) year--;
    lastMonth = month;
    if (!seen.has('year')) seen.set('year', String(year));
    assumed.push('year');
    return midnight(year, month, day);
  }

  function withDate(time: number, assumed: AssumedPart[]): number | undefined {
    if (lastWall === undefined) {
      const base = lastComplete ?? options.modifiedMs;
      if (base === undefined) {
        seen.set('date', 'unknown');
        return undefined;
      }
      const today = Math.floor(base / DAY_MS) * DAY_MS;
      lastWall = today + time > base + DAY_MS / 2 ? today - DAY_MS + time : today + time;
      seen.set('date', new Date(lastWall).toISOString().slice(0, 10));
    } else {
      let wall = Math.floor(lastWall / DAY_MS) * DAY_MS + time;
      if (wall < lastWall - DAY_MS / 2) wall += DAY_MS;
      else if (wall > lastWall + DAY_MS / 2) wall -= DAY_MS;
      lastWall = wall;
    }
    assumed.push('date');
    return Math.floor(lastWall / DAY_MS) * DAY_MS;
  }

  function value(raw: unknown): TimeHit | undefined {
    if (typeof raw === 'number') return epochFromNumber(raw);
    if (typeof raw === 'string') {
      const text = raw.length > WINDOW ? raw.slice(0, WINDOW) : raw;
      const start = text.charCodeAt(0) <= 32 ? text.length - text.trimStart().length : 0;
      const hit = at(text, start);
      if (hit === undefined) return undefined;
      return hit.end === text.length || text.slice(hit.end).trim() === '' ? hit : undefined;
    }
    if (typeof raw === 'object' && raw !== null) return fromObject(raw);
    return undefined;
  }

  function fromObject(raw: object): TimeHit | undefined {
    if ('seconds' in raw) {
      const seconds = Number(raw.seconds);
      const nanos = 'nanos' in raw ? Number(raw.nanos) : 0;
      // The writers of this form take the nanoseconds from a float: round to ms, or 123 ms becomes 122.
      const t = seconds * 1000 + Math.round((Number.isFinite(nanos) ? nanos : 0) / 1e6);
      return isPlausible(t) ? { t, precision: 'ms', end: 0 } : undefined;
    }
    if ('$date' in raw) {
      const date = raw.$date;
      if (typeof date === 'object' && date !== null && '$numberLong' in date)
        return epochFromNumber(Number(date.$numberLong));
      return value(date);
    }
    return undefined;
  }

  function learnOrder(head: string): void {
    if (order !== undefined) return;
    for (const [, a, b] of head.matchAll(/(?<!\d)(\d{1,2})[/-](\d{1,2})[/-]\d{4}(?!\d)/g)) {
      const first = Number(a);
      const second = Number(b);
      if (first > 12 && first <= 31 && second <= 12) order = 'day-first';
      else if (second > 12 && second <= 31 && first <= 12) order = 'month-first';
      if (order !== undefined) return;
    }
  }

  function assumptions(): ReturnType<TimeReader['assumptions']> {
    return [...seen].map(([name, text]) => ({ name: name === 'order' ? 'day-month-order' : name, value: text }));
  }

  return { at, value, learnOrder, assumptions };
}

/** Whether ` AM` or ` PM` follows: then the hour is not what ISO means by it. */
function isHalfDay(text: string, end: number): boolean {
  return text.charCodeAt(end) === 32 && /^ [AaPp]\.?[Mm](?![A-Za-z])/.test(text.slice(end, end + 5));
}

function monthOf(g: Groups): number {
  return g.n === undefined ? Number(g.o) : monthNumber(g.n);
}

/** ms since midnight, or undefined for a time that no clock shows. */
function timeOfDay(g: Groups): number | undefined {
  let hour = Number(g.h);
  const minute = Number(g.i);
  const second = Number(g.s ?? 0);
  const noon = g.x ?? g.w;
  if (noon !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + halfDay(noon);
  }
  if (hour > 24 || minute > 59 || second > 60) return undefined;
  return hour * 3_600_000 + minute * 60_000 + second * 1000 + (g.f === undefined ? 0 : fractionMs(g.f));
}

/** Thai logs count from the Buddha's death, 543 years earlier. */
function gregorian(year: number): number | undefined {
  if (year >= 2500 && year < 2700) return year - 543;
  return year >= 1970 && year < 2287 ? year : undefined;
}

function midnight(year: number, month: number, day: number): number | undefined {
  return day >= 1 && day <= daysInMonth(year, month) ? Date.UTC(year, month - 1, day) : undefined;
}

/** Offset of what stands behind a time; `end` is relative to the end of the match. Undefined when it is no zone. */
function zoneOf(
  zone: string | undefined,
  window: string,
  length: number,
): { minutes: number; end: number } | undefined {
  if (zone === undefined || zone === '') return undefined;
  const start = length - zone.length;
  const trimmed = zone.trim();
  if (trimmed === 'Z') return { minutes: 0, end: 0 };
  const offset = scanOffset(window, start);
  if (offset) return { minutes: offset.minutes, end: zone.includes('(') ? 0 : offset.end - length };
  const minutes = abbreviationOffset(trimmed.replace(/[()]/g, ''));
  return minutes === undefined ? undefined : { minutes, end: 0 };
}
