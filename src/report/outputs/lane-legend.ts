/** What the signs of a lane chart mean; only those that a chart uses. */
import type { LaneChart, MarkKind } from '../sections/lane-chart.js';

export interface Legend {
  readonly kind: 'run' | 'run-unlocked' | 'run-unseen' | 'lease' | MarkKind;
  readonly text: string;
}

export const MARK_NAMES: Readonly<Record<MarkKind, string>> = {
  progress: 'progress',
  returned: 'handler returned',
  acknowledged: 'acknowledged',
  stalled: 'stalled',
  'lock-error': 'lock error',
  process: 'process event',
  redis: 'connection to Redis',
};

export function legendOf(chart: LaneChart): Legend[] {
  const bars = chart.lanes.flatMap((lane) => lane.bars);
  const kinds = new Set(
    chart.lanes.flatMap((lane) => [...lane.marks, ...lane.bars.flatMap((bar) => bar.marks)]).map((mark) => mark.kind),
  );
  const marks = Object.entries(MARK_NAMES).flatMap(([name, text]): Legend[] => {
    const kind = [...kinds].find((one) => one === name);
    return kind === undefined ? [] : [{ kind, text }];
  });
  return [
    { kind: 'run', text: 'handler ran' },
    ...(bars.some((bar) => bar.unlockedFromMs !== undefined)
      ? [{ kind: 'run-unlocked' as const, text: 'ran without its lock' }]
      : []),
    ...(bars.some((bar) => bar.seenToMs < bar.toMs) ? [{ kind: 'run-unseen' as const, text: 'end not seen' }] : []),
    ...(bars.some((bar) => bar.lease !== undefined) ? [{ kind: 'lease' as const, text: 'lock held' }] : []),
    ...marks,
  ];
}
