/**
 * Zones for times that carry none. The machine's own zone is never asked: the same input must give the same bytes on
 * every analyst's computer, so all arithmetic goes through `Date.UTC` and offsets named by the caller.
 */
import { tzOffset } from '@date-fns/tz/tzOffset';

export interface Zone {
  readonly name: string;
  /** Wall-clock time in this zone, written as if it were UTC ms, to ms UTC. */
  toUtc(wallMs: number): number;
  /** What wall-clock time in this zone is ahead of UTC at an instant, both in ms. */
  offsetAt(utcMs: number): number;
}

export const UTC: Zone = { name: 'UTC', toUtc: (wallMs) => wallMs, offsetAt: () => 0 };

const MINUTE_MS = 60_000;
/** Offsets change on quarter hours at the earliest; one remembered quarter serves a run of log lines. */
const QUARTER_MS = 900_000;

/**
 * Zone by IANA name (`Europe/Paris`) or offset (`+05:30`, `-0330`, `Z`).
 *
 * A wall time that occurs twice (clocks set back) is read as the first of the two; one that never occurs (clocks set
 * forward) as if the clock had not been changed yet.
 *
 * @throws Error when no such zone is known.
 */
export function createZone(name: string): Zone {
  const trimmed = name.trim();
  if (/^(?:z|utc|gmt|etc\/utc|[+-]00:?00)$/i.test(trimmed)) return UTC;
  const offset = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(trimmed);
  if (offset) return fixedZone(trimmed, offset[1] === '-' ? -1 : 1, Number(offset[2]), Number(offset[3] ?? 0));
  if (!Number.isFinite(tzOffset(trimmed, new Date(0)))) {
    throw new Error(`unknown time zone "${name}": use an IANA name such as Europe/Paris or an offset such as +02:00`);
  }
  return ianaZone(trimmed);
}

function fixedZone(name: string, sign: number, hours: number, minutes: number): Zone {
  if (hours > 18 || minutes > 59) throw new Error(`offset "${name}" is out of range`);
  const offsetMs = sign * (hours * 60 + minutes) * MINUTE_MS;
  return { name, toUtc: (wallMs) => wallMs - offsetMs, offsetAt: () => offsetMs };
}

function ianaZone(name: string): Zone {
  let quarter = Number.NaN;
  let offsetMs = 0;
  const offsetAt = (utcMs: number): number => tzOffset(name, new Date(utcMs)) * MINUTE_MS;
  return {
    name,
    offsetAt,
    toUtc(wallMs) {
      const wanted = Math.floor(wallMs / QUARTER_MS);
      if (wanted !== quarter) {
        quarter = wanted;
        // The offset a day before settles both doubtful cases: it is the one in force before a change of clocks.
        const before = offsetAt(wallMs - 86_400_000);
        const near = offsetAt(wallMs - before);
        offsetMs = near === before || offsetAt(wallMs - near) !== near ? before : near;
      }
      return wallMs - offsetMs;
    },
  };
}

/** Abbreviations that RFC 822 or common use ties to one offset, in minutes. The rest is too ambiguous to use. */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  WET: 0,
  WEST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  BST: 60,
  JST: 540,
};

/** Offset in minutes of a zone abbreviation; undefined when it is not known. */
export function abbreviationOffset(text: string): number | undefined {
  return Object.hasOwn(ABBREVIATIONS, text) ? ABBREVIATIONS[text] : undefined;
}
