/**
 * Something went wrong with the job and no rule can say what: the sweep took it back, a finish was refused, or its lock could not be
 * renewed and nothing tells how it ended. Said so, with the evidence that would decide, rather than left out or guessed. The errors
 * alone, without any other line of the job, are what most people have.
 */
import type { StoredEvent } from '../model/stored.js';
import { endOf, type Run, type Story } from '../story/story.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { beginSteps, handoffSteps, lockErrorText, stallSteps } from './words.js';

export default defineRule({
  name: 'undetermined',
  needs: ['worker-log', 'events-stream', 'snapshot'],
  wakes:
    'stalls > 0 OR stall_notices > 0 OR lock_errors > 0 OR rejected_finishes > 0 OR stalled_counter > 0 OR renewal_errors > 0',
  causes: ['undetermined'],
  rivals: ['process-killed', 'worker-unresponsive', 'lock-not-renewed'],
  falsePositives: 'One renewal error beside an end is a race of versions before 5.65.1 and is left out.',
  judge(story, scene) {
    const run = story.runs.find(
      (candidate) => candidate.stall !== undefined || candidate.lockErrors.length > 0 || renewsInVain(candidate),
    );
    const loose = run === undefined ? looseErrors(story) : [];
    const error = run ? (run.lockErrors[0] ?? run.renewalErrors[0]) : loose[0];
    const records = story.record.events.filter((event) => event.kind === 'stalled' || event.kind === 'stalled-notice');
    const counted = story.record.summary.stalled_counter;
    if (error === undefined && run === undefined && records.length === 0 && counted === 0) return undefined;
    if (run?.completed && run.stall === undefined) return undefined;
    const missing = [
      ...(loose.length > 0
        ? ['the lines of that worker at the start and the end of the job']
        : run?.worker === undefined
          ? ['the log of the worker that held the job']
          : []),
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
        : error?.kind === 'renewal-failed'
          ? 'had a lock that could not be renewed any more; the evidence tells neither why it was gone nor how the job ended'
          : error
            ? 'had a finish refused; the evidence does not tell why its lock was gone'
            : 'was recovered as stalled before the first record of it',
      witness: steps(
        ...(run ? beginSteps(run, story, scene) : []),
        ...(run ? stallSteps(run, story, scene) : []),
        ...(run ? handoffSteps(run, story, scene) : []),
        error && step(error, 'lock', errorText(error, story, run), scene),
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

/** The worker tries to renew what it does not hold, and no record ends the run: one error beside an end is a race of older versions. */
const renewsInVain = (run: Run): boolean =>
  run.renewalErrors.length > 0 && endOf(run) === undefined && run.moved === undefined && run.movedLine === undefined;

/** What a worker says as it finishes or gives back a job; calls of a board or of an application's own are none of it. */
const OWN_COMMAND = /^(?:moveTo\w+|moveJobFromActiveToWait|retryJob|finished|failed|delayed|retry)$/;
const REFUSED: ReadonlySet<StoredEvent['kind']> = new Set([
  'lock-missing',
  'lock-mismatch',
  'key-missing',
  'not-in-state',
  'pending-children',
]);

/** Errors of a job of which no run is known. */
function looseErrors(story: Story): StoredEvent[] {
  const ended = story.record.events.some(({ kind }) => kind === 'acknowledged' || kind === 'completed');
  return story.record.events.filter(({ kind, data }) =>
    kind === 'renewal-failed'
      ? !ended
      : REFUSED.has(kind) && data.frame !== 'user' && (data.command === undefined || OWN_COMMAND.test(data.command)),
  );
}

const errorText = (error: StoredEvent, story: Story, run: Run | undefined): string =>
  error.kind === 'renewal-failed'
    ? `The lock of job ${story.job} could not be renewed.`
    : lockErrorText(error, story, run);
