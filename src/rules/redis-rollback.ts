/**
 * Redis went back in its history: it no longer knows an end that it once acknowledged.
 *
 * The worker's own `completed` event follows Redis' record, so where a worker tells of it and Redis, whose stream covers that
 * time, has the job open and runs it again, the record was lost: a restart from an older snapshot, or a failover to a replica
 * that had not yet heard of it. A MONITOR capture or an AOF of before may hold that record itself: then a sweep finds the job
 * active that nobody has started since.
 */
import type { StoredEvent } from '../model/stored.js';
import { surelyBefore } from '../story/interval.js';
import { redisInterval } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import { beginOf, type Run, type Story } from '../story/story.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { beginSteps, handoffSteps, whoRan, workerName } from './words.js';

export default defineRule({
  name: 'redis-rollback',
  needs: ['events-stream'],
  wakes:
    '(acks > completions AND (activations > 0 OR adds > 0 OR in_wait > 0 OR in_active > 0)) OR (completions > 0 AND stalls > 0)',
  causes: ['redis-rollback'],
  rivals: ['completed-job-retried'],
  falsePositives:
    'A trimmed or deleted events stream begins late without any loss; a job that somebody put back runs once more.',
  judge(story, scene) {
    const run = story.runs.find(
      (candidate) => isForgotten(candidate, story, scene) || foundActiveAgain(candidate, story) !== undefined,
    );
    const swept = run && foundActiveAgain(run, story);
    const ack = swept ? run.completed : run?.acknowledged;
    if (run === undefined || ack === undefined) return undefined;
    const next = story.runs[run.n];
    const ackedBy = redisInterval(ack, scene)[1];
    // Redis must have been seen after the acknowledgement: a snapshot taken before it knows nothing of it.
    const openLater = story.record.facts.some(
      (facts) =>
        (facts.momentMs?.[0] ?? 0) > ackedBy &&
        facts.states.some((state) => state === 'wait' || state === 'active' || state === 'delayed'),
    );
    const againLater = next?.activation !== undefined && redisInterval(next.activation, scene)[0] > ackedBy;
    if (!againLater && !openLater && !swept) return undefined;
    const lost = lossAfter(run, ack, scene);
    return {
      run,
      boundary: 'redis-loss',
      cause: 'redis-rollback',
      status: lost || swept ? 'shown' : 'likely',
      says: `was acknowledged on ${whoRan(run)}, and Redis no longer knows of it: its data went back to an earlier state${
        next ? `; ${whoRan(next)} ran the job again` : ''
      }`,
      witness: steps(
        ...beginSteps(run, story, scene),
        run.acknowledged &&
          step(
            run.acknowledged,
            'same-clock',
            `Worker ${workerName(run)} reported job ${story.job} as completed: Redis had recorded it.`,
            scene,
          ),
        swept && step(ack, 'redis-order', `Redis recorded job ${story.job} as completed.`, scene),
        swept &&
          step(swept, 'sweep', `The sweep found job ${story.job} active, and nobody had started it since.`, scene),
        lost && step(lost, 'same-clock', 'The connection to Redis was lost after that.', scene),
        ...handoffSteps(run, story, scene),
      ),
      hypotheses: [rival('completed-job-retried', [], [next && beginOf(next)], ['waiting with prev=completed'])],
      advice: [
        'Use appendonly yes with appendfsync everysec at least: with snapshots alone a restart forgets everything since the last one.',
        'Before a failover is accepted, compare replication offsets; WAIT after critical writes bounds the loss.',
        'Make the effect idempotent by job id: a rollback runs acknowledged work again.',
      ],
      wouldDecide: ['The log of Redis: "DB loaded from …", the time of the last save, failover records.'],
      counterfactual: 'Had Redis kept the completion, nobody would have run the job again.',
    };
  },
});

/** A finish that is on its way for so long is told of as held up, by an error if nothing else. */
const LONG_MS = 1000;

/** The worker was told of the completion, and the stream that covers the time of this run does not hold it. */
function isForgotten(run: Run, story: Story, scene: Scene): boolean {
  const { acknowledged, completed, worker } = run;
  if (acknowledged === undefined || acknowledged.data.soft || completed) return false;
  // A process that ended right after its last words may have printed them too early; a refused finish says that it did.
  const longMs = Math.max(LONG_MS, run.lockLife.value / 4);
  const livedOn = (worker?.lastMs ?? 0) > (acknowledged.t ?? Number.POSITIVE_INFINITY) + longMs;
  if (run.stall?.recorded && !livedOn) return false;
  if (run.lockErrors.length > 0 || story.requeues.length > 0 || isRecordedApart(run, acknowledged, story, scene))
    return false;
  if (run.activation) return true;
  // The stream shows the job being added before this run, so it is not the older part that is missing.
  const added = story.record.events.find((event) => event.clock === 'redis' && event.kind === 'added');
  return added !== undefined && surelyBefore(redisInterval(added, scene), redisInterval(beginOf(run), scene));
}

/** The stream holds the completion, and only the activation before it is missing; or the id was free and was used again. */
function isRecordedApart(run: Run, ack: StoredEvent, story: Story, scene: Scene): boolean {
  const [from, to] = [redisInterval(beginOf(run), scene)[0], redisInterval(ack, scene)[1]];
  return story.record.events.some(
    (event) =>
      event.clock === 'redis' &&
      ((event.kind === 'completed' &&
        (event.t ?? 0) >= from &&
        (event.t ?? 0) <= to &&
        story.runs.every(({ completed }) => completed !== event)) ||
        (event.kind === 'added' && (event.t ?? 0) >= to)),
  );
}

/** The sweep that took the job from active after its end, although Redis saw it neither put back nor started in between. */
function foundActiveAgain({ completed }: Run, story: Story): StoredEvent | undefined {
  if (completed?.t === undefined) return undefined;
  const later = story.record.events.filter(
    ({ clock, kind, t }) => clock === 'redis' && STATE_CHANGES.has(kind) && (t ?? 0) > (completed.t ?? 0),
  );
  const [first] = later;
  if (first?.kind !== 'stalled' && (first?.kind !== 'waiting' || first.data.prev !== 'active')) return undefined;
  const swept = later.find(({ kind }) => kind === 'stalled');
  // A stream is cut from its start only: one that tells of the job before its end holds all that came after it, too.
  const sourcesOf = (event: StoredEvent) =>
    [event, ...(story.alsoTold.get(event) ?? [])].map(({ source }) => source.path);
  const reachesBack = story.record.events.some(
    (event) =>
      event.clock === 'redis' &&
      (event.t ?? Number.POSITIVE_INFINITY) <= (completed.t ?? 0) &&
      event !== completed &&
      swept !== undefined &&
      sourcesOf(event).some((path) => sourcesOf(swept).includes(path)),
  );
  return reachesBack ? swept : undefined;
}

const STATE_CHANGES: ReadonlySet<StoredEvent['kind']> = new Set([
  'added',
  'waiting',
  'active',
  'delayed',
  'waiting-children',
  'stalled',
  'removed',
]);

/** Some worker lost its connection after the acknowledgement. */
const lossAfter = (run: Run, ack: StoredEvent, scene: Scene): StoredEvent | undefined =>
  [...new Set([run.worker, ...scene.workers])]
    .flatMap((worker) => worker?.signs ?? [])
    .find((event) => event.kind === 'redis-lost' && redisInterval(event, scene)[1] >= redisInterval(ack, scene)[0]);
