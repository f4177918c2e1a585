/** Which workers of each queue were alive when. */
import type { Limit, LiveWorker, Worker } from '../model/analysis.js';
import { type LiveChange, liveChanges } from '../story/live-workers.js';
import type { Scene } from '../story/scene.js';
import { formatUtc } from '../time/index.js';

/** Changes told of in the analysis. */
const MOST_TOLD = 1000;

/** @param workers as the analysis lists them, with their ends */
export function accountForLiveWorkers(
  scene: Scene,
  queuesOf: ReadonlyMap<string, ReadonlySet<string>>,
  workers: readonly Worker[],
): { live: LiveWorker[]; limits: Limit[] } {
  const over = new Set(workers.filter(({ ended }) => ended !== undefined && ended !== 'unknown').map(({ id }) => id));
  const changes = liveChanges(scene, queuesOf, (worker) => over.has(worker.id));
  const left = changes.length - MOST_TOLD;
  return {
    live: changes.slice(0, MOST_TOLD).map(toLiveWorker),
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
