/** Durations as people type them on a command line or print them in a log. */

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const WHOLE = /^(?:\d{1,15}(?:\.\d{1,9})?(?:ms|sec|s|min|m|h|d))+$/;
const PART = /(\d{1,15}(?:\.\d{1,9})?)(ms|sec|s|min|m|h|d)/g;

/**
 * `30s`, `1500ms`, `5m`, `1h`, `1m30s`, or a bare number of milliseconds, to ms.
 *
 * @throws Error with a sentence fit for the user when the text is no duration.
 */
export function parseDuration(text: string): number {
  const trimmed = text.trim().toLowerCase();
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(trimmed)) return Number(trimmed);
  if (!WHOLE.test(trimmed)) {
    throw new Error(`"${text}" is not a duration: write 30s, 1500ms, 5m, 1h or a number of milliseconds`);
  }
  let total = 0;
  for (const [, amount, unit] of trimmed.matchAll(PART)) total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  return Math.round(total * 1e6) / 1e6;
}
