/**
 * Something went wrong with the job and no rule can say what: the sweep took it back, or a finish was refused. Said so, with
 * the evidence that would decide, rather than left out or guessed.
 */
import { defineRule, rival, step, steps } from './define-rule.js';
import { beginSteps, handoffSteps, lockErrorText, stallSteps } from './words.js';

export default defineRule({
  name: 'undetermined',
  needs: ['worker-log', 'events-stream', 'snapshot'],
  wakes: 'stalls > 0 OR stall_notices > 0 OR lock_errors > 0 OR rejected_finishes > 0 OR stalled_counter > 0',
  judge(story, scene) {
    const run = story.runs.find((candidate) => candidate.stall !== undefined || candidate.lockErrors.length > 0);
    const error = run?.lockErrors[0];
    const records = story.record.events.filter((event) => event.kind === 'stalled' || event.kind === 'stalled-notice');
    const counted = story.record.summary.stalled_counter;
    if (run === undefined && records.length === 0 && counted === 0) return undefined;
    if (run?.completed && run.stall === undefined) return undefined;
    const missing = [
      ...(run?.worker === undefined ? ['the log of the worker that held the job'] : []),
      ...(run?.activation === undefined ? ['the events stream of the queue (RDB or XRANGE)'] : []),
      ...(run?.ledger.length
        ? []
        : ['AOF or a MONITOR capture: when the lock was last renewed, and whether it expired or was deleted']),
    ];
    return {
      ...(run ? { run } : {}),
      boundary: 'undetermined',
      cause: 'undetermined',
      status: 'cannot-tell',
      says: run?.stall
        ? 'was taken from its run by the stalled sweep; the evidence does not tell why its lock was gone'
        : error
          ? 'had a finish refused; the evidence does not tell why its lock was gone'
          : 'was recovered as stalled before the first record of it',
      witness: steps(
        ...(run ? beginSteps(run, story, scene) : []),
        ...(run ? stallSteps(run, story, scene) : []),
        ...(run ? handoffSteps(run, story, scene) : []),
        error && step(error, 'lock', lockErrorText(error, story, run), scene),
        ...records
          .slice(0, run ? 0 : 2)
          .map((event) => step(event, 'sweep', `Job ${story.job} was reported as stalled.`, scene)),
      ),
      hypotheses: [
        rival('process-killed', [], [], ['exit records of the worker process']),
        rival('worker-unresponsive', [], [], ['lines of the worker process around the loss']),
        ...(run && error ? [rival('lock-not-renewed', [error], [], [])] : []),
      ],
      advice: [],
      wouldDecide: missing,
    };
  },
});
