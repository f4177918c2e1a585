/**
 * Which setting holds for a run. Two workers of one queue may differ, and that can be the cause, so what a worker showed itself
 * goes before what its queue shows, and that before what holds for all.
 */
import { prefixOfToken } from '../model/lock-token.js';
import type { Known, Scene, SettingName, WorkerProcess } from './scene.js';

interface Of {
  readonly token?: string | undefined;
  readonly worker?: WorkerProcess | undefined;
  readonly queue?: string | undefined;
}

function settingOf(name: SettingName, { token, worker, queue }: Of, scene: Scene): Known | undefined {
  const { byToken, byWorker, byQueue } = scene.scoped;
  return (
    (token === undefined ? undefined : byToken.get(prefixOfToken(token))?.[name]) ??
    (worker === undefined ? undefined : byWorker.get(worker.id)?.[name]) ??
    (queue === undefined ? undefined : byQueue.get(queue)?.[name])
  );
}

/** The life of the lock of a run, ms. */
export const lockDurationOf = (of: Of, scene: Scene): Known =>
  settingOf('lockDuration', of, scene) ?? scene.lockDuration;

/** The time between two sweeps of a queue, ms: the longest that any of its workers keeps the others from sweeping. */
export const stalledIntervalOf = (queue: string | undefined, scene: Scene): Known =>
  settingOf('stalledInterval', { queue }, scene) ?? scene.stalledInterval;
