/**
 * How long a run of this kind of job takes at most, as the runs that went well show it. Jobs of one queue may do very different
 * work, so the name counts first; where no names are told the queue does, and without it everything.
 */
import type { Scene } from './scene.js';
import type { Story } from './story.js';

export interface LongestRun {
  readonly ms: number;
  /** `others`: runs of other names only. */
  readonly of: 'name' | 'queue' | 'others';
}

/** Under which the longest run of one name stands in the scene; without a name that of its queue. */
export const runTimeKey = (queue: string | undefined, name?: string): string => JSON.stringify([queue, name]);

/** Undefined where no run went well. */
export function longestRunOf({ queue, name }: Pick<Story, 'queue' | 'name'>, scene: Scene): LongestRun | undefined {
  const own = name === undefined ? undefined : scene.longestRuns.get(runTimeKey(queue, name));
  if (own !== undefined) return { ms: own, of: 'name' };
  const ms = scene.longestRuns.get(runTimeKey(queue)) ?? scene.longestRunMs;
  if (ms <= 0) return undefined;
  const namesTold = queue !== undefined && scene.namedQueues.has(queue);
  return { ms, of: namesTold && name !== undefined ? 'others' : 'queue' };
}

/** For a sentence. */
export const LONGEST_RUN_WORDS: Readonly<Record<LongestRun['of'], string>> = {
  name: 'the longest completed run of that name',
  queue: 'the longest completed run',
  others: 'the longest completed run, which was of another name',
};
