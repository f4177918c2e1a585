/**
 * Two jobs of schedulers for one slot.
 *
 * A scheduler makes its next job only when the last one begins, so two that have not begun, or one that was made while the last
 * still waited and both ran, are one too many (crash loops around upsertJobScheduler up to BullMQ 5.34.5; restarts in Bull). Two
 * schedulers of one name, schedule and payload do one work twice in each slot: two deployments registered it under two ids. Two
 * that share only name and schedule may serve two customers, and say nothing.
 */
import { type Twin, type TwinKind, twinKey } from '../model/twin.js';
import type { Scene } from '../story/scene.js';
import type { Story } from '../story/story.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { snapshotStep } from './snapshot-step.js';
import { forVersion, ONE_SCHEDULER } from './versions.js';

const SLOT = /^repeat:(.+):(\d+)$/;

export default defineRule({
  name: 'scheduler-duplicate',
  needs: ['events-stream', 'snapshot'],
  wakes: 'twins > 0',
  causes: ['scheduler-duplicate'],
  rivals: ['duplicate-enqueue'],
  falsePositives:
    'Schedulers of several customers with one name and schedule and payloads of their own; an iteration that waits for another attempt; a scheduler that was registered again and made its next job anew.',
  judge(story, scene) {
    const all = scene.twins.get(twinKey(story.queue, story.job)) ?? [];
    const kind: TwinKind = all.some((twin) => twin.kind === 'same-schedule') ? 'same-schedule' : 'same-scheduler';
    const twins = all.filter((twin) => twin.kind === kind && SLOT.test(twin.job));
    const [, scheduler] = SLOT.exec(story.job) ?? [];
    if (twins.length === 0 || scheduler === undefined) return undefined;
    const schedulers = [...new Set([scheduler, ...twins.map(({ job }) => SLOT.exec(job)?.[1] ?? '')])].sort();
    const ids = twins.map(({ job }) => job).join(', ');
    return {
      ownFinding: true,
      group: schedulers.join(' '),
      boundary: 'enqueue',
      cause: 'scheduler-duplicate',
      status: 'likely',
      says:
        kind === 'same-schedule'
          ? `and job ${ids} were made for one slot: the schedulers ${schedulers.join(' and ')} have one name, schedule and payload`
          : `and job ${ids} stood in the queue at once, although scheduler ${scheduler} makes the next job only when the last begins`,
      witness: steps(...ownSteps(story, scene), ...twins.flatMap((twin) => twinSteps(twin, story, scene))),
      hypotheses: [rival('duplicate-enqueue', [], [], ['the log of the process that registered the scheduler'])],
      advice: [
        ...(kind === 'same-schedule'
          ? [
              `Remove one of the schedulers (removeJobScheduler), and give the work one scheduler id in every deployment.`,
            ]
          : forVersion(versionOf(story, scene), ONE_SCHEDULER)),
        'Make the handler idempotent by slot: the number at the end of the job id is the time that it was made for.',
      ],
      wouldDecide: ['Which processes registered a scheduler, and when: their logs at the start.'],
      counterfactual: `With one scheduler for the work, each slot would have one job; here ${twins.length + 1} were made.`,
    };
  },
});

const ownSteps = (story: Story, scene: Scene) => {
  const added = story.record.events.find(({ kind, clock }) => kind === 'added' && clock === 'redis');
  const facts = story.record.facts.find(({ states }) => states.length > 0);
  const [run] = story.runs;
  return [
    added && step(added, 'redis-order', `Redis added job ${story.job}.`, scene),
    run?.activation && step(run.activation, 'redis-order', `Redis made job ${story.job} active.`, scene),
    run === undefined && facts
      ? snapshotStep(facts, story, facts.states[0] ?? '', 'state', `The snapshot holds job ${story.job}.`)
      : undefined,
  ];
};

const twinSteps = ({ job, added, began, seen }: Twin, story: Story, scene: Scene) => [
  added && step(added, 'redis-order', `Redis added job ${job}.`, scene),
  began && step(began, 'redis-order', `Job ${job} began.`, scene),
  began === undefined && seen
    ? snapshotStep(seen, story, seen.states[0] ?? '', 'state', `The snapshot holds job ${job} as well.`)
    : undefined,
];
