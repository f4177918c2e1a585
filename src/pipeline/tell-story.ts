/** A story in the words of the analysis: executions, timeline, outcome. */
import type { Execution, JobStory, TimelineEntry } from '../model/analysis.js';
import type { EventKind } from '../model/event.js';
import type { StoredEvent } from '../model/stored.js';
import { afterMove } from '../story/after-move.js';
import { deletedEarly } from '../story/lost-lock.js';
import { midpointOf, momentOf, queueKey, refOf } from '../story/moments.js';
import { processEnd } from '../story/process-end.js';
import type { Scene } from '../story/scene.js';
import { beginOf, endOf, failedForTheRecord, type Run, type Story } from '../story/story.js';
import { formatUtc } from '../time/index.js';

export function tellStory(story: Story, scene: Scene): JobStory {
  const snapshot = story.record.facts.findLast((facts) => facts.lock !== undefined);
  return {
    ...(story.queue === undefined ? {} : { queue: story.queue }),
    id: story.job,
    ...(story.name === undefined ? {} : { name: story.name }),
    outcome: story.outcome,
    ...(snapshot?.lock
      ? {
          lockAtSnapshot: {
            token: snapshot.lock.token,
            ...(snapshot.lock.expiresAtMs === undefined
              ? {}
              : { expiresAt: formatUtc(snapshot.lock.expiresAtMs, 'ms') }),
            ref: {
              source: snapshot.source.path,
              ...(story.queue === undefined ? {} : { key: `${queueKey(story.queue)}:${story.job}:lock` }),
            },
          },
        }
      : {}),
    executions: story.runs.map((run) => tellRun(run, story, scene)),
    timeline: tellTimeline(story, scene),
  };
}

function tellRun(run: Run, story: Story, scene: Scene): Execution {
  const begin = run.started ?? beginOf(run);
  const end = endOf(run);
  const acknowledged = run.completed ?? run.acknowledged ?? run.failed;
  return {
    n: run.n,
    ...(run.worker ? { worker: run.worker.id } : {}),
    ...(run.token === undefined ? {} : { token: run.token }),
    start: momentOf(begin, scene),
    startRef: refOf(begin),
    ...(end ? { end: momentOf(end, scene), endRef: refOf(end) } : {}),
    how: howEnded(run, story, scene),
    ...(run.returned ? { returned: momentOf(run.returned, scene) } : {}),
    ...(acknowledged ? { acknowledged: momentOf(acknowledged, scene) } : {}),
    lock: tellLock(run, scene),
    progress: run.progress.flatMap((event) =>
      event.data.progress === undefined
        ? []
        : [{ moment: momentOf(event, scene), value: event.data.progress, ref: refOf(event) }],
    ),
  };
}

/** What the lock ledger shows of this run; what it does not show is absent. */
function tellLock(run: Run, scene: Scene): Execution['lock'] {
  const find = (kind: EventKind): StoredEvent | undefined => run.ledger.findLast((event) => event.kind === kind);
  const acquired = run.ledger.find((event) => event.kind === 'lock-set') ?? run.activation;
  const gone = find('lock-gone');
  const early = gone !== undefined && gone === deletedEarly(run);
  const [renewed, released] = [find('lock-renewed'), find('lock-released')];
  return {
    ...(acquired ? { acquired: momentOf(acquired, scene) } : {}),
    ...(renewed ? { renewed: momentOf(renewed, scene) } : {}),
    ...(gone ? { [early ? 'deleted' : 'expired']: momentOf(gone, scene) } : {}),
    ...(released ? { released: momentOf(released, scene) } : {}),
  };
}

function howEnded(run: Run, story: Story, scene: Scene): Execution['how'] {
  if (run.completed ?? run.acknowledged) return 'completed';
  if (run.stall || run.lockErrors.some((error) => error.kind !== 'pending-children' && !(run.moved ?? run.movedLine)))
    return 'lost';
  if (run.moved || run.movedLine) return afterMove(run, story, scene) || !run.attemptFailed ? 'moved' : 'retried';
  if (run.failed) return 'failed';
  if (failedForTheRecord(run)) return story.runs.length > run.n ? 'retried' : 'failed';
  if (story.runs.length > run.n) return 'unknown';
  if (processEnd(run, scene)?.certainty === 'likely') return 'lost';
  return story.outcome === 'active' || story.outcome === 'unknown' ? 'running' : 'unknown';
}

const TEXTS: Partial<Record<EventKind, string>> = {
  added: 'added to the queue',
  waiting: 'waiting',
  active: 'active',
  delayed: 'delayed',
  'waiting-children': 'waiting for children',
  stalled: 'stalled: taken back by the sweep',
  completed: 'completed (recorded by Redis)',
  failed: 'failed (recorded by Redis)',
  'retries-exhausted': 'retries exhausted',
  removed: 'removed',
  'handler-started': 'handler started',
  'handler-line': 'handler line',
  'handler-returned': 'handler returned',
  'handler-threw': 'handler threw',
  'moved-by-handler': 'moved by its handler',
  acknowledged: 'worker event completed',
  'attempt-failed': 'worker event failed',
  'renewal-failed': 'renewal failed',
  'lock-missing': 'refused: no lock',
  'lock-mismatch': 'refused: lock of another token',
  'not-in-state': 'refused: not in the expected state',
  'key-missing': 'refused: job key missing',
  'pending-children': 'refused: pending children',
  'lock-set': 'lock acquired',
  'lock-renewed': 'lock renewed',
  'lock-released': 'lock released',
  'lock-gone': 'lock gone without a release',
  'finish-rejected': 'refused by Redis',
  'stalled-notice': 'worker event stalled (the sweeper tells it)',
};

/** One entry for each record, the same stream entry of two sources once. */
function tellTimeline(story: Story, scene: Scene): TimelineEntry[] {
  const seen = new Set<string>();
  return story.record.events
    .filter((event) => {
      if (event.clock !== 'redis') return true;
      const id = `${event.kind} ${event.t}-${event.line}`;
      return seen.has(id) ? false : Boolean(seen.add(id));
    })
    .map((event) => ({ event, at: midpointOf(event, scene) }))
    .sort(
      (a, b) =>
        a.at - b.at ||
        (a.event.source.path < b.event.source.path ? -1 : a.event.source.path > b.event.source.path ? 1 : 0) ||
        a.event.line - b.event.line,
    )
    .map(({ event }) => {
      const worker = scene.workerOf(event)?.id;
      return {
        moment: momentOf(event, scene),
        kind: event.kind,
        ...(worker === undefined ? {} : { worker }),
        text: textOf(event),
        ref: refOf(event),
      };
    });
}

function textOf(event: StoredEvent): string {
  const { data } = event;
  if (event.kind === 'progress' || event.kind === 'handler-progress')
    return data.progress === undefined ? 'progress' : `progress ${data.progress}`;
  const text = TEXTS[event.kind] ?? event.kind;
  const details = [
    data.prev && event.kind === 'waiting' ? `from ${data.prev}` : undefined,
    data.command,
    event.kind === 'finish-rejected' || event.kind === 'lock-gone' ? (data.text ?? data.verb) : undefined,
    data.client === undefined || !event.kind.startsWith('lock-gone') ? undefined : `client ${data.client}`,
    data.attempt === undefined ? undefined : `attempt ${data.attempt}`,
    event.kind === 'failed' || event.kind === 'attempt-failed' ? data.text : undefined,
  ].filter((detail) => detail !== undefined);
  return details.length > 0 ? `${text} (${details.join(', ')})` : text;
}
