/** What a recording made before a fix asks of the one made after it. */
import type { Analysis, Finding } from '../model/analysis.js';
import { durationText } from '../story/moments.js';
import type { Story } from '../story/story.js';

/** A finding to be proven gone, and the path that leads to it. */
export interface Target {
  readonly finding: Finding;
  readonly queue?: string;
  /** Names of its jobs, where they are known: other jobs of the queue walk other paths. */
  readonly names: ReadonlySet<string>;
  /** The life of a lock there, ms. */
  readonly lockMs: number;
  /** The same for a sentence, with what it rests on. */
  readonly lockText: string;
  /** The longest run there that went well, ms. */
  readonly longestMs?: number;
}

/** Every finding but harmless noise. */
export function targetsOf(before: Analysis): Target[] {
  const names = new Map(before.stories.map((story) => [keyOf(story.queue, story.id), story.name]));
  return before.findings
    .filter((finding) => finding.boundary !== 'none')
    .map((finding): Target => {
      const queue = finding.jobs[0]?.queue;
      const longestMs = before.exposure.find((row) => row.queue === queue)?.runMs?.max;
      return {
        finding,
        ...(queue === undefined ? {} : { queue }),
        names: new Set(finding.jobs.flatMap((job) => names.get(keyOf(job.queue, job.id)) ?? [])),
        ...lockOf(before, finding.worker),
        ...(longestMs === undefined ? {} : { longestMs }),
      };
    });
}

const DEFAULT_LOCK_MS = 30_000;

/** Of the worker where it has a setting of its own, else of all. */
export function lockOf({ settings }: Analysis, worker?: string): Pick<Target, 'lockMs' | 'lockText'> {
  const rows = settings.filter(({ name, value }) => name === 'lockDuration' && typeof value === 'number');
  const row = rows.find(({ scope }) => worker !== undefined && scope === `worker ${worker}`) ?? rows.at(-1);
  const lockMs = typeof row?.value === 'number' ? row.value : DEFAULT_LOCK_MS;
  return {
    lockMs,
    lockText: `${durationText(lockMs)}${row?.basis === 'evidence' ? '' : `, ${row?.basis ?? 'assumed'}`}`,
  };
}

const keyOf = (queue: string | undefined, id: string): string => JSON.stringify([queue ?? null, id]);

/** The key prefix of a queue may differ between two systems; its name does not. */
const lastPart = (queue: string): string => queue.slice(queue.lastIndexOf(':') + 1);

export const isSameQueue = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || lastPart(a) === lastPart(b);

/** Whether a job is one of those that the finding is about. */
export const isOf = ({ queue, names }: Target, story: Story): boolean =>
  isSameQueue(queue, story.queue) && (names.size === 0 || story.name === undefined || names.has(story.name));
