/**
 * Histories in one line, for tests of stories and rules.
 *
 *   R 0 active; A 1 handler-started; R 4000 waiting prev=active; R 4000 stalled; B 4001 handler-started; …
 *
 * Each record: who (`R` Redis, a letter a worker process), ms, kind, then details as key=value. `A 500 -` is a line that says
 * nothing about the job: it keeps the process present. All clocks agree; the lock lives 2,000 ms (given).
 */
import { CLOCK_KINDS, EVENT_KINDS, type EventData, type EventKind } from '../../src/model/event.js';
import type { JobRecord, StoredEvent, StoredJobFacts, StoredSource } from '../../src/model/stored.js';
import { type JobSummary, SUMMARY_COLUMNS } from '../../src/model/summary.js';
import type { Scene, WorkerProcess } from '../../src/story/scene.js';

export const LOCK_MS = 2000;
const T0 = 1_750_000_000_000;

export interface History {
  readonly record: JobRecord;
  readonly scene: Scene;
}

interface Line {
  readonly who: string;
  readonly ms: number;
  readonly kind: EventKind | '-';
  readonly data: EventData;
}

export interface Variant {
  /** Shifts the clock of a worker as it prints it; its offset bounds follow. */
  readonly shiftMs?: Readonly<Record<string, number>>;
  readonly facts?: readonly Partial<StoredJobFacts>[];
  readonly endMs?: number;
  readonly longestRunMs?: number;
  readonly lockBasis?: 'given' | 'assumed';
}

/** Splits a history into its records. */
export const recordsOf = (history: string): string[] =>
  history
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Builds what the case file and the scene would give for this history. */
export function tell(history: string, variant: Variant = {}): History {
  const lines = recordsOf(history).map(parse);
  const letters = [...new Set(lines.map((line) => line.who))].filter((who) => who !== 'R').sort();
  const redis: StoredSource = { id: 1, path: 'redis/dump.rdb', kind: 'redis', format: 'rdb' };
  const sources = new Map(
    letters.map((who, n) => [who, { id: n + 2, path: `logs/${who}.log`, kind: 'log', format: 'pino' } as const]),
  );
  const perSource = new Map<string, number>();
  const events: StoredEvent[] = lines.map((line) => {
    const count = (perSource.get(line.who) ?? 0) + 1;
    perSource.set(line.who, count);
    return {
      source: sources.get(line.who) ?? redis,
      kind: line.kind === '-' ? 'handler-line' : line.kind,
      clock: line.who === 'R' ? CLOCK_KINDS[0] : CLOCK_KINDS[1],
      precision: 'ms',
      t: T0 + line.ms + (variant.shiftMs?.[line.who] ?? 0),
      queue: 'q',
      ...(SIGNS.has(line.kind) || line.kind === '-' ? {} : { job: '7' }),
      process: line.who === 'R' ? 0 : (sources.get(line.who)?.id ?? 0),
      data: line.data,
      line: count,
      offset: -1,
    };
  });
  const workers = letters.map((who) => workerOf(who, events, variant));
  const endMs = T0 + (variant.endMs ?? Math.max(...lines.map((line) => line.ms)));
  const scene: Scene = {
    workers,
    workerOf: (event) => workers.find((worker) => worker.sources.includes(event.source.path)),
    lockDuration: { value: LOCK_MS, basis: variant.lockBasis ?? 'given', refs: [] },
    stalledInterval: { value: LOCK_MS, basis: variant.lockBasis ?? 'given', refs: [] },
    endMs,
    streamFromMs: () => T0,
    longestRunMs: variant.longestRunMs ?? 300,
  };
  const jobEvents = events
    .filter((event) => event.job !== undefined)
    .sort((a, b) => (a.t ?? 0) - (b.t ?? 0) || (a.source.path < b.source.path ? -1 : 1) || a.line - b.line);
  return {
    scene,
    record: {
      queue: 'q',
      job: '7',
      summary: NOTHING_COUNTED,
      events: jobEvents,
      facts: (variant.facts ?? []).map(toFacts),
    },
  };
}

const NOTHING_COUNTED = Object.fromEntries(
  Object.keys(SUMMARY_COLUMNS).map((name) => [name, 0]),
) as unknown as JobSummary;

const toFacts = (facts: Partial<StoredJobFacts>): StoredJobFacts => ({
  source: { id: 1, path: 'redis/dump.rdb', kind: 'redis', format: 'rdb' },
  offset: 100,
  hasHash: true,
  states: [],
  ...facts,
  ...(facts.momentMs ? { momentMs: [T0 + facts.momentMs[0], T0 + facts.momentMs[1]] as const } : {}),
  ...(facts.lock?.expiresAtMs === undefined
    ? {}
    : { lock: { token: facts.lock.token, expiresAtMs: T0 + facts.lock.expiresAtMs } }),
});

const SIGNS = new Set<string>([
  'worker-ready',
  'worker-signal',
  'worker-closing',
  'worker-closed',
  'process-crashed',
  'process-ended',
  'redis-lost',
  'redis-back',
  'redis-refused',
  'event-loop-lag',
  'settings',
]);

function parse(text: string): Line {
  const [who = '', ms = '', kind = '', ...details] = text.split(/\s+/);
  if (kind !== '-' && !EVENT_KINDS.includes(kind as EventKind)) throw new Error(`unknown kind in history: ${text}`);
  const data: Record<string, unknown> = {};
  for (const detail of details) {
    const [key = '', value = ''] = detail.split('=');
    data[key] = key === 'soft' ? true : /^\d+$/.test(value) ? Number(value) : value.replaceAll('_', ' ');
  }
  return { who, ms: Number(ms), kind: kind as Line['kind'], data: data as EventData };
}

function workerOf(who: string, events: readonly StoredEvent[], variant: Variant): WorkerProcess {
  const own = events.filter((event) => event.source.path === `logs/${who}.log`);
  const times = own.map((event) => event.t ?? 0);
  const shift = variant.shiftMs?.[who] ?? 0;
  const gaps = own.slice(1).flatMap((event, n) => {
    const before = own[n];
    const fromMs = before?.t ?? 0;
    return (event.t ?? 0) - fromMs >= LOCK_MS / 2
      ? [
          {
            fromMs,
            toMs: event.t ?? 0,
            source: event.source.path,
            afterLine: before?.line ?? 1,
            beforeLine: event.line,
          },
        ]
      : [];
  });
  return {
    id: who,
    host: who,
    sources: [`logs/${who}.log`],
    firstMs: Math.min(...times),
    lastMs: Math.max(...times),
    lastLine: { source: `logs/${who}.log`, line: own.length },
    offsetMs: [shift - 1, shift + 1],
    offsetBasis: 'pairs',
    logsAcknowledgements: true,
    logsReturns: true,
    refusalsSeen: true,
    tokenPrefixes: [],
    signs: own.filter((event) => SIGNS.has(event.kind)),
    gaps,
  };
}
