/**
 * The finishing script gave the lock up and then refused to record the end.
 *
 * Up to BullMQ 5.45.1 it deleted the lock before it saw that children were pending (code -4), and single later versions did so
 * before they saw that the job was not in active (code -3): the job stays active without a lock until a sweep runs it again.
 */
import { FREED_BY_FINISH } from '../story/lost-lock.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { forVersion, WAIT_FOR_CHILDREN_FIRST } from './versions.js';
import { beginSteps, handoffSteps, lockErrorText, stallSteps, whoRan } from './words.js';

export default defineRule({
  name: 'lock-released-without-record',
  needs: ['worker-log'],
  wakes: 'lock_errors > 0 AND (stalls > 0 OR stall_notices > 0 OR stalled_counter > 0)',
  causes: ['lock-released-without-record'],
  rivals: ['lock-not-renewed'],
  falsePositives: 'Later versions refuse without freeing the lock; there the worker fails the job for the record.',
  judge(story, scene) {
    const run = story.runs.find(
      ({ lockErrors, stall, moved, movedLine }) =>
        lockErrors[0] !== undefined &&
        FREED_BY_FINISH.has(lockErrors[0].kind) &&
        stall !== undefined &&
        !moved &&
        !movedLine,
    );
    const refusal = run?.lockErrors[0];
    if (run === undefined || refusal === undefined) return undefined;
    const next = story.runs[run.n];
    return {
      run,
      boundary: 'redis-loss',
      cause: 'lock-released-without-record',
      status: 'likely',
      says: `had ended on ${whoRan(run)}; Redis refused the finish but had given up its lock, so the sweep took the job back${
        next ? ` and ${whoRan(next)} ran it again` : ''
      }`,
      witness: steps(
        ...beginSteps(run, story, scene),
        step(refusal, 'lock', lockErrorText(refusal, story, run), scene),
        ...stallSteps(run, story, scene),
        ...handoffSteps(run, story, scene),
      ),
      hypotheses: [rival('lock-not-renewed', [], [refusal], ['the version of BullMQ in the worker'])],
      advice: [
        ...(refusal.kind === 'pending-children'
          ? forVersion(versionOf({ worker: run.worker, queue: story.queue }, scene), WAIT_FOR_CHILDREN_FIRST)
          : [
              'Upgrade BullMQ: single versions (6.2.0 is one) delete the lock before they look at the state of the job.',
            ]),
        'After moveToWaitingChildren leave with WaitingChildrenError, and add children before the handler ends.',
      ],
      wouldDecide: [
        'The version of BullMQ in the worker, and AOF or MONITOR: DEL of the lock in the script that refused.',
      ],
      counterfactual: 'Had the script kept the lock, the worker could have failed the job for the record.',
    };
  },
});
