/** Joins what the case knows about processes, clocks and settings into the scene that stories are told in. */
import type { CaseFile } from '../casefile/case-file.js';
import { type LockHabits, readLockHabits, readShownSettings } from '../casefile/read-lock-ledger.js';
import {
  readBoots,
  readGaps,
  readHabits,
  readLives,
  readProcesses,
  readQueuesOfWorkers,
  readSigns,
  type StoredGap,
  storeWorkers,
} from '../casefile/read-processes.js';
import { readQueueStates } from '../casefile/read-queue-states.js';
import { type RunTimes, readLatest, readRunTimes, readWindows } from '../casefile/read-timing.js';
import { readQueuesOfTokens, readTokenGaps, readTokenLives, type TokenLife } from '../casefile/read-tokens.js';
import { readTwins } from '../casefile/read-twins.js';
import { readVersions } from '../casefile/read-versions.js';
import { prefixOfToken } from '../model/lock-token.js';
import type { StoredEvent, StoredSource } from '../model/stored.js';
import { runTimeKey } from '../story/longest-run.js';
import { lastSeen } from '../story/moments.js';
import type { Scene, WorkerProcess } from '../story/scene.js';
import { joinWorkers, type WorkerIdentity } from '../story/workers.js';
import { scopeSettings } from './scoped-settings.js';
import { type Clocks, readClocks } from './set-clocks.js';
import { ASSUMED_SKEW_MS, type KnownSettings } from './settings.js';

export interface Stage {
  readonly scene: Scene;
  readonly clocks: Clocks;
  /** How each worker instance renewed its locks. */
  readonly habits: readonly LockHabits[];
  /** Queues of each worker, by its id. */
  readonly queuesOf: ReadonlyMap<string, ReadonlySet<string>>;
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
  sources: ReadonlyMap<number, StoredSource>,
  cast: Cast,
  settings: KnownSettings,
  skewMs = ASSUMED_SKEW_MS,
): Promise<Stage> {
  const lives = await readLives(file);
  const gaps = await readGaps(file, settings.lockDuration.value / 2);
  const habits = await readHabits(file);
  const watched = await readWindows(file);
  const clocks = await readClocks(file, cast.identities, skewMs);

  const tokens = await readTokenLives(file);
  const logged = cast.identities.map((identity, index): WorkerProcess => {
    const life = lives.get(index);
    const offset = clocks.offsets.get(identity.id);
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
      clockStretches: offset?.stretches ?? [],
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
        tokenName(life.prefix, unlogged),
        life,
        tokenGaps.filter((gap) => gap.worker === n),
      ),
    ),
  ];
  const byToken = new Map(workers.flatMap((worker) => worker.tokenPrefixes.map((prefix) => [prefix, worker] as const)));
  const latest = (await readLatest(file)) ?? Number.NEGATIVE_INFINITY;
  const lastLines = workers.map((worker) => lastSeen(worker)?.[0] ?? Number.NEGATIVE_INFINITY);
  const endMs = Math.max(latest, ...lastLines, ...[...watched.values()].map(([, toMs]) => toMs));
  const lockHabits = await readLockHabits(file);
  const runTimes = await readRunTimes(file);
  const tokenQueues = await readQueuesOfTokens(file);
  const versions = await readVersions(file);
  return {
    scene: {
      workers,
      workerOf: (event) =>
        event.clock === 'redis' ? byToken.get(prefixOfToken(event.token ?? '')) : workers[cast.workerIndexOf(event)],
      lockDuration: settings.lockDuration,
      stalledInterval: settings.stalledInterval,
      scoped: scopeSettings(await readShownSettings(file), tokenQueues, workers, settings),
      endMs,
      watched,
      queues: await readQueueStates(file, sources),
      versions: {
        byWorker: new Map([...versions.byWorker].map(([n, version]) => [workers[n]?.id ?? '', version])),
        byQueue: versions.byQueue,
      },
      twins: await readTwins(file, sources),
      longestRuns: new Map(
        runTimes
          .filter(({ worker }) => worker === undefined)
          .map(({ queue, jobName, max }) => [runTimeKey(queue, jobName), max]),
      ),
      namedQueues: new Set(
        runTimes.flatMap(({ queue, jobName }) => (queue !== undefined && jobName !== undefined ? [queue] : [])),
      ),
      longestRunMs: Math.max(0, ...runTimes.map((times) => times.max)),
    },
    clocks,
    habits: lockHabits,
    queuesOf: joinQueues(
      workers,
      await readQueuesOfWorkers(
        file,
        cast.identities.map(({ id }) => id),
      ),
      tokenQueues,
    ),
    runTimes,
  };
}

/** Queues that the lines of a worker name, and those whose locks its tokens held. */
function joinQueues(
  workers: readonly WorkerProcess[],
  logged: ReadonlyMap<string, ReadonlySet<string>>,
  byToken: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    workers.map(({ id, tokenPrefixes }) => [
      id,
      new Set([...(logged.get(id) ?? []), ...tokenPrefixes.flatMap((prefix) => [...(byToken.get(prefix) ?? [])])]),
    ]),
  );
}

/** The first part of BullMQ's own tokens (a uuid), where that names one worker; a token that somebody chose stays whole. */
function tokenName(prefix: string, lives: readonly TokenLife[]): string {
  const short = /^[0-9a-f]{8}(?=-)/.exec(prefix)?.[0];
  return short !== undefined && lives.filter((life) => life.prefix.startsWith(short)).length === 1 ? short : prefix;
}

/** A worker that only Redis knows: its token, and the commands it sent. */
function tokenWorker(id: string, life: TokenLife, gaps: readonly StoredGap[]): WorkerProcess {
  return {
    id,
    sources: life.sources,
    firstMs: life.firstMs,
    lastMs: life.lastMs,
    firstRef: life.first,
    lastRef: life.last,
    offsetMs: [0, 0],
    offsetBasis: 'pairs',
    clockStretches: [],
    logsAcknowledgements: true,
    logsReturns: false,
    refusalsSeen: life.refusalsSeen,
    tokenPrefixes: [life.prefix],
    signs: [],
    gaps,
  };
}
