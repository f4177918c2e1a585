/** Which evidence class each source covers, and when: silence means something only inside of that. */
import type { Coverage, Source } from '../model/analysis.js';
import type { EvidenceClass } from '../model/evidence-classes.js';
import type { WorkerProcess } from '../story/scene.js';
import { formatUtc } from '../time/index.js';

/** Gaps told of one worker in one source, the first ones. */
const MOST_GAPS = 20;

/** What a source of commands shows beside the events they wrote. */
const OF_COMMANDS: Readonly<Record<string, readonly EvidenceClass[]>> = {
  aof: ['lock-history'],
  monitor: ['lock-history', 'rejected-commands'],
};

/**
 * A row for each class of each source, in the order of the sources; a log has one for each of its workers.
 *
 * @param snapshots paths of the sources that hold the state of queues at a moment
 * @param gapMs a worker's silence is told from this length on
 */
export function accountForCoverage(
  sources: readonly Source[],
  workers: readonly WorkerProcess[],
  snapshots: ReadonlySet<string>,
  gapMs: number,
): Coverage[] {
  return sources.flatMap((source): Coverage[] => {
    const span = {
      ...(source.from === undefined ? {} : { from: source.from }),
      ...(source.to === undefined ? {} : { to: source.to }),
    };
    if (source.kind === 'log')
      return workers
        .filter((worker) => worker.sources.includes(source.path))
        .map((worker) => ({
          class: 'worker-log',
          source: source.path,
          worker: worker.id,
          ...span,
          gaps: gapsOf(worker, source.path, gapMs),
        }));
    return classesOf(source, snapshots).map((name) => ({ class: name, source: source.path, ...span, gaps: [] }));
  });
}

function classesOf({ kind, path, format, events }: Source, snapshots: ReadonlySet<string>): EvidenceClass[] {
  if (kind !== 'redis') return [];
  return [
    ...(snapshots.has(path) ? (['snapshot'] as const) : []),
    ...(events > 0 ? (['events-stream', ...(OF_COMMANDS[format] ?? [])] as const) : []),
  ];
}

const gapsOf = (worker: WorkerProcess, path: string, gapMs: number): Coverage['gaps'] =>
  worker.gaps
    .filter((gap) => gap.source === path && gap.toMs - gap.fromMs >= gapMs)
    .slice(0, MOST_GAPS)
    .map((gap) => ({
      from: formatUtc(gap.fromMs, 'ms'),
      to: formatUtc(gap.toMs, 'ms'),
      what: 'no line of this worker',
    }));
