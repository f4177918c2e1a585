/**
 * The worker process ended in the middle of the handler.
 *
 * The process wrote nothing after the job was taken from it, and the run has no end. Where a log never shows handler returns,
 * an end between return and acknowledgement looks the same: then the claim is only possible, unless the progress says that
 * the work was not through.
 */
import type { Status } from '../model/analysis.js';
import type { Cause } from '../model/boundaries.js';
import { shortestBetween } from '../story/interval.js';
import { LONGEST_RUN_WORDS, longestRunOf } from '../story/longest-run.js';
import { durationText, redisInterval } from '../story/moments.js';
import { type ProcessEnd, processEnd } from '../story/process-end.js';
import type { Scene } from '../story/scene.js';
import { beginOf, type Run, type Story } from '../story/story.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, type Remedy, rival, step, stepAt, steps, type Verdict } from './define-rule.js';
import { snapshotStep } from './snapshot-step.js';
import { CLOSE_RENEWS, forVersion, POISON_JOB } from './versions.js';
import { beginSteps, handoffSteps, stallSteps, whoRan, workerName } from './words.js';

export default defineRule({
  name: 'worker-exit',
  needs: ['worker-log', 'rejected-commands'],
  wakes: 'stalls > 0 OR stall_notices > 0 OR stalled_counter > 0 OR in_active > 0 OR starts > acks + attempt_failures',
  causes: ['process-killed', 'uncaught-exception', 'shutdown-without-close'],
  rivals: ['process-killed', 'event-loop-blocked'],
  falsePositives:
    'An idle process writes nothing; the end of a file is no end of a process; a job that is open where the evidence ends may go on.',
  judge(story, scene) {
    for (const run of story.runs) {
      if (run.returned || run.threw || run.moved || run.movedLine || run.failed) continue;
      const end = processEnd(run, scene);
      const verdict = end && judgeEnd(run, end, story, scene);
      if (verdict) return verdict;
    }
    return undefined;
  },
});

const CAUSES: Readonly<Record<ProcessEnd['how'], Cause>> = {
  crashed: 'process-killed',
  signalled: 'shutdown-without-close',
  closed: 'shutdown-without-close',
  silent: 'process-killed',
};

function judgeEnd(run: Run, end: ProcessEnd, story: Story, scene: Scene): Verdict | undefined {
  const next = story.runs[run.n];
  // A transcript shows only what somebody asked for: a lock nobody asked for is not gone.
  const snapshot = story.record.facts.find(
    (facts) => facts.states.includes('active') && (facts.lock !== undefined || facts.hasNoLock),
  );
  const lockGone =
    snapshot !== undefined &&
    (snapshot.lock === undefined ||
      (snapshot.lock.expiresAtMs ?? Number.POSITIVE_INFINITY) < (snapshot.momentMs?.[0] ?? 0));
  const orphan = next === undefined && run.stall === undefined;
  // An open job at the end of a log is an ordinary sight; only a snapshot without its lock, or an exit line, makes it one of these.
  if (orphan && !lockGone && end.how === 'silent') return undefined;
  if (snapshot?.lock && !lockGone && orphan) return undefined;

  const crashed = end.sign?.kind === 'process-crashed';
  const cause: Cause = crashed ? 'uncaught-exception' : CAUSES[end.how];
  const { sign, lastSign } = end;
  const fatal = diedMoreThanOnce(story, scene);
  const version = versionOf({ worker: run.worker, queue: story.queue }, scene);
  return {
    run,
    boundary: 'worker-exit',
    cause,
    status: statusOf(run, end, orphan && !lockGone, fatal),
    says: `was in the hands of ${whoRan(run)} when its process ended (${endText(end)})${
      next ? `; ${whoRan(next)} ran it again` : orphan ? '; nobody has taken it back' : ''
    }`,
    witness: steps(
      ...beginSteps(run, story, scene),
      lastSign !== run.started && lastSign !== run.activation
        ? step(lastSign, 'state', `The last record of run ${run.n} of job ${story.job}.`, scene)
        : undefined,
      sign && step(sign, 'same-clock', `Worker ${workerName(run)} wrote its closing or exit line.`, scene),
      end.worker.lastLine &&
        stepAt(
          end.worker.lastLine,
          { precision: 'none', clock: end.worker.id },
          'silence',
          `The last line of worker ${workerName(run)}; the evidence goes on for ${durationText(end.silentForMs)} without another.`,
          end.worker.id,
        ),
      ...stallSteps(run, story, scene),
      ...handoffSteps(run, story, scene),
      snapshot &&
        snapshotStep(
          snapshot,
          story,
          'active',
          'state',
          `The snapshot holds job ${story.job} in active${lockGone ? ' without a live lock' : ''}.`,
        ),
    ),
    hypotheses: [
      rival('process-killed', [lastSign], [sign], []),
      rival('event-loop-blocked', [], [], ['a later line of the process, or its exit code']),
    ],
    advice: [
      'On SIGTERM await worker.close(), and give the container a grace period longer than the longest job.',
      ...(cause === 'shutdown-without-close' ? forVersion(version, CLOSE_RENEWS) : []),
      ...(fatal ? forVersion(version, POISON_JOB) : []),
      'Make the handler resume from its checkpoint, and its effects idempotent by job id.',
      'Log the exit: process.on("exit"), container exit codes, out-of-memory kills of the kernel.',
    ],
    wouldDecide: [
      'Exit code and time of the process (container runtime, kubelet, systemd), out-of-memory records of the kernel.',
    ],
    counterfactual: counterfactualOf(cause, fatal ? processesEnded(story, scene) : 1),
    ...longerGrace(run, end, story, scene),
  };
}

