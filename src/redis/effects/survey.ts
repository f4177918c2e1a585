/** What the effects of one group did as a whole, which a single effect's meaning hangs on. */
import type { Effect } from './effect.js';
import type { QueueNames } from './queue-names.js';

/** Sets are made only where there is something for them: most groups are one command. */
export interface Survey {
  /** Keys of jobs whose `processedOn` or `active` entry was written. */
  readonly activated: ReadonlySet<string> | undefined;
  /** ms of the `active` entry, by key of the job. */
  readonly activeMs: ReadonlyMap<string, number> | undefined;
  /** Keys of jobs that left `active`. */
  readonly left: ReadonlySet<string> | undefined;
  readonly isSweep: boolean;
  /** Jobs that a sweep took from their workers, or failed. */
  readonly moved: number;
}

/** Looks over a group, and notes the queues whose events it wrote. */
export function survey(effects: readonly Effect[], names: QueueNames): Survey {
  let activated: Set<string> | undefined;
  let activeMs: Map<string, number> | undefined;
  let left: Set<string> | undefined;
  let isSweep = false;
  let moved = 0;
  for (const effect of effects) {
    switch (effect.what) {
      case 'entry': {
        names.note(effect.base, effect.name);
        const { kind, job } = effect.event;
        if (kind === 'active') {
          const jobKey = `${effect.base}:${job}`;
          activated ??= new Set();
          activated.add(jobKey);
          activeMs ??= new Map();
          activeMs.set(jobKey, effect.ms);
        } else if (kind === 'stalled' || kind === 'failed') moved++;
        break;
      }
      case 'processed':
        activated ??= new Set();
        activated.add(effect.jobKey);
        break;
      case 'left-active':
        left ??= new Set();
        left.add(effect.jobKey);
        break;
      case 'sweep':
        isSweep = true;
        break;
      default:
    }
  }
  return { activated, activeMs, left, isSweep, moved };
}

/** ms of the stream entry that is nearest to an effect of the group: the next one, else the last. */
export function nearestMs(effects: readonly Effect[], index: number): number | undefined {
  for (let i = index; i < effects.length; i++) {
    const effect = effects[i];
    if (effect?.what === 'entry') return effect.ms;
  }
  for (let i = index; i >= 0; i--) {
    const effect = effects[i];
    if (effect?.what === 'entry') return effect.ms;
  }
  return undefined;
}
