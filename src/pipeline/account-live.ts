/** Which workers of each queue were alive when. */
import type { Finding, Limit, LiveWorker, Scaling, Worker } from '../model/analysis.js';
import { type LiveChange, liveChanges, scaledBefore } from '../story/live-workers.js';
import type { Scene } from '../story/scene.js';
import { lockDurationOf, stalledIntervalOf } from '../story/settings-of.js';
import { formatUtc } from '../time/index.js';

/** Changes told of in the analysis. */
const MOST_TOLD = 1000;

/** @param workers as the analysis lists them, with their ends; `findings` in the order of the report */
export function accountForLiveWorkers(
  scene: Scene,
  queuesOf: ReadonlyMap<string, ReadonlySet<string>>,
  workers: readonly Worker[],
  findings: readonly Finding[],
): { live: LiveWorker[]; scaling: Scaling[]; limits: Limit[] } {
  const over = new Set(workers.filter(({ ended }) => ended !== undefined && ended !== 'unknown').map(({ id }) => id));
  const changes = liveChanges(scene, queuesOf, (worker) => over.has(worker.id));
  const left = changes.length - MOST_TOLD;
  return {
    live: changes.slice(0, MOST_TOLD).map(toLiveWorker),
    scaling: scalingBeforeLosses(findings, changes, scene),
    limits:
      left > 0
        ? [
            {
              what: 'changes of live workers left out',
              detail: 'only the first changes of live workers are listed; the workers themselves all are',
              count: left,
            },
          ]
        : [],
  };
}

/**
 * For each queue that lost a lock under a live worker: was it scaled up just before its first loss? A queue that always ran on one
 * worker hides a lock that is not renewed, as nobody else takes the job.
 */
function scalingBeforeLosses(findings: readonly Finding[], changes: readonly LiveChange[], scene: Scene): Scaling[] {
  const firstLoss = new Map<string | undefined, { finding: string; atMs: number }>();
  for (const { id, boundary, jobs, witness } of findings) {
    const loss = boundary === 'lock-renewal' ? witness.find(({ kind }) => kind === 'sweep') : undefined;
    const atMs = loss?.moment.redisMs?.[0];
    const queue = jobs[0]?.queue;
    if (atMs !== undefined && atMs < (firstLoss.get(queue)?.atMs ?? Number.POSITIVE_INFINITY))
      firstLoss.set(queue, { finding: id, atMs });
  }
  return [...firstLoss].flatMap(([queue, { finding, atMs }]) => {
    const own = changes.filter((change) => change.queue === queue);
    if (own.length === 0) return [];
    // The lock ran out a life after its last renewal, and the sweep came within an interval of that.
    const withinMs = 2 * lockDurationOf({ queue }, scene).value + stalledIntervalOf(queue, scene).value;
    const { verdict, before, after, arrivals } = scaledBefore(own, atMs, withinMs);
    return [
      {
        ...(queue === undefined ? {} : { queue }),
        ...{ finding, verdict, withinMs, before: [before[0], before[1]], after: [after[0], after[1]] },
        arrivals: arrivals.map(({ worker, ref }) => ({ worker: worker.id, ref })),
      } satisfies Scaling,
    ];
  });
}

function toLiveWorker({ queue, worker, change, at, live, ref }: LiveChange): LiveWorker {
  const ms = change === 'came' || change === 'first-seen' ? worker.firstMs : worker.lastMs;
  return {
    ...(queue === undefined ? {} : { queue }),
    worker: worker.id,
    change,
    moment: {
      ...(ms === undefined ? {} : { at: formatUtc(ms, 'ms') }),
      precision: 'ms',
      clock: worker.id,
      redisMs: [Math.floor(at[0]), Math.ceil(at[1])],
    },
    live: [live[0], live[1]],
    ref,
  };
}
