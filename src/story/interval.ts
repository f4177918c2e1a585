/**
 * Times as intervals, in ms on Redis' clock.
 *
 * A worker's time reaches Redis' clock only through the offset of its clock, which is known within bounds; so does a time
 * printed to the second. Order between two records is asserted only where their intervals do not touch.
 */
export type Interval = readonly [low: number, high: number];

export const midpoint = ([low, high]: Interval): number => {
  if (!Number.isFinite(low)) return Number.isFinite(high) ? high : 0;
  return Number.isFinite(high) ? (low + high) / 2 : low;
};

/** Certain: all of `a` lies before all of `b`. */
export const surelyBefore = (a: Interval, b: Interval): boolean => a[1] < b[0];

/** The longest time that can lie between the start of `a` and the end of `b`, ms. */
export const longestBetween = (a: Interval, b: Interval): number => b[1] - a[0];

/** The shortest time that can lie between `a` and `b`, ms; negative when they may overlap or stand in the other order. */
export const shortestBetween = (a: Interval, b: Interval): number => b[0] - a[1];
