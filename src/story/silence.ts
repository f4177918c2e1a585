/** Was a process silent for longer than a lock lives while a run of it was open? */
import type { Ref } from '../model/analysis.js';
import { offsetAt } from './clocks.js';
import { redisInterval } from './moments.js';
import type { Scene } from './scene.js';
import { beginOf, endOf, type Run } from './story.js';

export interface Silence {
  /** Redis' clock, ms; the silence is at least this long. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Where the process spoke again. */
  readonly after: Ref;
}

/** A lock is renewed each quarter of its life: a process that was silent for its life and one tick has missed every chance. */
const LIFE_AND_TICK = 1.25;

/** A gap between commands that Redis saw has no lines around it. */
const placeOf = (source: string, line: number): Ref => (line > 0 ? { source, line } : { source });

/**
 * The longest stretch of the run without any line of its process and without any progress that Redis recorded from it.
 * Undefined when that is not longer than the lock's life and a tick: then the process had the time to renew.
 */
export function silenceDuring(run: Run, scene: Scene): Silence | undefined {
  const { worker } = run;
  if (worker === undefined) return undefined;
  const begin = redisInterval(beginOf(run), scene)[0];
  const end = endOf(run);
  const until = end ? redisInterval(end, scene)[1] : scene.endMs;
  const lossAt = run.stall?.recorded?.t ?? until;
  // Progress of this run in the stream is a sign of life as long as nobody else can have written it.
  const lifeSigns = run.progress
    .filter((event) => event.clock === 'redis' && (event.t ?? 0) <= lossAt)
    .map((event) => event.t ?? 0);
  let longest: Silence | undefined;
  for (const gap of worker.gaps) {
    const edges = [
      Math.max(gap.fromMs - offsetAt(worker, gap.source, gap.afterLine)[0], begin),
      ...lifeSigns,
      Math.min(gap.toMs - offsetAt(worker, gap.source, gap.beforeLine)[1], until),
    ];
    const from = edges[0] ?? 0;
    const to = edges.at(-1) ?? 0;
    const inside = edges.filter((edge) => edge >= from && edge <= to).sort((a, b) => a - b);
    for (let n = 1; n < inside.length; n++) {
      const [start = 0, stop = 0] = [inside[n - 1], inside[n]];
      if (stop - start <= (longest ? longest.toMs - longest.fromMs : 0)) continue;
      longest = {
        fromMs: start,
        toMs: stop,
        after: placeOf(gap.source, gap.beforeLine),
      };
    }
  }
  return longest && longest.toMs - longest.fromMs >= run.lockLife.value * LIFE_AND_TICK ? longest : undefined;
}
