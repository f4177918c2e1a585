/**
 * Which BullMQ a worker ran. Its own stack traces name it best; a queue's `meta` names that of whoever made the Queue object last,
 * often the same.
 */
import type { Scene, WorkerProcess } from './scene.js';

/** `5.81.5`, or a bare major where only that shows. Undefined: not known. */
export function versionOf(
  { worker, queue }: { readonly worker?: WorkerProcess | undefined; readonly queue?: string | undefined },
  { versions }: Scene,
): string | undefined {
  const own = worker === undefined ? undefined : versions.byWorker.get(worker.id);
  if (own !== undefined) return own;
  const [only, ...others] = new Set(versions.byWorker.values());
  return only !== undefined && others.length === 0
    ? only
    : queue === undefined
      ? undefined
      : versions.byQueue.get(queue);
}

/** Whether `version` is `since` or later; undefined where that is not known. */
export function isSince(version: string | undefined, since: string): boolean | undefined {
  if (version === undefined) return undefined;
  const [own, other] = [version.split('.').map(Number), since.split('.').map(Number)];
  for (const [n, part] of other.entries()) {
    const mine = own[n];
    // A bare major says nothing of the minors behind it, unless all of them are meant.
    if (mine === undefined || Number.isNaN(mine)) return other.slice(n).every((rest) => rest === 0) ? true : undefined;
    if (mine !== part) return mine > part;
  }
  return true;
}
