/** The one job that was asked for, record by record: what a terminal prints of it. */
import { jobLabel, type ReportContext } from '../context.js';
import { HOW_WORDS } from './phrases.js';
import { askedStory } from './selected.js';

export interface AskedView {
  readonly label: string;
  readonly sentence: string;
  readonly entries: readonly {
    readonly time: string;
    readonly worker: string;
    readonly text: string;
    readonly reference: string;
  }[];
}

/** Undefined where no single job was asked for. */
export function askedJob(context: ReportContext): AskedView | undefined {
  const story = askedStory(context.analysis);
  if (story === undefined) return undefined;
  const runs = story.executions.map(({ n, how }) => `run ${n} ${HOW_WORDS[how]}`);
  return {
    label: jobLabel(story),
    sentence: [
      `${story.name === undefined ? '' : `${story.name}. `}Outcome: ${story.outcome}.`,
      runs.length === 0 ? 'No run of its handler is shown.' : `${runs.join(', ')}.`,
    ].join(' '),
    entries: story.timeline.map(({ moment, worker, text, ref }) => ({
      time: context.clock.time(moment),
      worker: worker === undefined ? '' : context.worker(worker),
      text,
      reference: context.ref(ref),
    })),
  };
}
