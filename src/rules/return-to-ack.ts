/**
 * The handler had returned, and Redis did not record the end of the job.
 *
 * Either the process ended in between, or the finish came too late: the worker drops a job from renewal before it sends the
 * finish, so what is left of the lock is all the time the finish has. A finish that Redis executed and whose reply was lost
 * is harmless: the job is completed and ran once.
 */
import type { Finding } from '../model/analysis.js';
import { afterMove } from '../story/after-move.js';
import { longestBetween } from '../story/interval.js';
import { finishedByHand, waitedAfterReturn } from '../story/lost-lock.js';
import { durationText, redisInterval } from '../story/moments.js';
import { processEnd } from '../story/process-end.js';
import type { Scene } from '../story/scene.js';
import { beginOf, type Run, type Story } from '../story/story.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, rival, step, steps, type Verdict } from './define-rule.js';
import { CLOSE_IS_MUTE, forVersion } from './versions.js';
import { beginSteps, handoffSteps, lockErrorText, lockText, stallSteps, whoRan, workerName } from './words.js';

export default defineRule({
  name: 'return-to-ack',
  needs: ['worker-log', 'rejected-commands'],
  wakes:
    'stalls > 0 OR stall_notices > 0 OR lock_errors > 0 OR rejected_finishes > 0 OR stalled_counter > 0 OR in_active > 0 OR starts > acks + attempt_failures',
  causes: ['redis-outage', 'process-killed', 'shutdown-without-close', 'reply-lost', 'harmless-noise'],
  rivals: ['process-killed', 'redis-outage', 'event-loop-blocked', 'manual-ack-inside-handler'],
  falsePositives:
    "A handler's own last line is no acknowledgement; logs without a `completed` listener show none; evidence that ends there shows no end.",
  judge(story, scene) {
    for (const run of story.runs) {
      const verdict = replyLost(run, story, scene) ?? heldUp(run, story, scene) ?? endedBeforeAck(run, story, scene);
      if (verdict) return verdict;
    }
    return undefined;
  },
});

/** Completed once, by this run; the refusal is the answer to the same finish, sent again. */
function replyLost(run: Run, story: Story, scene: Scene): Verdict | undefined {
  const refusal = run.lockErrors[0];
  if (run.completed === undefined || refusal === undefined || story.runs.length > 1 || run.stall) return undefined;
  if (run.acknowledged || finishedByHand(run, scene)) return undefined;
  // After a sweep there was another run, and the refusal may be of that one.
  if (story.record.events.some(({ kind }) => kind === 'stalled' || kind === 'stalled-notice')) return undefined;
  const lost = run.worker?.signs.find((event) => {
    const [low, high] = redisInterval(event, scene);
    const duringRun = high >= redisInterval(beginOf(run), scene)[0] && low <= redisInterval(refusal, scene)[1];
    return event.kind === 'redis-lost' && duringRun;
  });
  return {
    run,
    boundary: 'none',
    cause: lost || run.returned ? 'reply-lost' : 'harmless-noise',
    status: run.returned ? 'shown' : 'likely',
    says: `was completed in Redis before ${whoRan(run)} was refused the same finish: nothing was lost and nothing ran twice`,
    witness: steps(
      ...beginSteps(run, story, scene),
      run.returned &&
        step(
          run.returned,
          'same-clock',
          `The handler of job ${story.job} returned on worker ${workerName(run)}.`,
          scene,
        ),
      step(run.completed, 'redis-order', `Redis recorded job ${story.job} as completed.`, scene),
      step(refusal, 'lock', lockErrorText(refusal, story, run), scene),
    ),
    hypotheses: [rival('manual-ack-inside-handler', [], [run.returned], [])],
    advice: ['Treat a lock error after the completed event as noise; alert on a second `active` event instead.'],
    wouldDecide: [],
  };
}

