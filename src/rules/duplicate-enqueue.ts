/**
 * Two jobs were added for one piece of work, by the word of the application: its logs name one idempotency key beside both.
 *
 * Neither job did anything wrong, so nothing in the queue tells it. A job that is added anew after the first one had failed is
 * a retry of the producer's own, and jobs of two names under one key are steps of one request. Idempotency records tell the same
 * (see the audit); equal names or payloads do not.
 */
import type { StoredEvent } from '../model/stored.js';
import { type Twin, twinKey } from '../model/twin.js';
import { surelyBefore } from '../story/interval.js';
import { redisInterval } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import { beginOf, type Story } from '../story/story.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { DEDUPLICATE, forVersion } from './versions.js';

export default defineRule({
  name: 'duplicate-enqueue',
  needs: ['worker-log'],
  wakes: 'twins > 0',
  causes: ['duplicate-enqueue'],
  rivals: ['id-reused'],
  falsePositives:
    'Steps of one request under one key (other job names); a job that the producer added anew because the first had failed; a handler that finds the key done and does nothing.',
  judge(story, scene) {
    const keyed = story.record.events.find(({ data }) => data.key !== undefined);
    const [first] = story.runs;
    if (keyed === undefined || first === undefined) return undefined;
    const twins = (scene.twins.get(twinKey(story.queue, story.job)) ?? []).filter(
      (twin) => twin.keyed?.data.key === keyed.data.key && isSameWork(twin, story, scene),
    );
    if (twins.length === 0) return undefined;
    const ids = twins.map(({ job }) => job);
    const named = story.name !== undefined && twins.every((twin) => nameOf(twin) === story.name);
    const added = story.record.events.find(({ kind, clock }) => kind === 'added' && clock === 'redis');
    const [earliest] = [story.job, ...ids].sort();
    return {
      ownFinding: true,
      group: `key of ${earliest}`,
      boundary: 'enqueue',
      cause: 'duplicate-enqueue',
      status: named ? 'likely' : 'possible',
      says: `and job ${ids.join(', ')} were added for one piece of work: the logs name one idempotency key for them, and each was run`,
      witness: steps(
        added && step(added, 'redis-order', `Redis added job ${story.job}.`, scene),
        step(beginOf(first), 'state', `Job ${story.job} began.`, scene),
        step(keyed, 'state', `A line about job ${story.job} names the idempotency key.`, scene),
        ...twins.flatMap((twin) => [
          twin.added && step(twin.added, 'redis-order', `Redis added job ${twin.job}.`, scene),
          twin.began && step(twin.began, 'state', `Job ${twin.job} began.`, scene),
          twin.keyed &&
            step(twin.keyed, 'state', `A line about job ${twin.job} names the same idempotency key.`, scene),
        ]),
      ),
      hypotheses: [rival('id-reused', [], [keyed])],
      advice: [
        ...forVersion(versionOf(story, scene), DEDUPLICATE),
        'Let the handler look the key up before it acts, and write it down with the effect in one transaction.',
      ],
      wouldDecide: ['The idempotency records: whether each job did the work or found it done.'],
      counterfactual: `Had the id of the job been made of the key, ${ids.length === 1 ? 'the second add' : `${ids.length} of the ${ids.length + 1} adds`} would have changed nothing, as long as the first job was kept.`,
    };
  },
});

const nameOf = (twin: Twin): string | undefined => twin.added?.data.jobName ?? twin.began?.data.jobName;

/** The other one was run, is not a step by another name, and neither was added because the other had failed. */
function isSameWork(twin: Twin, story: Story, scene: Scene): boolean {
  const name = nameOf(twin);
  if (twin.began === undefined || (name !== undefined && story.name !== undefined && name !== story.name)) return false;
  const own = story.runs.find((run) => run.failed ?? run.attemptFailed);
  const failed = own?.failed ?? own?.attemptFailed;
  const succeeded = story.runs.some((run) => run.completed ?? run.acknowledged);
  const begin = story.runs[0] && beginOf(story.runs[0]);
  const isFailure = twin.ended?.kind === 'failed' || twin.ended?.kind === 'attempt-failed';
  return !(
    (failed && !succeeded && surelyAfter(twin.began, failed, scene)) ||
    (isFailure && twin.ended && begin && surelyAfter(begin, twin.ended, scene))
  );
}

const surelyAfter = (later: StoredEvent, earlier: StoredEvent, scene: Scene): boolean =>
  surelyBefore(redisInterval(earlier, scene), redisInterval(later, scene));
