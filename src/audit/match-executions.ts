/**
 * Which execution of a job's story a row records: the one that began when the row says its run began, on the clock of the same
 * worker. A row that fits none, or whose time is that of two, is tied to none.
 */
import type { Execution, JobStory } from '../model/analysis.js';

export interface RowStart {
  readonly worker?: string;
  readonly startedMs?: number;
}

/** A row is written at the begin of its run, not at the same instant. */
const CLOSE_MS = 2000;

/** Numbers of the executions, one for each row, undefined where none fits. */
export function matchExecutions(rows: readonly RowStart[], story: JobStory | undefined): (number | undefined)[] {
  const free = new Set(story?.executions ?? []);
  return rows.map((row) => {
    if (row.startedMs === undefined) return undefined;
    const near = [...free]
      .map((execution) => ({ execution, off: offBy(row, execution) }))
      .filter(({ off }) => off <= CLOSE_MS)
      .sort((a, b) => a.off - b.off);
    const [best] = near;
    if (best === undefined) return undefined;
    free.delete(best.execution);
    return best.execution.n;
  });
}

function offBy({ worker, startedMs = 0 }: RowStart, { start, worker: by }: Execution): number {
  if (start.at === undefined) return Number.POSITIVE_INFINITY;
  const isOther = worker !== undefined && by !== undefined && !by.includes(worker) && !worker.includes(by);
  // Names of workers differ between a log and a table more often than two runs begin at once.
  return Math.abs(Date.parse(start.at) - startedMs) + (isOther ? CLOSE_MS / 2 : 0);
}
