/**
 * Whether a recording walked the path on which a finding arose. A lock is not lost in a day of short runs, and a deploy is not
 * survived on a day without one: what did not happen there proves nothing about the fix.
 */
import type { Step } from '../model/analysis.js';
import type { Boundary } from '../model/boundaries.js';
import { durationText } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import type { Run, Story } from '../story/story.js';
import { acknowledgementOf, ENDS_OF_PROCESS, signDuring, spanOf } from './run-span.js';
import { stepOf } from './tally.js';
import type { Target } from './target.js';

type Records = readonly (Step | undefined)[];
/** The records of each time that one job walked the path. */
export type Exercise = (story: Story, scene: Scene) => Records[];

interface Path {
  /** Says what walks it, after "no" or "2 times". */
  readonly says: (target: Target) => string;
  readonly walks: (story: Story, scene: Scene, target: Target) => Records[];
}

const LOST_LINK = ['redis-lost', 'redis-back', 'redis-refused'] as const;
const CAUSES_OF_LINK: readonly string[] = ['redis-unreachable', 'redis-outage', 'reply-lost', 'writes-refused'];

/** One entry for each run for which `records` has something to show. */
const eachRun = (story: Story, records: (run: Run) => Records | undefined): Records[] =>
  story.runs.flatMap((run) => {
    const found = records(run);
    return found === undefined ? [] : [found];
  });

const duringRun =
  (kinds: Parameters<typeof signDuring>[1], after: 'begin' | 'return' = 'begin'): Path['walks'] =>
  (story, scene) =>
    eachRun(story, (run) => {
      if (after === 'return' && run.returned === undefined) return undefined;
      const sign = signDuring(run, kinds, scene, after === 'return' ? run.returned : undefined);
      if (sign === undefined) return undefined;
      const begin = run.started ?? run.activation;
      return [
        stepOf(begin, 'same-clock', `Run ${run.n} of job ${story.job} began.`, scene),
        stepOf(sign, 'same-clock', `${sign.kind} on its worker while the run was open.`, scene),
        stepOf(acknowledgementOf(run), 'redis-order', `The run ended: ${acknowledgementOf(run)?.kind}.`, scene),
      ];
    });

/** Runs longer than so many ms. */
const longerThan = (story: Story, scene: Scene, ms: number): Records[] =>
  eachRun(story, (run) => {
    const span = spanOf(run, scene);
    if (span === undefined || span.ms <= ms) return undefined;
    return [
      stepOf(span.begin, 'lock', `Run ${run.n} of job ${story.job} began.`, scene),
      stepOf(span.end, 'lock', `It ended after ${durationText(span.ms)}: ${span.end.kind}.`, scene),
    ];
  });

const stalls: Path = {
  says: () => 'jobs that stalled',
  walks: (story, scene) =>
    eachRun(story, ({ stall }) => {
      const told = stall?.recorded ?? stall?.noticed;
      return told && [stepOf(told, 'sweep', `Job ${story.job} stalled.`, scene)];
    }),
};
const lostLinks: Path = {
  says: () => 'runs in which the worker lost Redis',
  walks: duringRun(LOST_LINK),
};
const longRuns: Path = {
  says: ({ lockText }) => `runs longer than the lock lived then (${lockText})`,
  walks: (story, scene, { lockMs }) => longerThan(story, scene, lockMs),
};
const nowhere: Path = { says: () => 'nothing that evidence could show', walks: () => [] };
const events = (kind: Story['record']['events'][number]['kind'], says: string): Path => ({
  says: () => says,
  walks: (story, scene) =>
    story.record.events
      .filter((event) => event.kind === kind)
      .map((event) => [stepOf(event, 'redis-order', `Job ${story.job}: ${kind}.`, scene)]),
});

const PATHS: Readonly<Record<Boundary, Path>> = {
  'lock-renewal': longRuns,
  'worker-exit': {
    says: () => 'runs that were open while their worker was told to end',
    walks: duringRun(ENDS_OF_PROCESS),
  },
  'return-to-ack': {
    says: () => 'runs whose worker was told to end between their return and their acknowledgement',
    walks: duringRun(ENDS_OF_PROCESS, 'return'),
  },
  'progress-to-ack': {
    says: ({ longestMs, lockMs }) => `runs longer than any that went well then (${durationText(longestMs ?? lockMs)})`,
    walks: (story, scene, { longestMs, lockMs }) => longerThan(story, scene, longestMs ?? lockMs),
  },
  'step-transition': {
    says: () => 'runs that moved their own job',
    walks: (story, scene) =>
      eachRun(story, (run) => {
        const moved = run.moved ?? run.movedLine;
        if (moved === undefined || run.stall !== undefined) return undefined;
        return [stepOf(moved, 'state', `Run ${run.n} of job ${story.job} moved it: ${moved.kind}.`, scene)];
      }),
  },
  'stalled-sweep': stalls,
  'post-ack': nowhere,
  'manual-requeue': stalls,
  'redis-loss': nowhere,
  enqueue: events('duplicated', 'adds that found a job of the same id'),
  pickup: events('active', 'jobs that were picked up'),
  none: nowhere,
  undetermined: nowhere,
};

const pathFor = ({ finding: { boundary, cause } }: Target): Path =>
  CAUSES_OF_LINK.includes(cause) ? lostLinks : PATHS[boundary];

/** What walks the path of a finding, in words. */
export const pathOf = (target: Target): string => pathFor(target).says(target);

/** Whether evidence can show at all that the path was walked. */
export const hasPath = (target: Target): boolean => pathFor(target) !== nowhere;

export const createExercise = (target: Target): Exercise => {
  const path = pathFor(target);
  return (story, scene) => path.walks(story, scene, target);
};
