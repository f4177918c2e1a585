/** What a snapshot holds of a job, as one step of a witness. */
import type { Step } from '../model/analysis.js';
import type { StoredJobFacts } from '../model/stored.js';
import { queueKey } from '../story/moments.js';
import type { Story } from '../story/story.js';
import { stepAt } from './define-rule.js';

/** `key`: the part behind the queue's name, such as `active` or `7:lock`. */
export const snapshotStep = (
  { source, offset, momentMs }: StoredJobFacts,
  { queue }: Pick<Story, 'queue'>,
  key: string,
  kind: Step['kind'],
  text: string,
): Step =>
  stepAt(
    {
      source: source.path,
      ...(queue === undefined ? {} : { key: `${queueKey(queue)}:${key}` }),
      ...(offset >= 0 ? { offset } : {}),
    },
    { precision: 'ms', clock: 'redis', ...(momentMs ? { redisMs: [...momentMs] as [number, number] } : {}) },
    kind,
    text,
  );
