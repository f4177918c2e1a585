/**
 * The lock was gone before it could expire: somebody deleted or Redis evicted it.
 *
 * From logs alone: a renewal failed sooner after the start of the run than the lock lives. Both lines are of one process, so
 * no other clock is needed. An assumed lockDuration proves nothing.
 */
import { deletedEarly, lostBeforeExpiry } from '../story/lost-lock.js';
import { durationText } from '../story/moments.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { beginSteps, handoffSteps, lockErrorText, lockText, stallSteps, whoRan, workerName } from './words.js';

export default defineRule({
  name: 'lock-key-removed',
  needs: ['worker-log'],
  wakes: 'renewal_errors > 0 OR lock_events > 0',
  judge(story, scene) {
    const run = story.runs.find(
      (candidate) =>
        !candidate.completed &&
        candidate.moved === undefined &&
        (lostBeforeExpiry(candidate, scene) || deletedEarly(candidate) !== undefined),
    );
    const deleted = run && deletedEarly(run);
    const first = run?.renewalErrors[0];
    if (run === undefined || (first === undefined && deleted === undefined)) return undefined;
    // A renewal that crosses the end of a run is a race of older versions, not a loss.
    if (run.acknowledged || run.attemptFailed) return undefined;
    // A removed job loses its lock with its hash: `job-key-removed` tells that.
    if (run.lockErrors.some((error) => error.kind === 'key-missing')) return undefined;
    const refusal = run.lockErrors[0];
    const next = story.runs[run.n];
    return {
      run,
      boundary: 'redis-loss',
      cause: 'lock-key-removed',
      status: deleted || (run.renewalErrors.length > 1 && (run.stall ?? refusal)) ? 'shown' : 'likely',
      says: `lost its lock on ${whoRan(run)} before it could expire (lock ${lockText(scene)}): the key was ${deleted?.data.client ? `deleted by the client ${deleted.data.client}` : 'deleted or evicted'}${
        next ? `; ${whoRan(next)} ran it again` : ''
      }`,
      witness: steps(
        ...beginSteps(run, story, scene),
        deleted &&
          step(
            deleted,
            'lock',
            `The lock of job ${story.job} (worker ${workerName(run)}) was removed by ${deleted.data.verb ?? 'a deletion'}${
              deleted.data.client ? ` of client ${deleted.data.client}` : ''
            }, ${durationText((deleted.data.expiresAtMs ?? 0) - (deleted.t ?? 0))} before it would have expired.`,
            scene,
          ),
        first &&
          step(
            first,
            'lock',
            `Worker ${workerName(run)} could not renew the lock of job ${story.job}, although it was younger than its life of ${durationText(scene.lockDuration.value)}.`,
            scene,
          ),
        ...stallSteps(run, story, scene),
        ...handoffSteps(run, story, scene),
        refusal && step(refusal, 'lock', lockErrorText(refusal, story, run), scene),
      ),
      hypotheses: [rival('lock-not-renewed', [], [deleted ?? first], [])],
      advice: [
        'Find what deletes `<prefix>:<queue>:<id>:lock`: start-up clean-up code, a board, a script, or eviction.',
        'Set maxmemory-policy to noeviction on the Redis that holds the queues, and check evicted_keys in INFO stats.',
      ],
      wouldDecide: [
        'AOF: a DEL of the lock key before its PXAT, in the case the client typed it, tells a deletion from an eviction.',
        'MONITOR: the address of the client that deleted the key.',
      ],
      counterfactual: 'Had the lock key stayed, the worker would have renewed it at its next tick.',
    };
  },
});
