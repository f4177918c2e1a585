/** Log records in the order in which they were written. */
import type { StoredEvent } from '../model/stored.js';
import { midpointOf } from './moments.js';
import type { Scene } from './scene.js';

/**
 * By time, as they come, unless a clock was set: one that was set back prints times in another order than that of its lines, and
 * the lines of each source then keep their own.
 */
export function asWritten(logs: readonly StoredEvent[], scene: Scene): readonly StoredEvent[] {
  if (logs.every((event) => (scene.workerOf(event)?.clockStretches.length ?? 0) === 0)) return logs;
  const inTime = [...logs].sort((a, b) => midpointOf(a, scene) - midpointOf(b, scene));
  const bySource = new Map<number, StoredEvent[]>();
  for (const event of inTime) bySource.set(event.source.id, [...(bySource.get(event.source.id) ?? []), event]);
  for (const lines of bySource.values()) lines.sort((a, b) => b.line - a.line);
  return inTime.map((event) => bySource.get(event.source.id)?.pop() ?? event);
}
