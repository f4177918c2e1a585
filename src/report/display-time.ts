/**
 * Times as the report shows them: as the record told them, moved into the display zone and never rounded.
 *
 * Node's `Date` knows milliseconds only and prints in the zone of the machine. So the offset of the display zone is looked
 * up by name and added here, and digits below the millisecond are carried over from the record's own text.
 */
import type { Moment } from '../model/analysis.js';
import { createZone } from '../time/index.js';
import { durationText } from './durations.js';

const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;
const MINUTE_MS = 60_000;
const CLOCK_DISAGREES_MS = 10;

export interface ClockFace {
  /** Name of the zone, for headings: `UTC`, `Europe/Berlin`. */
  readonly zone: string;
  /**
   * `2026-11-30 14:10:41.610`, with the offset appended outside UTC and with `redisNote` where clocks disagree. What the
   * record told where it is no ISO time.
   */
  dateTime(moment: Moment): string;
  /** `14:10:41.610`: at most milliseconds, for sentences and charts. */
  time(moment: Moment): string;
  /** `14:10:41.609216`: as exact as the record, for tables that name the day. */
  exactTime(moment: Moment): string;
  /** ` (Redis time 14:10:46.610 ± 5 ms)` where the record's own clock lies outside of what Redis' clock allows; '' else. */
  redisNote(moment: Moment): string;
  /** `2026-11-30`, in the display zone; '' where no time is known. */
  date(moment: Moment): string;
  /** An ISO UTC text in the display zone, to the digits it has. */
  iso(at: string): string;
  /** A tick of a time axis at ms since the epoch, as fine as the step between ticks asks for. */
  tick(epochMs: number, stepMs: number): string;
  /** Offset of the zone at that instant, in ms. */
  offsetMs(epochMs: number): number;
}

/**
 * Makes the clock face of a display zone.
 * @throws Error when the zone is not known.
 */
export function clockFace(tz = 'UTC'): ClockFace {
  const zone = createZone(tz);
  const utc = zone.name === 'UTC';
  const offsetMs = (epochMs: number): number => zone.offsetAt(epochMs);

  const shifted = (epochMs: number): string => {
    // Beyond the years that a Date knows the zone has no offset either.
    const zoned = epochMs + offsetMs(epochMs);
    return Number.isNaN(zoned) ? '' : isoOf(zoned);
  };
  const suffix = (epochMs: number): string => (utc ? '' : ` ${offsetText(offsetMs(epochMs))}`);

  const show = (at: string, places: number | undefined, withDate: boolean): string => {
    const told = ISO.exec(at);
    const epochMs = Date.parse(at);
    if (!told || Number.isNaN(epochMs)) return at;
    const local = shifted(epochMs);
    const all = told[3] ?? '';
    const fraction = places === undefined ? all : all.slice(0, places);
    const time = local.slice(11, 19) + (fraction === '' ? '' : `.${fraction}`);
    return withDate ? `${local.slice(0, 10)} ${time}${suffix(epochMs)}` : time;
  };

  const fallback = (moment: Moment, withDate: boolean): string => {
    const epochMs = axisMs(moment);
    if (epochMs === undefined) return 'no time known';
    return `about ${show(isoOf(epochMs), undefined, withDate)}`;
  };

  const redisNote = (moment: Moment): string => {
    const place = disagreement(moment);
    return place === undefined ? '' : ` (Redis time ${show(place.at, 3, false)}${place.spread})`;
  };
  const digits = (moment: Moment): number | undefined => (moment.precision === 's' ? 0 : undefined);

  return {
    zone: utc ? 'UTC' : tz,
    dateTime: (moment) =>
      moment.at === undefined ? fallback(moment, true) : show(moment.at, digits(moment), true) + redisNote(moment),
    time: (moment) => (moment.at === undefined ? fallback(moment, false) : show(moment.at, digits(moment) ?? 3, false)),
    exactTime: (moment) => (moment.at === undefined ? fallback(moment, false) : show(moment.at, digits(moment), false)),
    redisNote,
    date: (moment) => {
      const epochMs = moment.at === undefined ? axisMs(moment) : epochOf(moment.at);
      return epochMs === undefined ? '' : shifted(epochMs).slice(0, 10);
    },
    iso: (at) => show(at, undefined, true),
    tick: (epochMs, stepMs) => tickText(shifted(epochMs), stepMs),
    offsetMs,
  };
}

/** Where a moment lies on the report's common axis: the middle of its bounds in Redis time, else its own time. ms UTC. */
export function axisMs(moment: Moment): number | undefined {
  if (moment.redisMs !== undefined) return (moment.redisMs[0] + moment.redisMs[1]) / 2;
  return moment.at === undefined ? undefined : epochOf(moment.at);
}

/** Redis' place of a moment whose own clock disagrees with it by more than a display is worth. */
function disagreement({ at, redisMs }: Moment): { at: string; spread: string } | undefined {
  const own = at === undefined ? undefined : epochOf(at);
  if (own === undefined || redisMs === undefined) return undefined;
  const [low, high] = redisMs;
  if (own >= low - CLOCK_DISAGREES_MS && own <= high + CLOCK_DISAGREES_MS) return undefined;
  const half = (high - low) / 2;
  return { at: isoOf((low + high) / 2), spread: half >= 1 ? ` ± ${durationText(half)}` : '' };
}

/** ISO text of ms since the epoch; '' beyond the years that a Date knows. */
function isoOf(epochMs: number): string {
  const date = new Date(Math.round(epochMs));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** ms since the epoch of an ISO UTC text, microseconds as a fraction; undefined where it is not one. */
export function epochOf(at: string): number | undefined {
  const told = ISO.exec(at);
  const whole = Date.parse(at);
  if (!told || Number.isNaN(whole)) return undefined;
  const below = (told[3] ?? '').slice(3);
  return below === '' ? whole : whole + Number(`0.${below}`);
}

function tickText(local: string, stepMs: number): string {
  if (stepMs >= 24 * 60 * MINUTE_MS) return local.slice(5, 10);
  if (stepMs >= MINUTE_MS) return local.slice(11, 16);
  if (stepMs >= 1000) return local.slice(11, 19);
  return local.slice(11, 23);
}

function offsetText(offsetMs: number): string {
  const minutes = Math.abs(Math.round(offsetMs / MINUTE_MS));
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  return `${offsetMs < 0 ? '-' : '+'}${hours}:${String(minutes % 60).padStart(2, '0')}`;
}
