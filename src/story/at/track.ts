/**
 * Tracks: stretches of time over which the writes to a job's keys are known without a break.
 *
 * A track is one log, or a log with the snapshot it goes on from. Redis 7 keeps a snapshot (`….base.rdb`) and the commands
 * after it (`….incr.aof`) in files beside each other; a snapshot taken while MONITOR ran gives that capture its start.
 */
import type { Ref } from '../../model/analysis.js';
import type { StoredSource, StoredWrite } from '../../model/stored.js';
import { queueKey } from '../moments.js';

/** A write with the bounds of its time, ms on Redis' clock. */
export interface PlacedWrite {
  readonly write: StoredWrite['write'];
  readonly ref: Ref;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Track {
  readonly kind: 'aof' | 'monitor';
  readonly path: string;
  /** Everything before its first write is known: there was nothing. */
  readonly isWhole: boolean;
  /** Why what its writes leave open is not known, where that is not because it began later. */
  readonly leavesOpen?: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** In the order in which Redis executed them. */
  readonly writes: readonly PlacedWrite[];
}

/** What the case knows about the sources of a job's writes. */
export interface Windows {
  /** First and last moment that a log watched, ms on Redis' clock, by path. */
  readonly logs: ReadonlyMap<string, readonly [number, number]>;
  /** Moment of a snapshot, [earliest, latest], by path. */
  readonly snapshots: ReadonlyMap<string, readonly [number, number]>;
}

/** Writes of one source. */
export interface SourceWrites {
  readonly source: StoredSource;
  readonly isWhole: boolean;
  /** Where the log begins with a state instead of a history: when its history begins, ms. */
  readonly historyFromMs?: number;
  readonly writes: readonly PlacedWrite[];
}

/** A `#TS:` line dates what follows to its second, with a tick of the server's clock to spare. */
const SECOND_MS = 1100;

/** The writes by source; without what belongs to another database. */
export function bySource(writes: readonly StoredWrite[], queue: string): SourceWrites[] {
  const db =
    writes.find(({ write }) => write.op === 'set' || write.op === 'into' || write.op === 'lock')?.write.db ?? 0;
  const sources = [...new Set(writes.map(({ source }) => source))];
  return sources.map((source) => {
    const mine = writes.filter((write) => write.source === source);
    const head = mine.find(({ write }) => write.op === 'rewritten');
    return {
      source,
      isWhole: mine.some(({ write }) => write.op === 'asked' && write.from === 'all'),
      ...(head ? { historyFromMs: placed(head, queue, 0).toMs } : {}),
      writes: mine
        .filter(({ write }) => write.op !== 'asked' && (write.op !== 'flush' || (write.ofDb ?? db) === db))
        .map((write) => placed(write, queue, head?.line ?? 0)),
    };
  });
}

/** `stateUntil`: writes before this line make a state that was there before the first of the others. */
function placed(stored: StoredWrite, queue: string, stateUntil: number): PlacedWrite {
  const { write, source, t, precision, beforeMs = Number.POSITIVE_INFINITY, line, offset } = stored;
  const key = write.group === 0 ? keyInSnapshot(stored, queue) : undefined;
  const ref: Ref = {
    source: source.path,
    ...(source.format === 'monitor' && line > 0 ? { line } : {}),
    ...(offset < 0 ? {} : { offset }),
    ...(key === undefined ? {} : { key }),
  };
  // What a snapshot holds was there before anything that follows it.
  if (write.group === 0 || line < stateUntil)
    return { write, ref, fromMs: Number.NEGATIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY };
  const fromMs = t === undefined ? Number.NEGATIVE_INFINITY : Math.floor(t);
  if (precision === 'ms' || precision === 'us') return { write, ref, fromMs, toMs: fromMs };
  const latest = precision === 's' ? Math.min(beforeMs, fromMs + SECOND_MS) : beforeMs;
  return { write, ref, fromMs, toMs: Math.max(fromMs, latest) };
}

/** The key of a snapshot that holds it; undefined where that shows by the place alone. */
function keyInSnapshot({ write }: StoredWrite, queue: string): string | undefined {
  return write.op === 'into' ? `${queueKey(queue)}:${write.set}` : undefined;
}

/** Tracks of all logs, in the order of their paths. */
export function tracksOf(sources: readonly SourceWrites[], windows: Windows): Track[] {
  return [...aofTracks(sources, windows), ...monitorTracks(sources, windows)];
}

/** `<stem>.<n>.base.rdb`, `<stem>.<n>.incr.aof`, in one folder; packed or not. */
const PART = /^(?<stem>.*)\.(?<n>\d+)\.(?<type>base|incr)\.(?:rdb|aof)(?:\.gz)?$/;

interface Part {
  readonly stem: string;
  readonly n: number;
  readonly isBase: boolean;
  readonly of: SourceWrites;
}

function partOf(of: SourceWrites): Part | undefined {
  const { stem, n, type } = PART.exec(of.source.path)?.groups ?? {};
  return stem === undefined ? undefined : { stem, n: Number(n), isBase: type === 'base', of };
}

const isAof = ({ source }: SourceWrites): boolean => source.format.startsWith('aof');

function aofTracks(sources: readonly SourceWrites[], windows: Windows): Track[] {
  const parts = sources.map(partOf).filter((part) => part !== undefined);
  const alone = sources.filter((one) => isAof(one) && !parts.some(({ of }) => of === one));
  const stems = [...new Set(parts.map(({ stem }) => stem))];
  return [
    ...alone.map((one) => aofTrack([one], one.isWhole, windows)),
    ...stems.flatMap((stem) =>
      chained(
        parts.filter((part) => part.stem === stem),
        windows,
      ),
    ),
  ].filter((track) => track !== undefined);
}

/** The increments, on the base that came before them. With several bases it is open which increment follows which. */
function chained(parts: readonly Part[], windows: Windows): (Track | undefined)[] {
  const bases = parts.filter(({ isBase }) => isBase);
  const logs = parts.filter(({ isBase }) => !isBase).sort((a, b) => a.n - b.n);
  const base = bases.length === 1 ? bases[0]?.of : undefined;
  const isUnbroken = logs.every(({ n }, i) => i === 0 || n === (logs[i - 1]?.n ?? 0) + 1);
  if (base === undefined || !isUnbroken) return logs.map(({ of }) => aofTrack([of], false, windows));
  const all = [base, ...logs.map(({ of }) => of)];
  return [
    aofTrack(
      all,
      all.every(({ isWhole }) => isWhole),
      windows,
    ),
  ];
}

function aofTrack(files: readonly SourceWrites[], isWhole: boolean, windows: Windows): Track | undefined {
  const spans = files.map(({ source }) => windows.logs.get(source.path)).filter((span) => span !== undefined);
  const [first, last] = [spans[0], spans.at(-1)];
  const path = files.find(isAof)?.source.path;
  if (first === undefined || last === undefined || path === undefined) return undefined;
  const [base] = files;
  const saved = base === undefined ? undefined : windows.snapshots.get(base.source.path)?.[1];
  const history = Math.max(first[0], ...files.map(({ historyFromMs }) => historyFromMs ?? Number.NEGATIVE_INFINITY));
  return {
    kind: 'aof',
    path,
    isWhole,
    fromMs: saved === undefined ? history : Math.min(saved, history),
    toMs: last[1],
    writes: files.flatMap(({ writes }) => writes),
  };
}

function monitorTracks(sources: readonly SourceWrites[], windows: Windows): Track[] {
  const captures = sources.filter(({ source }) => source.format === 'monitor');
  const snapshots = sources.filter(({ source, isWhole }) => source.format === 'rdb' && isWhole);
  return captures.flatMap(({ source, writes }): Track[] => {
    const window = windows.logs.get(source.path);
    if (window === undefined) return [];
    const whole: Track = {
      kind: 'monitor',
      path: source.path,
      isWhole: false,
      fromMs: Math.floor(window[0]),
      toMs: Math.floor(window[1]),
      writes,
    };
    return [whole, ...snapshots.flatMap((snapshot) => from(snapshot, whole, windows))];
  });
}

/** The capture from the moment of a snapshot on, if nothing was written to the job while it may have been taken. */
function from(snapshot: SourceWrites, capture: Track, windows: Windows): Track[] {
  const moment = windows.snapshots.get(snapshot.source.path);
  if (moment === undefined || moment[0] < capture.fromMs || moment[1] > capture.toMs) return [];
  if (capture.writes.some(({ fromMs }) => fromMs >= moment[0] && fromMs <= moment[1])) return [];
  const later = capture.writes.filter(({ fromMs }) => fromMs > moment[1]);
  return [{ ...capture, isWhole: true, fromMs: moment[1], writes: [...snapshot.writes, ...later] }];
}
