/** Durations and counts as people read them. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in ms as text: `201 ms`, `4.671 s`, `3 min 5 s`, `2 h 4 min`, `3 d 2 h`. Negative durations keep their sign. */
export function durationText(ms: number): string {
  if (!Number.isFinite(ms)) return 'unknown';
  if (ms < 0) return `−${durationText(-ms)}`;
  if (ms < SECOND) return `${decimal(ms, ms < 10 ? 1 : 0)} ms`;
  if (ms < MINUTE) return `${decimal(ms / SECOND, 3)} s`;
  if (ms < HOUR) return twoUnits(ms, MINUTE, 'min', SECOND, 's');
  if (ms < DAY) return twoUnits(ms, HOUR, 'h', MINUTE, 'min');
  return twoUnits(ms, DAY, 'd', HOUR, 'h');
}

/** An interval in ms, such as a clock offset: `−1.2 ms to 0.8 ms`, one value where both ends print alike. */
export function intervalText([low, high]: readonly [number, number]): string {
  const from = durationText(low);
  const to = durationText(high);
  return from === to ? from : `${from} to ${to}`;
}

/** A count with thousands separators: `1,204,553`. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `1 job`, `2 jobs`; pass the plural where it is not the word with an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

function decimal(value: number, digits: number): string {
  const fixed = value.toFixed(digits);
  return fixed.replace(/\.0+$/, '');
}

function twoUnits(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const smalls = Math.round(ms / small);
  const perBig = big / small;
  const rest = smalls % perBig;
  const whole = `${countText(Math.floor(smalls / perBig))} ${bigName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}
