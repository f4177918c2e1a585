/** A story in the words of the analysis: executions, timeline, outcome. */
import type { Execution, JobStory, Moment, TimelineEntry } from '../model/analysis.js';
import type { EventKind, LockEnding } from '../model/event.js';
import { quoteEvidence } from '../model/quote-evidence.js';
import type { StoredEvent } from '../model/stored.js';
import { afterMove } from '../story/after-move.js';
import { midpointOf, momentOf, queueKey, refOf } from '../story/moments.js';
import { processEnd } from '../story/process-end.js';
import type { Scene } from '../story/scene.js';
import { beginOf, endOf, failedForTheRecord, type Run, type Story } from '../story/story.js';
import { formatUtc } from '../time/index.js';

export function tellStory(story: Story, scene: Scene): JobStory {
  return {
    ...(story.queue === undefined ? {} : { queue: story.queue }),
    id: story.job,
    ...(story.name === undefined ? {} : { name: story.name }),
    outcome: story.outcome,
    ...lockAtSnapshot(story),
    executions: story.runs.map((run) => tellRun(run, story, scene)),
    timeline: tellTimeline(story, scene),
  };
}

/** What the last snapshot that speaks of the lock says. */
function lockAtSnapshot(story: Story): Pick<JobStory, 'lockAtSnapshot' | 'noLockAtSnapshot'> {
  const facts = story.record.facts.findLast(({ lock, noLockSaid }) => lock !== undefined || noLockSaid);
  if (facts === undefined) return {};
  const ref = {
    source: facts.source.path,
    ...(story.queue === undefined ? {} : { key: `${queueKey(story.queue)}:${story.job}:lock` }),
  };
  if (facts.lock === undefined) return { noLockAtSnapshot: { ref } };
  const { token, expiresAtMs } = facts.lock;
  const expiry = expiresAtMs === undefined ? {} : { expiresAt: formatUtc(expiresAtMs, 'ms') };
  return { lockAtSnapshot: { ...(token === undefined ? {} : { token }), ...expiry, ref } };
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
  const renewals = run.ledger.filter((event) => event.kind === 'lock-renewed');
  const [renewed, released, gone] = [renewals.at(-1), find('lock-released'), find('lock-gone')];
  const livesUntilMs = (renewed ?? find('lock-set'))?.data.expiresAtMs;
  return {
    ...(acquired ? { acquired: momentOf(acquired, scene) } : {}),
    ...(renewed ? { renewed: momentOf(renewed, scene), renewals: renewals.length } : {}),
    ...(livesUntilMs === undefined ? {} : { livesUntil: redisMoment(livesUntilMs) }),
    ...(gone?.data.ending ? { [gone.data.ending]: momentOf(gone, scene) } : {}),
    ...(released ? { released: momentOf(released, scene) } : {}),
  };
}

/** A time that a record of Redis names, such as the expiry of a lock, ms. */
const redisMoment = (ms: number): Moment => ({
  at: formatUtc(ms, 'ms'),
  precision: 'ms',
  clock: 'redis',
  redisMs: [ms, ms],
});

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

/** How a lock went that its owner had not released. */
const ENDINGS: Readonly<Record<LockEnding, string>> = {
  expired: 'lock expired',
  evicted: 'lock evicted by Redis before it could expire',
  deleted: 'lock deleted before it could expire',
};

/** One entry for each event, with every route by which it was seen. */
function tellTimeline(story: Story, scene: Scene): TimelineEntry[] {
  return story.record.events
    .map((event) => ({ event, at: midpointOf(event, scene) }))
    .sort(
      (a, b) =>
        a.at - b.at ||
        (a.event.source.path < b.event.source.path ? -1 : a.event.source.path > b.event.source.path ? 1 : 0) ||
        a.event.line - b.event.line,
    )
    .map(({ event }) => {
      const worker = scene.workerOf(event)?.id;
      const also = story.alsoTold.get(event);
      return {
        moment: momentOf(event, scene),
        kind: event.kind,
        ...(worker === undefined ? {} : { worker }),
        text: textOf(event),
        ref: refOf(event),
        ...(also === undefined ? {} : { also: also.map(refOf) }),
      };
    });
}

function textOf(event: StoredEvent): string {
  const { data } = event;
  if (event.kind === 'progress' || event.kind === 'handler-progress')
    return data.progress === undefined ? 'progress' : `progress ${data.progress}`;
  const text = (data.ending && ENDINGS[data.ending]) ?? TEXTS[event.kind] ?? event.kind;
  const details = [
    data.prev && event.kind === 'waiting' ? `from ${data.prev}` : undefined,
    data.command,
    event.kind === 'finish-rejected' || event.kind === 'lock-gone' ? (data.text ?? data.verb) : undefined,
    data.client === undefined || !event.kind.startsWith('lock-gone') ? undefined : `client ${data.client}`,
    data.attempt === undefined ? undefined : `attempt ${data.attempt}`,
    (event.kind === 'failed' || event.kind === 'attempt-failed') && data.text !== undefined
      ? quoteEvidence(data.text)
      : undefined,
  ].filter((detail) => detail !== undefined);
  return details.length > 0 ? `${text} (${details.join(', ')})` : text;
}
