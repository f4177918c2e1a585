/**
 * The handler moved or finished its job itself and did not leave with the special error, so the worker tried to finish a job
 * it no longer held.
 *
 * Facts: after moveToDelayed, moveToWaitingChildren or moveToWait a plain return is refused with "Missing lock" (or, for
 * children, "has pending dependencies"); progress, data and logs need no lock and succeed; the job is run again as planned,
 * so the error alone is no duplicate. A stalled sweep in between is another story.
 */
import type { Hypothesis } from '../model/analysis.js';
import { afterMove, saysFinished } from '../story/after-move.js';
import { midpoint } from '../story/interval.js';
import { finishedByHand } from '../story/lost-lock.js';
import { durationText, redisInterval } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import type { Run, Story } from '../story/story.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, rival, step, steps, type Verdict } from './define-rule.js';
import { leaveWith } from './versions.js';
import { beginSteps, lockErrorText, whoRan, workerName } from './words.js';

export default defineRule({
  name: 'step-transition',
  needs: ['worker-log', 'rejected-commands'],
  wakes: 'lock_errors > 0 OR rejected_finishes > 0',
  causes: ['returned-after-move', 'continued-after-move', 'manual-ack-inside-handler', 'foreign-token', 'undetermined'],
  rivals: ['lock-not-renewed', 'reply-lost'],
  falsePositives:
    'A step that leaves with its special error is refused nothing; a stalled sweep between move and refusal makes it a lost lock; a finish that was executed and sent again after a reconnect is refused, too.',
  judge(story, scene) {
    for (const run of story.runs) {
      if (run.stall) return undefined;
      const verdict =
        movedThenWentOn(run, story, scene) ?? finishedTwice(run, story, scene) ?? foreignToken(run, story, scene);
      if (verdict) return verdict;
    }
    return movedFromOutside(story, scene);
  },
});

const SWEPT: ReadonlySet<string> = new Set(['stalled', 'stalled-notice']);

function movedThenWentOn(run: Run, story: Story, scene: Scene): Verdict | undefined {
  const children = run.lockErrors.find((error) => error.kind === 'pending-children');
  const after = afterMove(run, story, scene);
  const refusal = run.lockErrors[0];
  if (refusal === undefined || (after === undefined && children === undefined)) return undefined;
  // A refusal alone shows a move only where no sweep had its hands on the job.
  if (after === undefined && story.record.events.some(({ kind }) => SWEPT.has(kind))) return undefined;
  const move = after?.move;
  const continued = after?.how === 'continued';
  const isUnclear = after === undefined || after.how === 'unclear';
  const recorded = move?.clock === 'redis';
  const gap = move ? midpoint(redisInterval(refusal, scene)) - midpoint(redisInterval(move, scene)) : undefined;
  const where = move?.kind === 'moved-by-handler' || move === undefined ? '' : ` to ${move.kind}`;
  return {
    run,
    boundary: 'step-transition',
    cause: isUnclear ? 'undetermined' : continued ? 'continued-after-move' : 'returned-after-move',
    // A `waiting` entry by itself may as well be a retry's or a sweep's, and a refusal without a time does not stand right behind it.
    status: move?.kind === 'waiting' && refusal.t === undefined ? 'possible' : recorded ? 'shown' : 'likely',
    says: continued
      ? `was moved${where} by its own handler on ${whoRan(run)}, which then went on working without the lock`
      : isUnclear
        ? `was moved${where} by its own handler on ${whoRan(run)}, which did not leave with the special error; whether it went on or returned at once, ${after ? 'times to the second do not tell' : 'no record of the move tells'}`
        : `was moved${where} by its own handler on ${whoRan(run)}, which then returned instead of throwing the special error`,
    witness: steps(
      ...beginSteps(run, story, scene),
      move &&
        step(
          move,
          recorded ? 'redis-order' : 'same-clock',
          recorded
            ? `Redis moved job ${story.job} to ${move.kind} while run ${run.n} on worker ${workerName(run)} was open; no sweep did it.`
            : `The handler of job ${story.job} on worker ${workerName(run)} wrote that it moved the job.`,
          scene,
        ),
      continued && after
        ? step(
            after.shownBy,
            'same-clock',
            `Run ${run.n} of job ${story.job} on worker ${workerName(run)} was still at work after the move.`,
            scene,
          )
        : undefined,
      step(
        refusal,
        'lock',
        `${lockErrorText(refusal, story, run).slice(0, -1)}${gap !== undefined && gap >= 0 ? `, ${durationText(gap)} after the move` : ''}.`,
        scene,
      ),
    ),
    hypotheses: rivals(run),
    advice: [
      ...leaveWith(
        recorded ? move?.kind : children ? 'waiting-children' : undefined,
        versionOf({ worker: run.worker, queue: story.queue }, scene),
      ),
      ...(continued
        ? [
            'Do the work that must not be repeated before the move, or in the next step: after the move the run holds no lock.',
          ]
        : []),
      'Always pass the token to moveToDelayed and its kin.',
    ],
    wouldDecide: recorded
      ? []
      : ['The events stream (RDB or XRANGE) shows whether Redis recorded the move, or a stalled sweep.'],
    counterfactual:
      'Had the handler left with the special error, no error would have been logged and the next step would have run as planned.',
  };
}

