/** What the effects of one group did as a whole, which a single effect's meaning hangs on. */
import type { Effect } from './effect.js';
import type { QueueNames } from './queue-names.js';

/** What a group did as a whole. */
export interface Survey {
  readonly activated: ReadonlySet<string>;
  /** ms of the `active` entry, by key of the job. */
  readonly activeMs: ReadonlyMap<string, number>;
  /** Keys of jobs that left `active`. */
  readonly left: ReadonlySet<string>;
  readonly sweep: Effect | undefined;
  /** Jobs that a sweep took from their workers, or failed. */
  readonly moved: number;
  /** By effect: ms of the next stream entry, or of the last where none follows. */
  readonly nearMs: readonly (number | undefined)[];
}

/** Looks over a group, and notes the queues whose events it wrote. */
export function survey(effects: readonly Effect[], names: QueueNames): Survey {
  const activated = new Set<string>();
  const activeMs = new Map<string, number>();
  const left = new Set<string>();
  const nearMs: (number | undefined)[] = new Array(effects.length);
  let sweep: Effect | undefined;
  let moved = 0;
  let lastMs: number | undefined;
  for (const effect of effects) {
    if (effect.what === 'entry') {
      names.note(effect.base);
      lastMs = effect.event.t;
      const { kind, job, t } = effect.event;
      if (kind === 'active') {
        activated.add(`${effect.base}:${job}`);
        activeMs.set(`${effect.base}:${job}`, t);
      } else if (kind === 'stalled' || kind === 'failed') moved++;
    } else if (effect.what === 'processed') activated.add(effect.jobKey);
    else if (effect.what === 'left-active') left.add(effect.jobKey);
    else if (effect.what === 'sweep') sweep = effect;
  }
  for (let index = effects.length - 1; index >= 0; index--) {
    const effect = effects[index];
    if (effect?.what === 'entry') lastMs = effect.event.t;
    nearMs[index] = lastMs;
  }
  return { activated, activeMs, left, sweep, moved, nearMs };
}
