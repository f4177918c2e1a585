/** Bounds the clock of every process that a log tells of, and finds where one was set. */
import type { CaseFile } from '../casefile/case-file.js';
import {
  readClockBounds,
  readLastMisfit,
  readSetbacks,
  readStretches,
  type StoredBound,
  type StoredSetback,
} from '../casefile/read-clock-pairs.js';
import { readNamedStamps, readTokenStamps } from '../casefile/read-stamps.js';
import {
  type BoundStretch,
  boundOffset,
  type ClockBound,
  type ClockOffset,
  contradictionOf,
  joinOffsets,
  STEP_MS,
  stretchOffset,
  tightestOf,
} from '../story/clocks.js';
import type { WorkerIdentity } from '../story/workers.js';

/**
 * A clock that is set back makes the printed time go back, once in a while and by seconds. Where it does so often, or by more
 * than a minute, lines are out of order or files were put together.
 */
const SETBACK_MS = { least: 500, most: 60_000 } as const;
const MAX_SETBACKS = 3;

export interface Clocks {
  /** Of workers with a log, by worker id. */
  readonly offsets: ReadonlyMap<string, ClockOffset>;
  /** Of workers without one, by what they stamped into jobs: by token prefix, else by the name they gave themselves. */
  readonly stamped: ReadonlyMap<string, ClockOffset>;
  /** Where the printed time of a worker goes back, by worker id. */
  readonly setbacks: ReadonlyMap<string, readonly StoredSetback[]>;
}

/**
 * Processes of one host share its clock, so their pairs bound it together, as long as they agree. Needs `storeWorkers` and
 * `summarizeJobs`.
 */
export async function readClocks(
  file: CaseFile,
  identities: readonly WorkerIdentity[],
  skewMs: number,
): Promise<Clocks> {
  const bounds = await readClockBounds(file);
  const setbacks = await readSetbacks(file, SETBACK_MS.least);
  const offsets = new Map<string, ClockOffset>();
  const setbacksOf = new Map<string, readonly StoredSetback[]>();
  const perClock = new Map<string, WorkerIdentity[]>();
  for (const identity of identities) {
    const clock = identity.host ?? identity.id;
    perClock.set(clock, [...(perClock.get(clock) ?? []), identity]);
  }
  for (const sharing of perClock.values()) {
    const joint = [...new Set(sharing.flatMap((identity) => boundsOf(identity, bounds)))];
    const together = joinBounds(joint, skewMs);
    for (const identity of sharing) {
      const worker = identities.indexOf(identity);
      const back = setbacks.filter((one) => one.worker === worker);
      if (back.length > 0) setbacksOf.set(identity.id, back);
      const sets = back.length > MAX_SETBACKS ? [] : back.filter(({ ms }) => ms <= SETBACK_MS.most);
      const offset =
        sets.length > 0 || together === undefined
          ? await readUnsteady(file, worker, boundsOf(identity, bounds), sets, skewMs)
          : together;
      offsets.set(identity.id, offset);
    }
  }
  return { offsets, setbacks: setbacksOf, stamped: await readStamped(file, identities, skewMs) };
}

/** Names say less than tokens: several processes may share one. */
async function readStamped(
  file: CaseFile,
  identities: readonly WorkerIdentity[],
  skewMs: number,
): Promise<ReadonlyMap<string, ClockOffset>> {
  const byToken = await readTokenStamps(file);
  const logged = new Set(identities.map(({ name }) => name));
  const stamps =
    byToken.length > 0 ? byToken : (await readNamedStamps(file)).filter(({ worker }) => !logged.has(worker));
  const workers = [...new Set(stamps.map(({ worker }) => worker))];
  return new Map(
    workers.map((worker) => {
      const bounds = stamps.filter((stamp) => stamp.worker === worker);
      return [
        worker,
        boundOffset(
          bounds.map((bound) => toBound({ ...bound, process: 0, stamped: true })),
          skewMs,
        ),
      ];
    }),
  );
}

