/** Was a process silent for longer than a lock lives while a run of it was open? */
import type { Ref } from '../model/analysis.js';
import type { StoredEvent } from '../model/stored.js';
import { offsetAt } from './clocks.js';
import { midpoint } from './interval.js';
import { redisInterval } from './moments.js';
import type { Gap, Scene, WorkerProcess } from './scene.js';
import { beginOf, endOf, type Run } from './story.js';

export interface Silence {
  /** Redis' clock, ms; the silence is at least this long, and its place is known to `blurMs` either way. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly blurMs: number;
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
    const own = onOwnClock(gap, run, worker, end, lifeSigns);
    if (own) {
      if (own.toMs - own.fromMs > (longest ? longest.toMs - longest.fromMs : 0)) longest = own;
      continue;
    }
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
        blurMs: 0,
        after: placeOf(gap.source, gap.beforeLine),
      };
    }
  }
  return longest && longest.toMs - longest.fromMs >= run.lockLife.value * LIFE_AND_TICK ? longest : undefined;
}

/**
 * A gap between two lines of one log, both within the run and with no sign of life from Redis in it: its length rests on no
 * other clock, however little is known of the offset.
 */
function onOwnClock(
  gap: Gap,
  run: Run,
  worker: WorkerProcess,
  end: StoredEvent | undefined,
  lifeSigns: readonly number[],
): Silence | undefined {
  const { started } = run;
  if (started?.source.path !== gap.source || started.line > gap.afterLine || gap.afterLine <= 0) return undefined;
  if (end !== undefined && (end.source !== started.source || end.line < gap.beforeLine)) return undefined;
  const offset = offsetAt(worker, gap.source, gap.afterLine);
  const later = offsetAt(worker, gap.source, gap.beforeLine);
  if (offset[0] !== later[0] || offset[1] !== later[1]) return undefined;
  if (lifeSigns.some((ms) => ms + offset[1] > gap.fromMs && ms + offset[0] < gap.toMs)) return undefined;
  const ahead = midpoint(offset);
  return {
    fromMs: gap.fromMs - ahead,
    toMs: gap.toMs - ahead,
    blurMs: (offset[1] - offset[0]) / 2,
    after: placeOf(gap.source, gap.beforeLine),
  };
}
