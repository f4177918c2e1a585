/** Sentences that several rules use about runs and workers. */
import type { Step } from '../model/analysis.js';
import type { StoredEvent } from '../model/stored.js';
import { durationText } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import type { Run, Story } from '../story/story.js';
import { step } from './define-rule.js';

export const workerName = (run: Run | undefined): string => run?.worker?.id ?? 'that no record names';

/** For a sentence that does not say "worker" itself. */
export const whoRan = (run: Run | undefined): string => run?.worker?.id ?? 'a worker that no record names';

/** The records that a run began: Redis' activation and the worker's own line, where there are both. */
export function beginSteps(run: Run, story: Story, scene: Scene): (Step | undefined)[] {
  const { activation, started } = run;
  return [
    activation && step(activation, 'redis-order', `Redis made job ${story.job} active (run ${run.n}).`, scene),
    started && step(started, 'same-clock', `Worker ${workerName(run)} started job ${story.job} (run ${run.n}).`, scene),
  ];
}

/** The sweep that took the job from a run. */
export function stallSteps(run: Run, story: Story, scene: Scene): (Step | undefined)[] {
  const { recorded, noticed } = run.stall ?? {};
  const sweeper = noticed ? scene.workerOf(noticed)?.id : undefined;
  return [
    recorded &&
      step(recorded, 'sweep', `The stalled sweep found no lock on job ${story.job} and put it back to waiting.`, scene),
    noticed &&
      step(
        noticed,
        'sweep',
        `Worker ${sweeper ?? 'unknown'} ran the sweep and reported job ${story.job} as stalled.`,
        scene,
      ),
  ];
}

/** The next run took the job over. */
export function handoffSteps(run: Run, story: Story, scene: Scene): (Step | undefined)[] {
  const next = story.runs[run.n];
  if (next === undefined) return [];
  const record = next.started ?? next.activation;
  return [
    record &&
      step(record, 'handoff', `Worker ${workerName(next)} started job ${story.job} again (run ${next.n}).`, scene),
  ];
}

export const lockErrorText = (error: StoredEvent, story: Story, run?: Run): string => {
  const what: Partial<Record<StoredEvent['kind'], string>> = {
    'lock-missing': 'no lock was left',
    'lock-mismatch': 'another token held the lock',
    'not-in-state': 'the job was not in the expected state',
    'key-missing': 'the job key was gone',
    'pending-children': 'the job had pending children',
    'finish-rejected': `${error.data.text ?? 'no lock'}`,
  };
  const by = run?.worker ? `worker ${run.worker.id} the ` : 'the worker its ';
  return `Redis refused ${by}${error.data.command ?? 'finish'} of job ${story.job}: ${what[error.kind] ?? 'the lock was not held'}.`;
};

export const lockText = ({ lockLife }: Run): string =>
  `${durationText(lockLife.value)}${lockLife.basis === 'assumed' ? ', assumed' : ''}`;
