/**
 * Which of BullMQ's scripts a call runs.
 *
 * The full text is shown when a connection uses a script for the first time; its leading comment says what it does, and its
 * SHA-1 names it from then on. A capture that began later shows the hash alone: then the keys tell.
 */
import { createHash } from 'node:crypto';

export type ScriptName =
  | 'moveToFinished'
  | 'moveToActive'
  | 'moveToDelayed'
  | 'moveToWaitingChildren'
  | 'moveJobFromActiveToWait'
  | 'retryJob'
  | 'extendLock'
  | 'extendLocks'
  | 'moveStalledJobsToWait'
  | 'other';

/** What the leading comments say, BullMQ 1 to 6. */
const COMMENTS: readonly (readonly [phrase: string, name: ScriptName])[] = [
  ['Move job from active to a finished status', 'moveToFinished'],
  ['Move next job to be processed to active', 'moveToActive'],
  ['Moves job from active to delayed set', 'moveToDelayed'],
  ['Moves job from active to waiting children set', 'moveToWaitingChildren'],
  ['Function to move job from active state to wait', 'moveJobFromActiveToWait'],
  ['Retries a failed job by moving it back to the wait queue', 'retryJob'],
  ['Extend lock and removes the job from the stalled set', 'extendLock'],
  ['Extend locks for multiple jobs', 'extendLocks'],
  ['Move stalled jobs to wait', 'moveStalledJobsToWait'],
];

const MAX_COMMENT_BYTES = 400;
const MAX_LEARNED = 1000;
const LOCK = ':lock';

export class ScriptNames {
  readonly #bySha = new Map<string, ScriptName>();

  /** Learns the hash of a script from its text. */
  learn(text: Buffer): ScriptName {
    const head = text.toString('utf8', 0, MAX_COMMENT_BYTES);
    const name = COMMENTS.find(([phrase]) => head.includes(phrase))?.[1] ?? 'other';
    if (this.#bySha.size < MAX_LEARNED) this.#bySha.set(createHash('sha1').update(text).digest('hex'), name);
    return name;
  }

  bySha(sha: string): ScriptName | undefined {
    return this.#bySha.get(sha.toLowerCase());
  }
}

/** Scripts whose first key is `active`; Bull's (3 and 4) take fewer keys, in the same order. */
function scriptOnActive(keys: readonly string[], second: string, has: (end: string) => boolean): ScriptName {
  switch (second) {
    case 'waiting-children':
      return 'moveToWaitingChildren';
    case 'completed':
    case 'failed':
      return 'moveToFinished';
    case 'delayed':
      return 'moveToDelayed';
    case 'wait':
      // Bull's removeJob names every set.
      if (has(':completed')) return 'other';
      return has(':delayed') || has(':meta-paused') || keys.length === 3 ? 'retryJob' : 'moveJobFromActiveToWait';
    default:
      return 'other';
  }
}

/** The script that takes such keys, in BullMQ 3 to 6. */
export function scriptByKeys(keys: readonly string[], argv0: string): ScriptName {
  const [first = '', second = ''] = keys;
  const last = (key: string): string => key.slice(key.lastIndexOf(':') + 1);
  const has = (end: string): boolean => keys.some((key) => key.endsWith(end));
  switch (last(first)) {
    case 'stalled':
      if (keys.length === 1) return 'extendLocks';
      return has(':stalled-check') ? 'moveStalledJobsToWait' : 'other';
    case 'lock':
      return keys.length === 2 && first.endsWith(LOCK) && last(second) === 'stalled' ? 'extendLock' : 'other';
    case 'active':
      return scriptOnActive(keys, last(second), has);
    case 'marker':
      return last(second) === 'active' && has(':delayed') ? 'moveToDelayed' : 'other';
    case 'wait':
      if (last(second) !== 'active') return 'other';
      return (has(':completed') || has(':failed')) && keys.some((key) => key.endsWith(`:${argv0}`))
        ? 'moveToFinished'
        : 'moveToActive';
    default:
      return 'other';
  }
}