function rivals(run: Run): Hypothesis[] {
  return [rival('lock-not-renewed', [], [run.moved ?? run.movedLine], run.moved ? [] : ['the events stream'])];
}

function finishedTwice(run: Run, story: Story, scene: Scene): Verdict | undefined {
  const refusal = run.lockErrors[0];
  if (refusal === undefined || story.runs.length > 1) return undefined;
  if (run.completed ? !finishedByHand(run, scene) : !saysFinished(run)) return undefined;
  // After a sweep the refusal may be of a run that came before this one.
  if (!saysFinished(run) && story.record.events.some(({ kind }) => SWEPT.has(kind))) return undefined;
  const { completed } = run;
  return {
    run,
    boundary: 'step-transition',
    cause: 'manual-ack-inside-handler',
    status: run.movedLine && run.completed ? 'shown' : 'likely',
    says: `was completed inside its own handler on ${whoRan(run)}; when the handler returned, the worker's own finish was refused`,
    witness: steps(
      ...beginSteps(run, story, scene),
      run.movedLine &&
        step(
          run.movedLine,
          'same-clock',
          `The handler on worker ${workerName(run)} wrote that it finished job ${story.job}.`,
          scene,
        ),
      completed &&
        step(completed, 'redis-order', `Redis recorded job ${story.job} as completed before the handler ended.`, scene),
      step(refusal, 'lock', lockErrorText(refusal, story, run), scene),
    ),
    hypotheses: [rival('reply-lost', [], [refusal], ['connection lines of the worker'])],
    advice: [
      'Do not call moveToCompleted or moveToFailed inside a Worker processor: return the value or throw, and the worker finishes the job.',
    ],
    wouldDecide:
      refusal.kind === 'finish-rejected'
        ? []
        : ['A MONITOR capture shows both finishes and the client that sent each.'],
    counterfactual: 'Had the handler only returned, the worker would have finished the job once, without an error.',
  };
}

const REFUSALS: ReadonlySet<string> = new Set(['lock-missing', 'lock-mismatch', 'not-in-state', 'key-missing']);

/** A process that did not run the job tried to finish or move it, and Redis refused: whoever held the job was not disturbed. */
function movedFromOutside(story: Story, scene: Scene): Verdict | undefined {
  const refusal = story.record.events.find(
    (event) =>
      REFUSALS.has(event.kind) &&
      event.clock !== 'redis' &&
      event.data.frame === 'user' &&
      story.runs.every(({ lockErrors, worker }) => !lockErrors.includes(event) && worker !== scene.workerOf(event)),
  );
  const [run, ...others] = story.runs;
  if (refusal === undefined || run === undefined || others.length > 0) return undefined;
  const outsider = scene.workerOf(refusal)?.id ?? 'another process';
  return {
    boundary: 'step-transition',
    cause: 'foreign-token',
    status: refusal.kind === 'lock-mismatch' ? 'likely' : 'possible',
    says: `was to be moved by ${outsider}, which did not run it, with a token that is not its lock; Redis refused, and ${whoRan(run)} kept the job`,
    witness: steps(
      ...beginSteps(run, story, scene),
      step(
        refusal,
        'lock',
        `Redis refused ${outsider} the ${refusal.data.command ?? 'move'} of job ${story.job}.`,
        scene,
      ),
      run.completed && step(run.completed, 'redis-order', `Redis recorded job ${story.job} as completed.`, scene),
    ),
    hypotheses: [rival('lock-not-renewed', [], [refusal], ['the token that the code passed'])],
    advice: [
      'Let only the run that holds a job finish or move it: leave a mark that the handler looks at, or cancel it, instead of calling moveToCompleted from elsewhere.',
    ],
    wouldDecide: ['The token that the code passed, beside the value of the lock key.'],
    counterfactual: 'Had the other process left the job alone, there would be no error; the job itself lost nothing.',
  };
}

function foreignToken(run: Run, story: Story, scene: Scene): Verdict | undefined {
  const refusal = run.lockErrors.find((error) => error.data.frame === 'user');
  if (refusal === undefined || run.moved || run.movedLine) return undefined;
  return {
    run,
    boundary: 'step-transition',
    cause: 'foreign-token',
    status: refusal.kind === 'lock-mismatch' ? 'likely' : 'possible',
    says: `was moved by the application's own code with a token that is not its lock`,
    witness: steps(...beginSteps(run, story, scene), step(refusal, 'lock', lockErrorText(refusal, story, run), scene)),
    hypotheses: [rival('lock-not-renewed', [], [], ['the token that the code passed'])],
    advice: ['Pass the token that the processor was given, and move a job only from the run that holds it.'],
    wouldDecide: ['The token that the code passed, beside the value of the lock key.'],
  };
}
