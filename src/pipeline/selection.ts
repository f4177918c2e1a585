/**
 * What the analyst asked to see: one job, a queue, a worker, a stretch of time. It selects findings and stories only; all of
 * the evidence is read and judged as always, because clocks, locks and the lives of workers show in other jobs, too.
 */
import type { CaseFile } from '../casefile/case-file.js';
import { bareQueue, type FoundJob, findJobs, namesOfQueue } from '../casefile/find-jobs.js';
import type { Limit } from '../model/analysis.js';
import { readAskedJob } from '../model/asked-job.js';
import { prefixOfToken } from '../model/lock-token.js';
import { queueKey } from '../story/moments.js';
import type { Scene, WorkerProcess } from '../story/scene.js';
import type { Story } from '../story/story.js';
import type { Case } from './findings.js';

export interface Selection {
  /** As it was typed: `mail:42`, a Redis key, an id. */
  readonly job?: string;
  /** Whole ms on Redis' clock: what Redis would have answered about the job then. */
  readonly atMs?: number;
  readonly queue?: string;
  readonly worker?: string;
  /** ms on Redis' clock, both inclusive; infinite where open. */
  readonly windowMs?: readonly [number, number];
}

/** A name that several jobs go by; the message names them. */
export class AmbiguousJobError extends Error {}

/** A selection that was found in the evidence. */
export interface Chosen {
  readonly job?: FoundJob;
  /** Whether a verdict on the job of this story is to be told. */
  keeps(one: Case, story: Story): boolean;
  /** To be asked at the end: what the selection could not decide. */
  limits(): Limit[];
}

export type Choice = Chosen | { readonly missing: string };

const MOST_NAMED = 10;

/**
 * Looks the selection up. Needs `summarizeJobs`.
 * @throws AmbiguousJobError where the name of the job fits several.
 */
export async function choose(
  file: CaseFile,
  selection: Selection,
  queues: readonly string[],
  scene: Scene,
): Promise<Choice> {
  const { queue, worker } = selection;
  const job = selection.job === undefined ? undefined : await findAsked(file, selection.job, queues);
  if (typeof job === 'string') return { missing: job };
  const asked = queue === undefined ? undefined : queuesNamed(queue, queues);
  if (asked?.length === 0)
    return { missing: `no queue in the evidence is named ${shown(queue ?? '')}; it knows ${listed(queues)}` };
  const workers = worker === undefined ? undefined : scene.workers.filter((one) => goesBy(one, worker));
  if (worker !== undefined && workers?.length === 0)
    return {
      missing: `no worker in the evidence goes by ${shown(worker)}; it knows ${listed(scene.workers.map(({ id }) => id))}`,
    };
  let untimed = 0;
  return {
    ...(job ? { job } : {}),
    keeps(one, story) {
      if (job && !isStoryOf(job, story)) return false;
      if (asked && !(story.queue !== undefined && asked.includes(story.queue))) return false;
      if (workers && !workersOf(one, story).some((id) => workers.some((known) => known.id === id))) return false;
      if (selection.windowMs === undefined) return true;
      if (one.fromMs > one.toMs) {
        untimed++;
        return true;
      }
      return one.toMs >= selection.windowMs[0] && one.fromMs <= selection.windowMs[1];
    },
    limits: () =>
      untimed === 0
        ? []
        : [
            {
              what: 'verdicts without a time',
              detail:
                'no record of them tells when, so whether they belong to the span that was asked for is open; they are told',
              count: untimed,
            },
          ],
  };
}

export const isStoryOf = (job: FoundJob, story: Story): boolean => story.queue === job.queue && story.job === job.id;

/** Those called just so, else those called so without their prefix. */
function queuesNamed(name: string, queues: readonly string[]): string[] {
  const exact = queues.filter((queue) => namesOfQueue(queue).includes(name));
  return exact.length > 0 ? exact : queues.filter((queue) => bareQueue(queue) === name);
}

/** Every worker that had a part in it: the one the verdict is about, and those of all runs. */
const workersOf = (one: Case, story: Story): string[] =>
  [one.worker, ...story.runs.map((run) => run.worker?.id)].filter((id) => id !== undefined);

/** Workers go by the name, host, pid or pod of their logs, and by their lock tokens. */
function goesBy(worker: WorkerProcess, name: string): boolean {
  const names = [
    worker.id,
    worker.host,
    worker.pod,
    worker.name,
    worker.pid,
    `${worker.host ?? worker.pod}:${worker.pid}`,
  ];
  return names.some((one) => String(one) === name) || worker.tokenPrefixes.includes(prefixOfToken(name));
}

/** The job, or a sentence that says why there is none. */
async function findAsked(file: CaseFile, text: string, queues: readonly string[]): Promise<FoundJob | string> {
  const readings = readAskedJob(text);
  const found = await findJobs(file, readings, queues.length > 0);
  const [only, another] = found;
  if (another !== undefined)
    throw new AmbiguousJobError(
      `${shown(text)} can mean ${found.length} jobs; name one of them: ${listed(found.map(nameOf))}`,
    );
  if (only !== undefined) return only;
  const elsewhere = await findJobs(
    file,
    readings.map(({ id }) => ({ id })),
    true,
  );
  const hint =
    elsewhere.length > 0 ? `it has ${listed(elsewhere.map(nameOf))}` : `the queues in it are ${listed(queues)}`;
  return `job ${shown(text)} is not in the evidence; ${hint}`;
}

/** As it can be typed for `--job`. */
const nameOf = ({ queue, id }: FoundJob): string =>
  queue === undefined
    ? `${id} (of a queue that is not named)`
    : queue.includes(':')
      ? `${queueKey(queue)}:${id}`
      : `${queue}:${id}`;

const shown = (text: string): string => JSON.stringify(text.slice(0, 200));

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const rest = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