function heldUp(run: Run, story: Story, scene: Scene): Verdict | undefined {
  const wait = waitedAfterReturn(run, scene);
  const refusal = run.lockErrors[0];
  if (wait === undefined || refusal === undefined || run.returned === undefined || run.completed) return undefined;
  if (afterMove(run, story, scene)) return undefined;
  const { returned } = run;
  const lost = run.worker?.signs.find(
    (event) => event.kind === 'redis-lost' && (event.t ?? 0) >= (returned.t ?? 0) && (event.t ?? 0) <= (refusal.t ?? 0),
  );
  return {
    run,
    boundary: 'return-to-ack',
    cause: 'redis-outage',
    status: run.stall === undefined ? 'possible' : run.stall.recorded && lost ? 'shown' : 'likely',
    says: `had returned on ${whoRan(run)}, but its finish was held up for ${durationText(wait)} and the lock (${lockText(run)}) ran out`,
    witness: steps(
      ...beginSteps(run, story, scene),
      step(returned, 'same-clock', `The handler of job ${story.job} returned on worker ${workerName(run)}.`, scene),
      lost && step(lost, 'same-clock', `Worker ${workerName(run)} lost its connection to Redis.`, scene),
      ...stallSteps(run, story, scene),
      ...handoffSteps(run, story, scene),
      step(refusal, 'lock', lockErrorText(refusal, story, run), scene),
    ),
    hypotheses: [rival('event-loop-blocked', [], [returned], ['event-loop lag of the process after the return'])],
    advice: [
      'Save the state that proves the work before the handler returns, so that a second run can see it.',
      'Keep lockDuration well above the longest pause of Redis or the network that you accept.',
    ],
    wouldDecide: ['The Redis log and latency history of the span, and the connection lines of the worker.'],
    counterfactual: 'Had the finish reached Redis while the lock lived, the job would have been completed once.',
    remedy: {
      // When it is sent at least half of the lock's life is left.
      atLeastMs: Math.min(2 * wait, longestBetween(redisInterval(beginOf(run), scene), redisInterval(refusal, scene))),
      tell: (time, share) =>
        `With a lockDuration of at least ${time} (it was ${lockText(run)}) the finish of ${share} would have found its lock, if it had been held up for as long.`,
    },
  };
}

function endedBeforeAck(run: Run, story: Story, scene: Scene): Verdict | undefined {
  const end = run.returned ? processEnd(run, scene) : undefined;
  if (end === undefined || run.returned === undefined || run.moved || run.movedLine) return undefined;
  const loss = run.stall ?? (run.activation && story.runs[run.n]);
  const leftActive = story.record.facts.some((facts) => facts.states.includes('active'));
  if (loss === undefined && !leftActive) return undefined;
  if (!end.worker.logsAcknowledgements && run.stall === undefined && !leftActive) return undefined;
  const cause = end.how === 'signalled' || end.how === 'closed' ? 'shutdown-without-close' : 'process-killed';
  const status: Finding['status'] =
    end.certainty === 'shown' && run.stall?.recorded ? 'shown' : end.certainty === 'possible' ? 'possible' : 'likely';
  const next = story.runs[run.n];
  return {
    run,
    boundary: 'return-to-ack',
    cause,
    status,
    says: `had returned on ${whoRan(run)}, whose process ended before Redis recorded the completion${
      next ? `; ${whoRan(next)} ran it again` : ''
    }`,
    witness: steps(
      ...beginSteps(run, story, scene),
      step(
        run.returned,
        'same-clock',
        `The handler of job ${story.job} returned on worker ${workerName(run)}; no acknowledgement follows.`,
        scene,
      ),
      end.sign && step(end.sign, 'same-clock', `Worker ${workerName(run)} wrote its closing or exit line.`, scene),
      ...stallSteps(run, story, scene),
      ...handoffSteps(run, story, scene),
    ),
    hypotheses: [
      rival('process-killed', [run.returned], [end.sign], []),
      rival('redis-outage', [], [run.stall?.recorded], ['connection lines of the worker after the return']),
    ],
    advice: [
      'Make the effect idempotent by job id, and save the state that proves it before the handler returns.',
      'On shutdown await worker.close() and give the container a grace period longer than the longest job.',
      ...(cause === 'shutdown-without-close'
        ? forVersion(versionOf({ worker: run.worker, queue: story.queue }, scene), CLOSE_IS_MUTE)
        : []),
    ],
    wouldDecide: ['Exit code and time of the process (container runtime, kubelet, systemd).'],
    counterfactual: 'Had the process lived a few milliseconds longer, Redis would have recorded the completion.',
  };
}
