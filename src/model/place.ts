/**
 * Where a record of a text source stands among the others of it: a number that rises in the order in which they were written.
 * Mostly that is its line. Several records of a JSON document may begin on one line: they follow each other in fractions of
 * it. A source that runs from its newest record to its oldest counts down, from far above any line. The line can always be
 * told from the place, so that a reference leads to the record.
 */
const STEPS = 2 ** 22;
const TOP = 2 ** 30;
const HALF = TOP / 2;

/** @param nth how many records began on the same line before. */
export function placeAt(line: number, nth: number, newestFirst: boolean): number {
  const place = line + Math.min(nth, STEPS - 1) / STEPS;
  return newestFirst ? TOP - place : place;
}

/** The place `steps` records further on the same line. */
export const placeBehind = (place: number, steps: number): number => place + steps / STEPS;

/** The 1-based line of a place. */
export function lineAt(place: number): number {
  return Math.floor(place > HALF ? TOP - place : place);
}

/** The same in SQL. */
export const lineSql = (place: string): string =>
  `CAST(floor(CASE WHEN ${place} > ${HALF} THEN ${TOP} - ${place} ELSE ${place} END) AS BIGINT)`;
