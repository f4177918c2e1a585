/**
 * Every written form of a time that is neither ISO nor an epoch number: locale dates (`Intl.DateTimeFormat` of the Nest
 * logger, in the order and with the marks of each locale), syslog, Apache, HTTP, Kibana, Redis, and bare times of day.
 *
 * A row says what a form looks like and which of its groups are which part. Groups: `y` year, `o` month number, `n` month
 * name, `d` day, `a` and `b` the two of a date whose order is open, `h` `i` `s` `f` the time, `x` before noon or after, `z`
 * what follows.
 */

export interface WallForm {
  readonly name: string;
  /** Sticky; every part bounded, so that a hostile line costs no more than its first 64 characters. */
  readonly pattern: RegExp;
  /** Order of `a` and `b` where the form leaves no doubt. */
  readonly order?: 'day-first';
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** 1 to 12, or 0 for what is no English month. */
export function monthNumber(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

const WEEKDAYS = new Set(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);

/** Whether a word of three letters begins the name of a month or of a day of the week. */
export function isDateWord(word: string): boolean {
  return WEEKDAYS.has(word) || monthNumber(word) > 0;
}

const BIDI = '[\\u200e\\u200f]?';
const NOON =
  '(?<x>[AaPp][Mm](?![a-z])|[ap]\\.\\s?m\\.|上午|下午|凌晨|早上|中午|晚上|오전|오후|午前|午後|π\\.μ\\.|μ\\.μ\\.|ص|م|PG|PTG)';
const CLOCK = `(?<h>\\d{1,2})(?::|\\.| h )(?<i>\\d{2})(?:(?::|\\.| min )(?<s>\\d{2})(?:[.,](?<f>\\d{1,9}))?)?(?: s\\b| ч\\.)?`;
const TIME = `${CLOCK}(?: ?${NOON})?`;
const MONTH = '(?<n>[A-Z][a-z]{2})(?:[a-z]{0,6})';
const WEEKDAY = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?';
const ZONE =
  '(?<z> ?(?:\\(?[A-Z]{1,5}\\)?(?![A-Za-z])(?:[+-]\\d{2}:?\\d{2})?|[+-]\\d{2}:?\\d{2})(?: \\([^)]{1,40}\\))?)?';

function sticky(source: string): RegExp {
  return new RegExp(source, 'uy');
}

/** First match wins: the forms with more marks of their own come first. */
export const WALL_FORMS: readonly WallForm[] = [
  // 2024/01/15 05:30:00 · 2024. 01. 15. 10:30:00 · 2024/01/15 下午10:30:07 · 2024-01-15, 10:30:07 p.m. · 2024-01-05 22 h 30 min 07 s
  {
    name: 'year-first',
    pattern: sticky(
      `(?<y>\\d{4})[/.-] ?(?<o>\\d{1,2})[/.-] ?(?<d>\\d{1,2})\\.?,?(?:T| {1,2})(?:${NOON.replace('?<x>', '?<w>')} ?)?${TIME}${ZONE}`,
    ),
  },
  // 15/Jan/2024:05:30:00 -0500
  { name: 'apache', pattern: sticky(`(?<d>\\d{1,2})/${MONTH}/(?<y>\\d{4}):${TIME}${ZONE}`) },
  // Mon, 15 Jan 2024 10:30:00 GMT · 08 Jun 2024 07:08:16.359
  { name: 'day-month-year', pattern: sticky(`${WEEKDAY}(?<d>\\d{1,2})[ -]${MONTH}[ -](?<y>\\d{4}),? ${TIME}${ZONE}`) },
  // Jan 15, 2024 @ 05:30:00.123 · Mon Jan 15 2024 10:30:00 GMT+0100 (Central European Standard Time)
  {
    name: 'month-day-year',
    pattern: sticky(`${WEEKDAY}${MONTH} {1,2}(?<d>\\d{1,2}),? (?<y>\\d{4})(?:,? (?:@ |at )?)${TIME}${ZONE}`),
  },
  // Mon Jan 15 05:30:00 2024
  { name: 'ctime', pattern: sticky(`${WEEKDAY}${MONTH} {1,2}(?<d>\\d{1,2}) ${CLOCK} (?<y>\\d{4})(?!\\d)`) },
  // Jan 15 05:30:00
  { name: 'syslog', pattern: sticky(`${WEEKDAY}${MONTH} {1,2}(?<d>\\d{1,2}),? ${CLOCK}`) },
  // Mon 2024-01-15 05:30:00 EST
  {
    name: 'weekday-iso',
    pattern: sticky(`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<y>\\d{4})-(?<o>\\d{2})-(?<d>\\d{2}) ${TIME}${ZONE}`),
  },
  // 15 01 2024 05:30:00.123
  {
    name: 'spaced',
    order: 'day-first',
    pattern: sticky(`(?<a>\\d{2}) (?<b>\\d{2}) (?<y>\\d{4}) ${CLOCK}`),
  },
  // 15.01.2024, 10:30:00 · 05. 01. 2024 22:30:07 · 5.1.2024 klo 22.30.07 · 05.01.2024 г., 22:30:07 ч.
  {
    name: 'dotted',
    order: 'day-first',
    pattern: sticky(`(?<a>\\d{1,2})\\. ?(?<b>\\d{1,2})\\. ?(?<y>\\d{4})(?: г)?\\.?,? (?:klo |kl\\. )?${TIME}${ZONE}`),
  },
  // 01/15/2024, 10:30:00 AM · 15/01/2024 10:30:00 · 05-01-2024, 22:30:07 · 05/01/2024, 10:30:07 pm · 05/01/2024 下午10:30:07
  {
    name: 'slashed',
    pattern: sticky(
      `(?<a>\\d{1,2})${BIDI}[/-](?<b>\\d{1,2})${BIDI}[/-](?<y>\\d{4})[,،]? {1,2}(?:- )?(?:${NOON.replace('?<x>', '?<w>')} ?)?${TIME}${ZONE}`,
    ),
  },
  // 22:30:07 05/01/2024
  { name: 'time-first', order: 'day-first', pattern: sticky(`${CLOCK} (?<a>\\d{1,2})/(?<b>\\d{1,2})/(?<y>\\d{4})`) },
  // 20240115T103000Z
  {
    name: 'basic',
    pattern: sticky(
      '(?<y>\\d{4})(?<o>\\d{2})(?<d>\\d{2})[T ](?<h>\\d{2})(?<i>\\d{2})(?<s>\\d{2})(?:[.,](?<f>\\d{1,9}))?(?<z>Z)?',
    ),
  },
  // 01-15 10:30:00
  { name: 'month-day', pattern: sticky(`(?<o>\\d{2})-(?<d>\\d{2}) ${CLOCK}`) },
  // 10:30:00.123 · 1:03:32 PM · 10:30:00.123Z
  {
    name: 'time-only',
    pattern: sticky(
      '(?<h>\\d{1,2}):(?<i>\\d{2}):(?<s>\\d{2})(?:[.,](?<f>\\d{1,9}))?(?: ?(?<x>[AaPp][Mm](?![a-z])))?(?<z>Z(?![A-Za-z0-9]))?(?![:\\d])',
    ),
  },
];

const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g;

/** Digits of other scripts to ASCII and no-break spaces to spaces, one for one, so that positions hold. */
export function plainDigits(text: string): string {
  return text
    .replace(OTHER_DIGITS, (digit) => {
      const code = digit.charCodeAt(0);
      // Each block of ten starts at a code whose low digit is 0 or 6.
      const base = code >= 0x9e6 ? 0x9e6 : code >= 0x966 ? 0x966 : code >= 0x6f0 ? 0x6f0 : 0x660;
      return String(code - base);
    })
    .replace(/[\u00a0\u202f\u2009]/g, ' ');
}

/** 0 for the first half of the day, 12 for the second, from the word a locale prints for it. */
export function halfDay(word: string): 0 | 12 {
  return /^(?:[Pp]|下午|晚上|中午|오후|午後|μ|م)/.test(word) && word !== 'PG' ? 12 : 0;
}
