/**
 * Histories in one line, for tests of stories and rules.
 *
 *   R 0 active; A 1 handler-started; R 4000 waiting prev=active; R 4000 stalled; B 4001 handler-started; …
 *
 * Each record: who (`R` Redis, a letter a worker process), ms (`~0`: printed to the second), kind, then details as key=value.
 * `A 500 -` is a line that says
 * nothing about the job: it keeps the process present. `I order-7` gives the job an id of the application's own; else it is 7. All clocks agree; the lock lives 2,000 ms (given).
 */
import { CLOCK_KINDS, EVENT_KINDS, type EventData, type EventKind } from '../../src/model/event.js';
import type { QueueSet } from '../../src/model/fact.js';
import type { JobRecord, QueueState, StoredEvent, StoredJobFacts, StoredSource } from '../../src/model/stored.js';
import { type JobSummary, SUMMARY_COLUMNS } from '../../src/model/summary.js';
import { TWIN_KINDS, type Twin, twinKey } from '../../src/model/twin.js';
import { runTimeKey } from '../../src/story/longest-run.js';
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
  readonly precision: 's' | 'ms';
  readonly kind: EventKind | '-';
  readonly data: EventData;
  readonly token?: string;
}

export interface Variant {
  /** Shifts the clock of a worker as it prints it; its offset bounds follow. */
  readonly shiftMs?: Readonly<Record<string, number>>;
  readonly facts?: readonly Partial<StoredJobFacts>[];
  readonly endMs?: number;
  readonly longestRunMs?: number;
  /** By job name, ms; absent: no names are told. */
  readonly longestRuns?: Readonly<Record<string, number>>;
  /** The logs of the workers tell of handler returns at all; true where there is a log. */
  readonly logsReturns?: boolean;
  readonly lockBasis?: 'given' | 'assumed';
  /** Version of BullMQ that the evidence names. */
  readonly version?: string;
}

/** Splits a history into its records. */
export const recordsOf = (history: string): string[] =>
  history
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Builds what the case file and the scene would give for this history. */
export function tell(history: string, variant: Variant = {}): History {
  const records = recordsOf(history);
  const lines = records.filter((text) => !/^[SQJIT] /.test(text)).map(parse);
  const job = records.find((text) => text.startsWith('I '))?.slice(2) ?? '7';
  const twins = records.filter((text) => text.startsWith('T ')).map(parseTwin);
  const snapshot = [...(variant.facts ?? []), ...records.filter((text) => text.startsWith('S ')).map(parseFacts)];
  const queue = records.filter((text) => text.startsWith('Q ')).map(parseQueue)[0];
  const holders = lines.flatMap((line) => (line.token === undefined ? [] : [prefixOf(line.token)]));
  const writers = lines.map((line) => line.who).filter((who) => !ON_REDIS.has(who));
  const letters = [...new Set([...writers, ...holders])].sort();
  const sources = new Map<string, StoredSource>([
    ['M', { id: 2, path: 'redis/monitor.txt', kind: 'redis', format: 'monitor' }],
    ...letters.map(
      (who, n) => [who, { id: n + 3, path: `logs/${who}.log`, kind: 'log', format: 'pino' }] as [string, StoredSource],
    ),
  ]);
  const perSource = new Map<string, number>();
  const events: StoredEvent[] = lines.map((line) => {
    const count = (perSource.get(line.who) ?? 0) + 1;
    perSource.set(line.who, count);
    return {
      source: sources.get(line.who) ?? SNAPSHOT,
      kind: line.kind === '-' ? 'handler-line' : line.kind,
      clock: ON_REDIS.has(line.who) ? CLOCK_KINDS[0] : CLOCK_KINDS[1],
      precision: line.precision,
      t: T0 + line.ms + (variant.shiftMs?.[line.who] ?? 0),
      queue: 'q',
      ...(SIGNS.has(line.kind) || line.kind === '-' ? {} : { job }),
      process: ON_REDIS.has(line.who) ? 0 : (sources.get(line.who)?.id ?? 0),
      ...(line.token === undefined ? {} : { token: line.token }),
      data: line.data,
      line: count,
      offset: -1,
    };
  });
  const workers = letters.map((who) => workerOf(who, events, variant));
  const endMs = T0 + (variant.endMs ?? Math.max(0, ...lines.map((line) => line.ms), queue?.momentMs?.[0] ?? 0));
  const scene: Scene = {
    workers,
    workerOf: (event) =>
      workers.find((worker) =>
        event.token === undefined || event.clock !== 'redis'
          ? worker.sources.includes(event.source.path)
          : worker.tokenPrefixes.includes(prefixOf(event.token)),
      ),
    lockDuration: { value: LOCK_MS, basis: variant.lockBasis ?? 'given', refs: [] },
    stalledInterval: { value: LOCK_MS, basis: variant.lockBasis ?? 'given', refs: [] },
    scoped: { byToken: new Map(), byWorker: new Map(), byQueue: new Map() },
    endMs,
    queues: new Map(queue === undefined ? [] : [['q', toQueueState(queue)]]),
    watched: new Map([['redis/monitor.txt', [T0, endMs] as const]]),
    versions: { byWorker: new Map(), byQueue: new Map(variant.version === undefined ? [] : [['q', variant.version]]) },
    twins: new Map(twins.length > 0 ? [[twinKey('q', job), twins]] : []),
    longestRuns: new Map(Object.entries(variant.longestRuns ?? {}).map(([name, ms]) => [runTimeKey('q', name), ms])),
    namedQueues: new Set(variant.longestRuns === undefined ? [] : ['q']),
    longestRunMs: variant.longestRunMs ?? 300,
  };
  const jobEvents = events
    .filter((event) => event.job !== undefined)
    .sort((a, b) => (a.t ?? 0) - (b.t ?? 0) || (a.source.path < b.source.path ? -1 : 1) || a.line - b.line);
  return {
    scene,
    record: {
      queue: 'q',
      job,
      summary: { ...NOTHING_COUNTED, ...records.filter((text) => text.startsWith('J ')).map(parseSummary)[0] },
      events: jobEvents,
      facts: snapshot.map(toFacts),
    },
  };
}

