/** One check for each finding before the fix: gone, still there, or not exercised. */
import type { Analysis, Check, Finding } from '../model/analysis.js';
import type { Scene } from '../story/scene.js';
import type { Story } from '../story/story.js';
import { type Answer, times } from './define-check.js';
import { createExercise, hasPath, pathOf } from './exercise.js';
import { Tally } from './tally.js';
import { isOf, isSameQueue, type Target } from './target.js';

/** Boundaries at which another cause is the same incident told with other evidence. */
const ONE_INCIDENT: readonly string[] = [
  'lock-renewal',
  'worker-exit',
  'return-to-ack',
  'progress-to-ack',
  'step-transition',
  'stalled-sweep',
];

export interface FindingWatch {
  see(story: Story, scene: Scene): void;
  /** `hasStories`: the evidence after the fix was read, not only what an analysis says of it. */
  check(hasStories: boolean): Check;
}

export function watchFinding(target: Target, after: Analysis): FindingWatch {
  const exercise = createExercise(target);
  const walked = new Tally();
  const { finding } = target;
  return {
    see(story, scene) {
      if (isOf(target, story)) for (const records of exercise(story, scene)) walked.add(records);
    },
    check(hasStories) {
      const answer = answerOf(target, after, walked, hasStories);
      const where = target.queue === undefined ? '' : ` of queue ${target.queue}`;
      return {
        id: `gone.${finding.id}`,
        asks: `the finding ${finding.boundary} (${finding.cause})${where} is gone`,
        outcome: answer.outcome,
        says: answer.says,
        needed: true,
        findings: [finding.id],
        before: [finding.summary],
        ...(answer.exercised === undefined ? {} : { exercised: answer.exercised }),
        records: [...(answer.records ?? [])],
        missing: [...(answer.missing ?? [])],
      };
    },
  };
}

function answerOf(target: Target, after: Analysis, walked: Tally, hasStories: boolean): Answer {
  const { finding } = target;
  const exercised = hasStories ? { exercised: walked.count } : {};
  const here = after.findings.filter((other) => isSameQueue(other.jobs[0]?.queue, target.queue));
  const still = here.filter((other) => isSameIncident(other, finding));
  const firm = still.find(({ status }) => status === 'shown' || status === 'likely');
  if (firm !== undefined)
    return {
      outcome: 'fails',
      says: `still there: ${firm.summary}`,
      records: [...firm.witness],
      ...exercised,
    };
  const doubtful = still[0] ?? here.find(({ boundary }) => boundary === 'undetermined');
  if (doubtful !== undefined)
    return {
      outcome: 'cannot-tell',
      says: `perhaps still there: ${doubtful.summary}`,
      records: [...doubtful.witness],
      missing: [...doubtful.wouldDecide],
      ...exercised,
    };
  if (finding.boundary === 'undetermined')
    return { outcome: 'cannot-tell', says: 'the recording before the fix does not tell what failed', ...exercised };
  if (!knowsQueue(after, target.queue))
    return { outcome: 'cannot-tell', says: `the recording holds nothing of queue ${target.queue}`, exercised: 0 };
  if (!hasStories) return withoutStories(target, after);
  const path = pathOf(target);
  if (walked.count === 0)
    return {
      outcome: 'cannot-tell',
      says: hasPath(target)
        ? `not there, and not exercised either: the recording has no ${path}`
        : 'not there; whether the same trouble came up again cannot be seen in such evidence',
      missing: hasPath(target) ? [`A recording with ${path}`] : [],
      exercised: 0,
    };
  return {
    outcome: 'holds',
    says: `not there, although its path was walked ${times(walked.count, 'time')}: ${path}`,
    exercised: walked.count,
    records: [...walked.steps],
  };
}

const isSameIncident = (a: Finding, b: Finding): boolean =>
  a.boundary === b.boundary && (a.cause === b.cause || ONE_INCIDENT.includes(a.boundary));

/** An analysis knows how long runs were, and nothing else of jobs that were well. */
function withoutStories(target: Target, after: Analysis): Answer {
  const longest = Math.max(
    0,
    ...after.exposure.filter(({ queue }) => isSameQueue(queue, target.queue)).map(({ runMs }) => runMs?.max ?? 0),
  );
  if (target.finding.boundary === 'lock-renewal' && longest > target.lockMs)
    return { outcome: 'holds', says: `not there, although the longest run took ${Math.round(longest)} ms` };
  return {
    outcome: 'cannot-tell',
    says: 'not there; an analysis does not tell how often the path was walked',
    missing: ['The evidence after the fix itself, or its case file'],
  };
}

/** An analysis without any queue at all may be of logs that name none. */
function knowsQueue({ exposure, workers, stories }: Analysis, queue: string | undefined): boolean {
  const named = [
    ...exposure.flatMap((row) => row.queue ?? []),
    ...workers.flatMap((worker) => worker.queues),
    ...stories.flatMap((story) => story.queue ?? []),
  ];
  return queue === undefined || named.length === 0 || named.some((name) => isSameQueue(name, queue));
}
