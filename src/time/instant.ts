/** What every scanner of timestamps answers with. */

/** How exact a written time is; `us` also stands for finer digits, which are cut. */
export type TimePrecision = 's' | 'ms' | 'us';

/** Part of a time that the text left out or left open. */
export type AssumedPart = 'zone' | 'year' | 'date' | 'order';

export interface TimeHit {
  /** ms since the epoch, UTC; a fraction carries microseconds. */
  readonly t: number;
  readonly precision: TimePrecision;
  /** Index after the last character that belongs to the time. */
  readonly end: number;
  /** What had to be assumed; absent when the text was complete. */
  readonly assumed?: readonly AssumedPart[];
}

const EARLIEST_MS = Date.UTC(1970, 0, 2);
const LATEST_MS = Date.UTC(2286, 10, 20);

/** Whether a time can belong to a log at all. Guards against durations and counters read as times. */
export function isPlausible(t: number): boolean {
  return t >= EARLIEST_MS && t < LATEST_MS;
}

/** Days of a month; 0 for a month that does not exist. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Fraction digits (`123`, `123456789`) to ms; digits past the sixth are cut. */
export function fractionMs(digits: string): number {
  return Number(digits.slice(0, 6).padEnd(6, '0')) / 1000;
}

export function fractionPrecision(digits: number): TimePrecision {
  return digits === 0 ? 's' : digits <= 3 ? 'ms' : 'us';
}
