/** Joins what the case knows about processes, clocks and settings into the scene that stories are told in. */
import type { CaseFile } from '../casefile/case-file.js';
import {
  readBoots,
  readGaps,
  readHabits,
  readLives,
  readProcesses,
  readSigns,
  type StoredGap,
  storeWorkers,
} from '../casefile/read-processes.js';
import { type RunTimes, readClockBounds, readLatest, readRunTimes, readStreamStarts } from '../casefile/read-timing.js';
import { readTokenGaps, readTokenLives, type TokenLife } from '../casefile/read-tokens.js';
import type { StoredEvent, StoredSource } from '../model/stored.js';
import { boundOffset, type ClockBound, type ClockOffset } from '../story/clocks.js';
import type { Scene, WorkerProcess } from '../story/scene.js';
import { joinWorkers, type WorkerIdentity } from '../story/workers.js';
import { ASSUMED_SKEW_MS, type KnownSettings } from './settings.js';

export interface Stage {
  readonly scene: Scene;
  readonly offsets: ReadonlyMap<string, ClockOffset>;
  readonly runTimes: readonly RunTimes[];
}

/** Workers of the case and their signs; needs `resolveQueues`. The settings may come from those signs. */
export interface Cast {
  readonly identities: readonly WorkerIdentity[];
  readonly workerIndexOf: (event: StoredEvent) => number;
  readonly signs: readonly StoredEvent[];
}

export async function readCast(file: CaseFile, sources: ReadonlyMap<number, StoredSource>): Promise<Cast> {
  const processes = await readProcesses(file, sources);
  const identities = joinWorkers(processes, await readBoots(file));
  const parts = identities.flatMap((identity, worker) => identity.parts.map((part) => ({ worker, ...part })));
  await storeWorkers(file, parts);
  const byProcess = new Map<number, { worker: number; from: number; to: number }[]>();
  for (const part of parts) byProcess.set(part.process, [...(byProcess.get(part.process) ?? []), part]);
  const workerIndexOf = (event: StoredEvent): number =>
    byProcess.get(event.process)?.find((part) => event.line >= part.from && event.line < part.to)?.worker ?? -1;
  return { identities, workerIndexOf, signs: await readSigns(file, sources) };
}

/** Builds the scene; needs `summarizeJobs` and `readCast`. */
export async function setScene(
  file: CaseFile,
  cast: Cast,
  settings: KnownSettings,
  skewMs = ASSUMED_SKEW_MS,
): Promise<Stage> {
  const lives = await readLives(file);
  const gaps = await readGaps(file, settings.lockDuration.value / 2);
  const habits = await readHabits(file);
  const bounds = await readClockBounds(file);
  const runTimes = await readRunTimes(file);
  const streamStarts = await readStreamStarts(file);
  const offsets = offsetsByHost(cast.identities, bounds.map(toBound), skewMs);

  const tokens = await readTokenLives(file);
  const logged = cast.identities.map((identity, index): WorkerProcess => {
    const life = lives.get(index);
    const offset = offsets.get(identity.id);
    const counts = identity.parts.map((part) => habits.get(part.process) ?? { acks: 0, returns: 0 });
    return {
      id: identity.id,
      ...(identity.host === undefined ? {} : { host: identity.host }),
      ...(identity.pid === undefined ? {} : { pid: identity.pid }),
      ...(identity.pod === undefined ? {} : { pod: identity.pod }),
      ...(identity.name === undefined ? {} : { name: identity.name }),
      sources: identity.sources,
      ...(life === undefined
        ? {}
        : {
            firstMs: life.firstMs,
            firstLine: { source: life.firstSource, line: life.firstLine },
            lastMs: life.lastMs,
            lastLine: { source: life.lastSource, line: life.lastLine },
          }),
      offsetMs: offset?.offsetMs ?? [-skewMs, skewMs],
      offsetBasis: offset?.basis ?? 'assumed',
      logsAcknowledgements: counts.some((count) => count.acks > 0),
      logsReturns: counts.some((count) => count.returns > 0),
      refusalsSeen: true,
      tokenPrefixes: tokens.filter((life) => life.logWorker === index).map((life) => life.prefix),
      signs: cast.signs.filter((event) => cast.workerIndexOf(event) === index),
      gaps: gaps.filter((gap) => gap.worker === index),
    };
  });
  const unlogged = tokens.filter((life) => life.logWorker < 0);
  const tokenGaps = await readTokenGaps(file, unlogged, settings.lockDuration.value / 2);
  const workers = [
    ...logged,
    ...unlogged.map((life, n) =>
      tokenWorker(
        life,
        tokenGaps.filter((gap) => gap.worker === n),
      ),
    ),
  ];
  const byToken = new Map(workers.flatMap((worker) => worker.tokenPrefixes.map((prefix) => [prefix, worker] as const)));
  const latest = (await readLatest(file)).redisMs ?? Number.NEGATIVE_INFINITY;
  const lastLines = workers.map((worker) => (worker.lastMs ?? Number.NEGATIVE_INFINITY) - worker.offsetMs[1]);
  const endMs = Math.max(latest, ...lastLines);
  return {
    scene: {
      workers,
      workerOf: (event) =>
        event.clock === 'redis' ? byToken.get(prefixOf(event.token)) : workers[cast.workerIndexOf(event)],
      lockDuration: settings.lockDuration,
      stalledInterval: settings.stalledInterval,
      endMs,
      streamFromMs: (queue) => streamStarts.get(queue ?? ''),
      longestRunMs: Math.max(0, ...runTimes.map((times) => times.max)),
    },
    offsets,
    runTimes,
  };
}

const prefixOf = (token: string | undefined): string => (token ?? '').replace(/:\d+$/, '');

/** A worker that only Redis knows: its token, and the commands it sent. */
function tokenWorker(life: TokenLife, gaps: readonly StoredGap[]): WorkerProcess {
  return {
    id: `worker ${life.prefix.slice(0, 8)}`,
    sources: life.sources,
    firstMs: life.firstMs,
    lastMs: life.lastMs,
    offsetMs: [0, 0],
    offsetBasis: 'pairs',
    logsAcknowledgements: true,
    logsReturns: false,
    refusalsSeen: life.refusalsSeen,
    tokenPrefixes: [life.prefix],
    signs: [],
    gaps,
  };
}

type Bound = Awaited<ReturnType<typeof readClockBounds>>[number];

const toBound = ({ process, side, ms, ref, pairs }: Bound): ClockBound => ({
  process,
  pairs,
  [side]: { ms, ref },
});

/** Processes of one host share its clock, so their pairs bound it together. */
function offsetsByHost(
  identities: readonly WorkerIdentity[],
  bounds: readonly ClockBound[],
  skewMs: number,
): ReadonlyMap<string, ClockOffset> {
  const clockOf = (identity: WorkerIdentity): string => identity.host ?? identity.id;
  const perClock = new Map<string, ClockBound[]>();
  for (const identity of identities) {
    const mine = bounds.filter((bound) => identity.parts.some((part) => part.process === bound.process));
    perClock.set(clockOf(identity), [...(perClock.get(clockOf(identity)) ?? []), ...mine]);
  }
  return new Map(
    identities.map((identity) => [
      identity.id,
      boundOffset([...new Set(perClock.get(clockOf(identity)) ?? [])], skewMs),
    ]),
  );
}
