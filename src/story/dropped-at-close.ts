/**
 * An activation that a closing worker asked for and never ran.
 *
 * A request for the next job can be on its way while the worker closes: Redis makes the job active for a worker that is gone.
 * Only a token names that worker. Without one it is told by exclusion: no log has a line of the job, every worker that was at
 * work writes such lines, and just one worker was closing.
 */
import { isClosing } from '../model/end-signs.js';
import type { StoredEvent } from '../model/stored.js';
import { surelyBefore } from './interval.js';
import { redisInterval } from './moments.js';
import type { Activation } from './read-stream.js';
import type { Scene, WorkerProcess } from './scene.js';
import { lockDurationOf } from './settings-of.js';

export interface Dropped {
  readonly worker: WorkerProcess;
  /** Its first closing line. */
  readonly closing: StoredEvent;
}

/** Undefined when the handler may have run. `logs` are the workers' records of the job. */
export function droppedAtClose(
  activation: Activation,
  logs: readonly StoredEvent[],
  scene: Scene,
): Dropped | undefined {
  const { active, stalled } = activation;
  if (activation.completed || activation.failed || activation.moved || activation.progress.length > 0) return undefined;
  const until: readonly [number, number] = [stalled?.t ?? scene.endMs, stalled?.t ?? scene.endMs];
  const at = redisInterval(active, scene);
  const holder = scene.workerOf(active);
  const told = logs.some((event) => {
    if (event.kind === 'stalled-notice') return false;
    if (holder !== undefined && scene.workerOf(event) !== holder) return false;
    const when = redisInterval(event, scene);
    return !surelyBefore(when, at) && !surelyBefore(until, when);
  });
  if (told) return undefined;
  const candidates = scene.workers.flatMap((worker): Dropped[] => {
    const closing = worker.signs.find((event) => isClosing(event.kind));
    const isHolder = holder === undefined || holder === worker;
    return closing && isHolder && isClosingAt(worker, closing, at[0], scene) ? [{ worker, closing }] : [];
  });
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) return undefined;
  if (holder === only.worker) return only;
  const silentOthers = scene.workers.some(
    (worker) =>
      worker !== only.worker && isAtWork(worker, at[0]) && !worker.logsReturns && !worker.logsAcknowledgements,
  );
  return silentOthers ? undefined : only;
}

/** It had begun to close, and its last line lies less than a life of the lock back. */
function isClosingAt(worker: WorkerProcess, closing: StoredEvent, atMs: number, scene: Scene): boolean {
  const lastMs = (worker.lastMs ?? Number.NEGATIVE_INFINITY) - worker.offsetMs[0];
  return redisInterval(closing, scene)[0] <= atMs && atMs - lastMs < lockDurationOf({ worker }, scene).value;
}

const isAtWork = (worker: WorkerProcess, atMs: number): boolean =>
  (worker.firstMs ?? Number.POSITIVE_INFINITY) - worker.offsetMs[1] <= atMs &&
  (worker.lastMs ?? Number.NEGATIVE_INFINITY) - worker.offsetMs[0] >= atMs;
