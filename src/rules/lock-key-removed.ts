/**
 * The lock was gone before it could expire: somebody deleted or Redis evicted it.
 *
 * From logs alone: a renewal failed sooner after the start of the run than the lock lives. Both lines are of one process, so
 * no other clock is needed. An assumed lockDuration proves nothing.
 */
import type { Status } from '../model/analysis.js';
import type { StoredEvent } from '../model/stored.js';
import { deletedEarly, FREED_BY_FINISH, lostBeforeExpiry } from '../story/lost-lock.js';
import { durationText, redisInterval } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import type { Run, Story } from '../story/story.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { beginSteps, handoffSteps, lockErrorText, lockText, stallSteps, whoRan, workerName } from './words.js';

export default defineRule({
  name: 'lock-key-removed',
  needs: ['worker-log', 'lock-history'],
  wakes: 'renewal_errors > 0 OR lock_losses > 0',
  causes: ['lock-key-removed'],
  rivals: ['lock-not-renewed'],
  falsePositives:
    'A lock that ran out; a handler that moved its job; one renewal error beside an end (before 5.65.1); a lockDuration that is only assumed.',
  judge(story, scene) {
    const run = story.runs.find(
      (candidate) =>
        !candidate.completed &&
        candidate.moved === undefined &&
        // A handler that moved its job gave the lock up itself, and its log need not say so: only a stall shows that it was lost.
        ((candidate.stall !== undefined && lostBeforeExpiry(candidate, scene)) ||
          deletedEarly(candidate) !== undefined),
    );
    const deleted = run && deletedEarly(run);
    const first = run?.renewalErrors[0];
    if (run === undefined || (first === undefined && deleted === undefined)) return undefined;
    // A renewal that crosses the end of a run is a race of older versions, not a loss.
    if (run.acknowledged || run.attemptFailed) return undefined;
    // A removed job loses its lock with its hash: `job-key-removed` tells that. Some versions free the lock and then refuse the
    // finish for another reason: nobody took it away.
    if (run.lockErrors.some((error) => FREED_BY_FINISH.has(error.kind) || error.kind === 'key-missing'))
      return undefined;
    const refusal = run.lockErrors[0];
    const next = story.runs[run.n];
    return {
      run,
      boundary: 'redis-loss',
      cause: 'lock-key-removed',
      status: statusOf(run, deleted),
      says: `lost its lock on ${whoRan(run)} before it could expire (lock ${lockText(run)}): the key was ${deleted ? howRemoved(deleted, story, scene) : 'deleted or evicted'}${
        next ? `; ${whoRan(next)} ran it again` : ''
      }`,
      witness: steps(
        ...beginSteps(run, story, scene),
        deleted &&
          step(
            deleted,
            'lock',
            `The lock of job ${story.job} (worker ${workerName(run)}) was ${howRemoved(deleted, story, scene)}${howEarly(deleted)} it would have expired.`,
            scene,
          ),
        first &&
          step(
            first,
            'lock',
            `Worker ${workerName(run)} could not renew the lock of job ${story.job}, although it was younger than its life of ${durationText(run.lockLife.value)}.`,
            scene,
          ),
        ...stallSteps(run, story, scene),
        ...handoffSteps(run, story, scene),
        refusal && step(refusal, 'lock', lockErrorText(refusal, story, run), scene),
      ),
      hypotheses: [rival('lock-not-renewed', [], [deleted ?? first], [])],
      advice: deleted?.data.ending === 'evicted' ? [NO_EVICTION, MORE_MEMORY] : [FIND_THE_DELETER, NO_EVICTION],
      wouldDecide: [
        ...(deleted
          ? []
          : [
              'AOF: a DEL of the lock key before its PXAT, in the case the client typed it, tells a deletion from an eviction.',
            ]),
        ...(deleted?.data.client === undefined ? ['MONITOR: the address of the client that deleted the key.'] : []),
        ...(deleted?.data.ending === 'evicted' ? ['INFO stats: evicted_keys, and CONFIG GET maxmemory-policy.'] : []),
      ],
      counterfactual: 'Had the lock key stayed, the worker would have renewed it at its next tick.',
    };
  },
});

const FIND_THE_DELETER =
  'Find what deletes `<prefix>:<queue>:<id>:lock`: start-up clean-up code, a board, a script, or eviction.';
const NO_EVICTION =
  'Set maxmemory-policy to noeviction on the Redis that holds the queues, and check evicted_keys in INFO stats.';
const MORE_MEMORY = 'Give that Redis more memory, or move what may be evicted (caches) to another Redis.';

/** By whom, as far as the log tells: only what Redis deletes by itself stands alone in it, in capitals. */
function howRemoved(gone: StoredEvent, story: Story, scene: Scene): string {
  const { ending, client, verb } = gone.data;
  if (client !== undefined) return `deleted by the client ${client}`;
  if (ending === 'evicted') {
    return wasWatched(gone, story, scene)
      ? `evicted by Redis (${verb}; MONITOR was watching and shows no client that deleted it)`
      : `evicted by Redis, as the ${verb} in its log reads (unless a client wrote it in capitals)`;
  }
  return verb === verb?.toLowerCase() ? `deleted by a client (${verb})` : `deleted by a script (${verb})`;
}

/** A MONITOR capture covers the moment: a client's command would stand in it. */
const wasWatched = (gone: StoredEvent, story: Story, scene: Scene): boolean =>
  story.record.events.some(({ source }) => {
    const window = source.format === 'monitor' ? scene.watched.get(source.path) : undefined;
    const [from, to] = redisInterval(gone, scene);
    return window !== undefined && window[0] <= from && Math.min(to, gone.data.expiresAtMs ?? to) <= window[1];
  });

/**
 * MONITOR shows that a renewal wrote nothing, not why: a server that refuses writes looks the same. It would have shown a client's
 * deletion, so without one (and without the worker's own error) the claim stays possible.
 */
function statusOf(run: Run, deleted: StoredEvent | undefined): Status {
  if (deleted) return 'shown';
  if (run.renewalErrors.every((error) => error.clock === 'redis')) return 'possible';
  return run.renewalErrors.length > 1 && (run.stall ?? run.lockErrors[0]) ? 'shown' : 'likely';
}

/** ", 1.20 s before": no more than that where the time of the command is not known. */
function howEarly({ data, t, precision }: StoredEvent): string {
  if (data.expiresAtMs === undefined || t === undefined) return ' before';
  const bound = precision === 'none' || precision === 's' ? 'at most ' : '';
  return `, ${bound}${durationText(data.expiresAtMs - t)} before`;
}
