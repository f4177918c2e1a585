import { definePhrases } from './define-phrases.js';

/** The event loop stood still: said by monitors such as `blocked-at`, `toobusy`, `perf_hooks`, or by the application. */
export const eventLoop = definePhrases({
  name: 'event-loop',
  mark: /event[ -]?loop|\bloop lag|\bblocked for|main thread|\bgc\b/,
  phrases: [
    {
      kind: 'event-loop-lag',
      says: /\b(?:event[ -]?loop|main thread)\b.{0,60}\b(?:lag|lagged|lagging|block(?:ed|ing|age)?|delay(?:ed)?|stall(?:ed)?|stuck|late|starved|behind|unresponsive|hang|hung|froze|frozen|pause[ds]?)\b|\b(?:blocked|stalled|blocking|lagging|starved|froze|frozen|delay(?:ed)?|lag)\b.{0,30}\b(?:the )?(?:event[ -]?loop|main thread)\b|\bloop lag\b|\bgc (?:pauses?|paused|took|blocked)\b/,
      unless: /\bmonitor(?:ing)? (?:started|enabled|on)\b/,
    },
  ],
});

/** The lag a text states, in ms: `5000ms`, `5.2 s`, `350 milliseconds`. The largest where there are several. */
export function lagIn(lower: string): number | undefined {
  let largest: number | undefined;
  for (const [, amount, unit] of lower.matchAll(
    /(\d{1,9}(?:\.\d{1,6})?)\s?(ms|millis(?:econds)?|milliseconds|s|sec|secs|seconds)\b/g,
  )) {
    const ms = Number(amount) * (unit?.startsWith('m') ? 1 : 1000);
    if (largest === undefined || ms > largest) largest = ms;
  }
  return largest;
}