const NOTHING_COUNTED = Object.fromEntries(
  Object.keys(SUMMARY_COLUMNS).map((name) => [name, 0]),
) as unknown as JobSummary;

const SNAPSHOT: StoredSource = { id: 1, path: 'redis/dump.rdb', kind: 'redis', format: 'rdb' };

const toFacts = (facts: Partial<StoredJobFacts>): StoredJobFacts => ({
  source: SNAPSHOT,
  hasNoLock: facts.lock === undefined,
  offset: 100,
  hasHash: true,
  states: [],
  ...facts,
  ...(facts.momentMs ? { momentMs: [T0 + facts.momentMs[0], T0 + facts.momentMs[1]] as const } : {}),
  ...(facts.lock?.expiresAtMs === undefined
    ? {}
    : { lock: { ...facts.lock, expiresAtMs: T0 + facts.lock.expiresAtMs } }),
});

/** Who speaks: R the events stream of a snapshot, M a MONITOR capture; any other letter a worker's log. */
const ON_REDIS = new Set(['R', 'M']);
const prefixOf = (token: string): string => token.replace(/:\d+$/, '');

/** Key and value of details such as `lock=3000`; a bare word is true. */
const detailsOf = (words: readonly string[]): Record<string, number | true> =>
  Object.fromEntries(
    words.map((word) => [word.split('=')[0] ?? '', word.includes('=') ? Number(word.split('=')[1]) : true]),
  );

/** `S <ms> <state> [lock=<expires>] [due=<ms>] [added=<ms>]`: the job in a snapshot taken at that moment. */
function parseFacts(text: string): Partial<StoredJobFacts> {
  const [, ms = '', state = '', ...words] = text.split(/\s+/);
  const { lock, due, added } = detailsOf(words);
  return {
    states: [state as QueueSet],
    momentMs: [Number(ms), Number(ms) + 1000],
    ...(typeof lock === 'number' ? { lock: { token: 't', expiresAtMs: lock } } : {}),
    ...(typeof due === 'number' ? { dueMs: T0 + due } : {}),
    ...(typeof added === 'number' ? { timestamp: T0 + added } : {}),
  };
}

