/**
 * One completed event, and several processes that each did the work which follows it.
 *
 * QueueEvents tells every listener of every event: a listener in each of N processes hears one completion N times. Hearing it is
 * no effect, and neither is the worker's own `completed` line; the words have to tell of something done (sent, charged, saved),
 * once in each process and behind the only end of the job. Where other jobs have those words of one process only, that is not
 * the way it was meant; else it may be (each process may serve receivers of its own).
 */
import type { StoredEvent } from '../model/stored.js';
import { midpointOf } from '../story/moments.js';
import type { Scene, WorkerProcess } from '../story/scene.js';
import type { Run, Story } from '../story/story.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { beginSteps } from './words.js';

const TOLD_OF: ReadonlySet<StoredEvent['kind']> = new Set(['handler-line', 'aftermath']);
/** What is bad to be done twice. Pushing news to one's own connections is not. */
const EFFECT =
  /\b(?:sent|sending|e-?mail\w*|notif\w+|charg\w+|paid|payments?|refund\w*|bill(?:ed|ing)|receipts?|deliver\w*|created|inserted|wrote|written|saved|stored|credited|debited|transferr\w+|shipped|booked|webhooks?|posted)\b/i;
/** Records of two processes at one end, ms: their clocks round. */
const ROUNDING_MS = 2;

export default defineRule({
  name: 'event-fan-out',
  needs: ['worker-log'],
  wakes: 'echoes > 0',
  causes: ['event-fan-out'],
  rivals: ['completed-job-retried'],
  falsePositives: 'Listeners that only note the event; a second completion of the same job.',
  judge(story, scene) {
    const [run, ...others] = story.runs.filter((one) => one.completed ?? one.acknowledged);
    const end = run?.completed ?? run?.acknowledged;
    if (run === undefined || end === undefined || others.length > 0) return undefined;
    const effects = effectsAfter(run, end, story, scene);
    if (effects === undefined) return undefined;
    const processes = effects
      .map(({ worker }) => worker.id)
      .sort()
      .join(', ');
    return {
      ownFinding: true,
      group: processes,
      boundary: 'post-ack',
      cause: 'event-fan-out',
      status: story.record.summary.echoes_more > 0 ? 'likely' : 'possible',
      says: `was completed once, and ${effects.length} processes (${processes}) each did what follows it, in the same words`,
      witness: steps(
        ...beginSteps(run, story, scene),
        step(
          end,
          end.clock === 'redis' ? 'redis-order' : 'same-clock',
          `Job ${story.job} was completed, the only time.`,
          scene,
        ),
        ...effects.map(({ event, worker }) =>
          step(
            event,
            'same-clock',
            `Process ${worker.id} did its work after the completion of job ${story.job}.`,
            scene,
          ),
        ),
      ),
      hypotheses: [rival('completed-job-retried', [], [end])],
      advice: [
        'Let one place do what follows a job: add it as a job of its own before the handler returns, with an id made of this job’s id. QueueEvents tells every process that listens.',
        'The `completed` event of the Worker itself is told only in the process that ran the job.',
        'Make the effect idempotent by job id: events are told again after a reconnect, too.',
      ],
      wouldDecide: ['The receiver of the effect, or a table of effects by job id: how many of them arrived.'],
      counterfactual: `With one listener instead of ${effects.length}, this completion would have been acted upon once.`,
    };
  },
});

interface Effect {
  readonly event: StoredEvent;
  readonly worker: WorkerProcess;
}

/** The same words of an effect from several processes, once each, all behind the end and close together. */
function effectsAfter(run: Run, end: StoredEvent, story: Story, scene: Scene): Effect[] | undefined {
  const byShape = new Map<string, StoredEvent[]>();
  for (const event of story.record.events) {
    const { shape } = event.data;
    if (!TOLD_OF.has(event.kind) || shape === undefined || !EFFECT.test(shape)) continue;
    byShape.set(shape, [...(byShape.get(shape) ?? []), event]);
  }
  const endedMs = midpointOf(end, scene);
  for (const events of byShape.values()) {
    const effects = events.flatMap((event): Effect[] => {
      const worker = scene.workerOf(event);
      return worker === undefined ? [] : [{ event, worker }];
    });
    const at = events.map((event) => midpointOf(event, scene));
    const follow = at.every((ms) => ms >= endedMs - ROUNDING_MS) && Math.max(...at) - endedMs <= run.lockLife.value;
    const onceEach =
      effects.length === events.length && new Set(effects.map(({ worker }) => worker)).size === events.length;
    if (events.length > 1 && follow && onceEach && !areCopies(effects)) return effects;
  }
  return undefined;
}

/** A log that was shipped twice: the same moments, and nothing that names the two processes. */
const areCopies = (effects: readonly Effect[]): boolean =>
  effects.some(({ event, worker }, n) =>
    effects
      .slice(n + 1)
      .some(
        (other) =>
          other.event.t === event.t &&
          (!isNamed(worker) || !isNamed(other.worker) || worker.host === other.worker.host),
      ),
  );

const isNamed = ({ host, pid, pod, name }: WorkerProcess): boolean => (host ?? pid ?? pod ?? name) !== undefined;
