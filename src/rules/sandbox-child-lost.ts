/**
 * The child process of a sandboxed processor died under the job.
 *
 * The worker lives and renews the lock, so the job does not stall. BullMQ before 5.34.4 left it active for ever; later versions
 * fail the attempt with the child's exit ("Unexpected exit code: null signal: SIGKILL").
 */
import { quoteEvidence } from '../model/quote-evidence.js';
import type { StoredEvent } from '../model/stored.js';
import type { Run } from '../story/story.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { CHILD_LOST, forVersion } from './versions.js';
import { beginSteps, whoRan, workerName } from './words.js';

const CHILD_EXIT = /^(?:\w*Error: )?(?:Unexpected exit code: |Child exited before it could be retained)/;

const exitOf = (run: Run): StoredEvent | undefined =>
  [run.attemptFailed, run.failed, run.threw].find((event) => CHILD_EXIT.test(event?.data.text ?? ''));

export default defineRule({
  name: 'sandbox-child-lost',
  needs: ['worker-log', 'events-stream'],
  wakes: 'attempt_failures > 0 OR failures > 0 OR throws > 0',
  causes: ['sandbox-child-lost'],
  rivals: ['process-killed'],
  falsePositives: 'A handler that reports the exit of a process of its own.',
  judge(story, scene) {
    const run = story.runs.find((candidate) => exitOf(candidate) !== undefined);
    const exit = run && exitOf(run);
    if (run === undefined || exit === undefined) return undefined;
    const killed = /SIGKILL|signal: 9/.test(exit.data.text ?? '');
    return {
      run,
      boundary: 'progress-to-ack',
      cause: 'sandbox-child-lost',
      status: 'shown',
      says: `lost the child process that ran its sandboxed handler for ${whoRan(run)}`,
      witness: steps(
        ...beginSteps(run, story, scene),
        ...run.progress.slice(-1).map((event) => step(event, 'state', `The last progress of job ${story.job}.`, scene)),
        step(
          exit,
          'state',
          `The attempt on worker ${workerName(run)} failed with the exit of the child: ${quoteEvidence(exit.data.text ?? '')}.`,
          scene,
        ),
      ),
      hypotheses: [
        rival('process-killed', killed ? [exit] : [], [], ['out-of-memory records of the kernel for the child']),
      ],
      advice: [
        'Find what ended the child: memory limits of the container count parent and children together.',
        'Make the handler resume from its checkpoint: a retry begins from the start.',
        ...forVersion(versionOf({ worker: run.worker, queue: story.queue }, scene), CHILD_LOST),
      ],
      wouldDecide: ['Exit records of the child (kernel, container runtime) at the time of the failure.'],
      counterfactual: 'Had the child lived, the worker would have finished the job with its result.',
    };
  },
});