/** `Q <ms> [paused] [limited] [swept=<ms>] [begun=<ms>] [active=<n>] [locked=<n>]`: the queue in that snapshot. */
function parseQueue(text: string): Partial<QueueState> {
  const [, ms = '', ...words] = text.split(/\s+/);
  const { paused, limited, swept, begun, active, locked } = detailsOf(words);
  return {
    momentMs: [Number(ms), Number(ms) + 1000],
    paused: paused === true,
    limited: limited === true,
    held: typeof active === 'number' ? { active } : {},
    locked: typeof locked === 'number' ? locked : 0,
    ...(typeof swept === 'number' ? { lastSweepMs: swept } : {}),
    ...(typeof begun === 'number' ? { lastActivationMs: begun } : {}),
  };
}

/** `T <kind> <job> [key=] [name=] [added=] [began=] [ended=] [failed=] [seen=]`: another job, with the ms of its records. */
function parseTwin(text: string): Twin {
  const [, kind = '', job = '', ...words] = text.split(/\s+/);
  const said = new Map(words.map((word) => [word.split('=')[0] ?? '', word.split('=')[1] ?? '']));
  const data = {
    ...(said.has('name') ? { jobName: said.get('name') ?? '' } : {}),
    ...(said.has('key') ? { key: said.get('key') ?? '' } : {}),
  };
  const record = (what: string, kindOf: EventKind, clock: StoredEvent['clock'] = 'redis'): StoredEvent | undefined =>
    said.has(what)
      ? {
          ...{
            source: SNAPSHOT,
            kind: kindOf,
            clock,
            precision: 'ms',
            t: T0 + Number(said.get(what)),
            queue: 'q',
            job,
          },
          ...{ process: 0, data, line: 900 + Number(said.get(what)), offset: -1 },
        }
      : undefined;
  const [added, began] = [record('added', 'added'), record('began', 'active')];
  const ended = record('ended', 'completed') ?? record('failed', 'failed');
  return {
    kind: TWIN_KINDS.find((one) => one === kind) ?? 'same-key',
    job,
    ...(added ? { added } : {}),
    ...(began ? { began } : {}),
    ...(began && said.has('key') ? { keyed: began } : {}),
    ...(ended ? { ended } : {}),
    ...(said.has('seen')
      ? {
          seen: toFacts({ states: ['delayed'], momentMs: [Number(said.get('seen')), Number(said.get('seen')) + 1000] }),
        }
      : {}),
  };
}

/** `J <column>=<n>`: what triage counted of the job beside others. */
const parseSummary = (text: string): Partial<JobSummary> =>
  Object.fromEntries(
    text
      .split(/\s+/)
      .slice(1)
      .map((word) => [word.split('=')[0] ?? '', Number(word.split('=')[1])]),
  );

const toQueueState = (state: Partial<QueueState>): QueueState => ({
  source: SNAPSHOT,
  offset: 50,
  held: {},
  locked: 0,
  paused: false,
  limited: false,
  ...state,
  momentMs: [T0 + (state.momentMs?.[0] ?? 0), T0 + (state.momentMs?.[1] ?? 0)],
  ...(state.lastSweepMs === undefined ? {} : { lastSweepMs: T0 + state.lastSweepMs }),
  ...(state.lastActivationMs === undefined ? {} : { lastActivationMs: T0 + state.lastActivationMs }),
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
    if (key === 'token') continue;
    data[key] = key === 'soft' ? true : /^\d+$/.test(value) ? Number(value) : value.replaceAll('_', ' ');
  }
  const token = /(?:^|\s)token=(\S+)/.exec(text)?.[1];
  return {
    who,
    ms: Number(ms.replace('~', '')),
    precision: ms.startsWith('~') ? 's' : 'ms',
    kind: kind as Line['kind'],
    data: data as EventData,
    ...(token === undefined ? {} : { token }),
  };
}

function workerOf(who: string, events: readonly StoredEvent[], variant: Variant): WorkerProcess {
  const logged = events.filter((event) => event.source.path === `logs/${who}.log`);
  const own = logged.length > 0 ? logged : events.filter((event) => event.token && prefixOf(event.token) === who);
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
    ...(logged.length > 0 ? { lastLine: { source: `logs/${who}.log`, line: own.length } } : {}),
    offsetMs: logged.length > 0 ? [shift - 1, shift + 1] : [0, 0],
    offsetBasis: 'pairs',
    clockStretches: [],
    logsAcknowledgements: true,
    logsReturns: logged.length > 0 && (variant.logsReturns ?? true),
    refusalsSeen: true,
    tokenPrefixes: [who],
    signs: own.filter((event) => SIGNS.has(event.kind)),
    gaps,
  };
}