const toBound = ({ process, side, ms, ref, pairs }: StoredBound): ClockBound => ({
  process,
  pairs,
  [side]: { ms, ref },
});

/**
 * One offset for all lines; undefined where none fits. What processes stamped into jobs gives way to their lines: the times of a
 * log can come from another clock, its shipper's.
 */
function joinBounds(bounds: readonly StoredBound[], skewMs: number): ClockOffset | undefined {
  const all = bounds.map(toBound);
  const byMs = contradictionOf(tightestOf(all));
  if (byMs <= STEP_MS) return boundOffset(all, skewMs);
  const lines = bounds.filter(({ stamped }) => !stamped).map(toBound);
  if (lines.length === all.length || contradictionOf(tightestOf(lines)) > STEP_MS) return undefined;
  const { low, high } = tightestOf(all);
  const contradiction = low && high ? { contradiction: { low: low.ref, high: high.ref, byMs } } : {};
  return { ...boundOffset(lines, skewMs), ...contradiction };
}

const boundsOf = (identity: WorkerIdentity, bounds: readonly StoredBound[]): StoredBound[] =>
  bounds.filter((bound) => identity.parts.some((part) => part.process === bound.process));

/** A worker whose pairs no single offset fits, or whose printed time goes back: each of its processes by itself. */
async function readUnsteady(
  file: CaseFile,
  worker: number,
  bounds: readonly StoredBound[],
  setbacks: readonly StoredSetback[],
  skewMs: number,
): Promise<ClockOffset> {
  const processes = [...new Set(bounds.filter(({ stamped }) => !stamped).map(({ process }) => process))];
  const lost = setbacks.reduce((sum, { ms }) => sum + ms, 0);
  // No pair at all: how far the clock was set back is all that is known.
  if (processes.length === 0) return { ...boundOffset([], skewMs + lost), widenedMs: lost };
  const parts: ClockOffset[] = [];
  for (const process of processes) {
    const back = setbacks.filter((one) => one.process === process);
    parts.push(stretchOffset(await cutStretches(file, worker, process, back), skewMs));
  }
  return joinOffsets(parts);
}

/** Stretches of one process row; those that agree across a setback are one again: its lines are only out of order. */
async function cutStretches(
  file: CaseFile,
  worker: number,
  process: number,
  setbacks: readonly StoredSetback[],
): Promise<BoundStretch[]> {
  const stretches: BoundStretch[] = [];
  const cuts = setbacks.map(({ place }) => place);
  for (const { source, fromLine, toLine, low, high } of await readStretches(file, worker, process, STEP_MS, cuts)) {
    const own = { source, fromLine, toLine, ...toJoined(low, high) };
    const before = stretches.at(-1);
    const joined = before && tightestOf([withProcess(before), withProcess(own)]);
    if (before && joined && contradictionOf(joined) <= STEP_MS && isBounded(before) === isBounded(own)) {
      stretches[stretches.length - 1] = { ...before, ...joined, toLine };
      continue;
    }
    const setback = setbacks.find((one) => one.place === fromLine);
    const misfit =
      before === undefined || setback !== undefined
        ? undefined
        : await readLastMisfit(file, before.fromLine, fromLine, { low: own.low?.ms, high: own.high?.ms });
    stretches.push({
      ...own,
      ...(misfit === undefined ? {} : { misfit }),
      ...(own.high || !setback || !before?.high
        ? {}
        : { high: { ms: before.high.ms - setback.ms, ref: setback.before } }),
    });
  }
  return stretches;
}

const withProcess = (stretch: BoundStretch): ClockBound => ({ ...stretch, process: 0 });
const isBounded = ({ low, high }: BoundStretch): boolean => low !== undefined && high !== undefined;

const toJoined = (low: StoredBound | undefined, high: StoredBound | undefined): Omit<ClockBound, 'process'> => ({
  pairs: (low?.pairs ?? 0) + (high?.pairs ?? 0),
  ...(low ? { low: { ms: low.ms, ref: low.ref } } : {}),
  ...(high ? { high: { ms: high.ms, ref: high.ref } } : {}),
});
