/** Ticks of a time axis at round times of the display zone. */

const STEPS_MS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 3_600_000),
] as const;
const DAY_MS = 86_400_000;

export interface TimeAxis {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
  readonly ticks: readonly number[];
}

/**
 * An axis over a span with at most so many ticks, at multiples of a round step counted in the display zone.
 * @param offsetMs offset of the display zone, so that hours and days begin where its clocks say
 */
export function timeAxis(fromMs: number, toMs: number, mostTicks: number, offsetMs: number): TimeAxis {
  const span = Math.max(toMs - fromMs, 1);
  const stepMs = STEPS_MS.find((step) => span / step <= mostTicks) ?? Math.ceil(span / DAY_MS / mostTicks) * DAY_MS;
  const ticks: number[] = [];
  const first = Math.ceil((fromMs + offsetMs) / stepMs) * stepMs;
  // Counted, not stepped: beyond 2^53 a step no longer moves the number.
  for (let n = 0; n <= mostTicks && first + n * stepMs <= toMs + offsetMs; n++)
    ticks.push(first + n * stepMs - offsetMs);
  return { fromMs, toMs, stepMs, ticks };
}