/** How long the run would still have taken from the stop line on, if it is one of the longest. */
function longerGrace(run: Run, { how, sign }: ProcessEnd, story: Story, scene: Scene): { remedy?: Remedy } {
  const longest = longestRunOf(story, scene);
  if (
    sign === undefined ||
    (how !== 'signalled' && how !== 'closed') ||
    longest === undefined ||
    longest.of === 'others'
  )
    return {};
  const elapsedMs = Math.max(0, shortestBetween(redisInterval(beginOf(run), scene), redisInterval(sign, scene)));
  if (longest.ms <= elapsedMs) return {};
  return {
    remedy: {
      atLeastMs: longest.ms - elapsedMs,
      tell: (time, share) =>
        `With worker.close() awaited and a grace period of at least ${time} from the stop line on, the runs of ${share} would have ended and been acknowledged once, if none takes longer than ${LONGEST_RUN_WORDS[longest.of]} (${durationText(longest.ms)}).`,
    },
  };
}

function statusOf(run: Run, end: ProcessEnd, openOnly: boolean, fatal: boolean): Status {
  if (openOnly || end.certainty === 'possible') return 'possible';
  const progress = lastPercent(run);
  // At 100 percent the handler may have been through, and only its last line is missing.
  if (progress !== undefined ? progress >= 100 : !end.worker.logsReturns && !fatal) return 'possible';
  return end.certainty === 'shown' && run.stall?.recorded !== undefined ? 'shown' : 'likely';
}

/**
 * Two processes that ended in two runs of one job: the job ends them. Between return and acknowledgement lie milliseconds, and
 * nobody dies there twice by chance.
 */
const diedMoreThanOnce = (story: Story, scene: Scene): boolean => processesEnded(story, scene) > 1;

const processesEnded = (story: Story, scene: Scene): number =>
  new Set(story.runs.filter((run) => processEnd(run, scene) !== undefined).map((run) => run.worker)).size;

function counterfactualOf(cause: Cause, ended: number): string {
  if (ended > 1)
    return `Had the job been failed after its first run, ${ended - 1} of ${ended} processes would have lived on, if it was the job that ended them.`;
  return cause === 'shutdown-without-close'
    ? 'Had the process closed its worker and waited, the run would have ended and been acknowledged once.'
    : 'Had the process lived on, the run would have ended and been acknowledged once.';
}

/** The last percent that the run reported. */
const lastPercent = (run: Run): number | undefined =>
  run.progress
    .map((event) => event.data.progress)
    .filter((value): value is number => typeof value === 'number' && value > 0)
    .at(-1);

const endText = (end: ProcessEnd): string =>
  end.how === 'silent'
    ? `no later line in ${durationText(end.silentForMs)} of further evidence`
    : {
        crashed: 'an exception or exit line',
        signalled: 'a stop line and no closed line',
        closed: 'closed while the job was open',
      }[end.how];
