/**
 * What Redis would have answered about one job at one moment.
 *
 * An AOF shows every write and the exact end of each lock; MONITOR every command, and locks to a millisecond or two; the
 * events stream the state alone; a snapshot its own moment, and some things shortly before it. Each is asked by itself; what
 * none of them shows is not known, and the answer says what would have shown it.
 */
import type { At } from '../../model/analysis.js';
import type { JobRecord, StoredSource, StoredWrite } from '../../model/stored.js';
import { formatUtc } from '../../time/index.js';
import { queueKey } from '../moments.js';
import { combined } from './combine.js';
import { ledgerTracks } from './from-ledger.js';
import { heldText, keysInSnapshot, lookBack, momentText, type SnapshotTrack } from './from-snapshot.js';
import { placesInStream, type StreamTrack } from './from-stream.js';
import { type Look, lookAt, unseen } from './look.js';
import { playTo } from './play.js';
import { answersOf } from './questions.js';
import { WOULD_SHOW } from './reply.js';
import { bySource, type Track, tracksOf, type Windows } from './track.js';

/** What the case holds about the job that was asked for. */
export interface AskedEvidence {
  readonly record: JobRecord;
  readonly writes: readonly StoredWrite[];
  readonly windows: Windows;
  /** Sources with entries of the queue's events stream: first and last of them, ms on Redis' clock. */
  readonly streams: readonly { readonly source: StoredSource; readonly fromMs: number; readonly toMs: number }[];
}

/** Stands for prefix and queue in a question where no source names them. */
const UNNAMED = '…';

interface Voice {
  readonly source: string;
  readonly says: string;
  readonly look: Look;
  readonly covers: boolean;
}

/** `atMs`: whole ms on Redis' clock; what happened within that ms counts as done. */
export function answerAt({ record, writes, windows, streams }: AskedEvidence, atMs: number): At {
  const { queue, job } = record;
  const moment = {
    at: formatUtc(atMs, 'ms'),
    precision: 'ms' as const,
    clock: 'redis',
    redisMs: [atMs, atMs] as [number, number],
  };
  const about = { ...(queue === undefined ? {} : { queue }), job, moment };
  const sources = bySource(writes, queue ?? '');
  const entries = streams.map((span) => streamTrack(span, record, windows));
  const logs = tracksOf(sources, windows);
  const voices: Voice[] = [
    ...[...logs, ...ledgerTracks(record, logs, windows)].map((track) => logVoice(track, atMs)),
    ...sources
      .filter(({ source, isWhole }) => isWhole && source.format === 'rdb')
      .flatMap((snapshot): Voice[] => {
        const momentMs = windows.snapshots.get(snapshot.source.path);
        const stream = entries.find(({ path }) => path === snapshot.source.path);
        return momentMs ? [snapshotVoice({ snapshot, momentMs, stream }, job, atMs)] : [];
      }),
    // A log that tells every write says by its stream nothing that it has not said.
    ...entries
      .filter(({ path }) => !logs.some((track) => track.path === path))
      .map((stream) => streamVoice(stream, job, atMs)),
  ];
  // Of several reasons why something is not known, that of a source which covers the moment says most.
  const look = combined(
    [...voices.filter(({ covers }) => covers), ...voices.filter(({ covers }) => !covers)].map((voice) => voice.look),
    `no source in the evidence shows Redis' side of this job; ${WOULD_SHOW}`,
  );
  return {
    ...about,
    answers: answersOf(look, queue === undefined ? UNNAMED : queueKey(queue), job),
    sources: saidBySource(voices),
  };
}

/** A snapshot speaks twice: of its own moment, and by the events stream that it holds. */
function saidBySource(voices: readonly Voice[]): At['sources'] {
  const said = new Map<string, Set<string>>();
  for (const { source, says } of voices) said.set(source, (said.get(source) ?? new Set()).add(says));
  return [...said].map(([source, texts]) => ({ source, says: [...texts].join('; ') }));
}

/** Begins with the first entry that the source still has; a snapshot reaches to the moment it was saved. */
function streamTrack(
  { source, fromMs, toMs }: AskedEvidence['streams'][number],
  record: JobRecord,
  { logs, snapshots }: Windows,
): StreamTrack {
  const entries = record.events.filter(
    (event) =>
      event.source === source && event.clock === 'redis' && event.t !== undefined && event.precision !== 'none',
  );
  return {
    path: source.path,
    fromMs: Math.floor(fromMs),
    toMs: Math.floor(Math.max(toMs, logs.get(source.path)?.[1] ?? 0, snapshots.get(source.path)?.[0] ?? 0)),
    entries: entries.sort((a, b) => (a.t ?? 0) - (b.t ?? 0) || a.line - b.line),
  };
}

const spanText = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): string =>
  `from ${formatUtc(fromMs, 'ms')} to ${formatUtc(toMs, 'ms')}`;

/** Why a source says nothing of this moment; undefined where it covers it. */
function outside(name: string, { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }, atMs: number) {
  if (atMs < fromMs) return `${name} begins later, at ${formatUtc(fromMs, 'ms')}`;
  return atMs > toMs ? `${name} ends before this moment, at ${formatUtc(toMs, 'ms')}` : undefined;
}

function logVoice(track: Track, atMs: number): Voice {
  const name = `${track.kind === 'aof' ? 'AOF' : 'MONITOR capture'} ${track.path}`;
  const why = Number.isFinite(track.fromMs)
    ? outside(name, track, atMs)
    : `${name} holds a state and no commands after it`;
  const base = track.isWhole ? '' : '; what was there before it begins is not in it';
  return {
    source: track.path,
    says: why ?? `covers this moment (${spanText(track)})${base}`,
    look: why === undefined ? playTo(track, atMs) : unseen(`${why}; ${WOULD_SHOW}`),
    covers: why === undefined,
  };
}

function snapshotVoice(track: SnapshotTrack, job: string, atMs: number): Voice {
  const { path } = track.snapshot.source;
  const held = lookAt(keysInSnapshot(track.snapshot), track.momentMs[0]);
  return {
    source: path,
    says: `saved ${momentText(track.momentMs)}, with the job ${heldText(held.places)}`,
    look: lookBack(track, job, atMs),
    covers: atMs <= track.momentMs[1],
  };
}

function streamVoice(track: StreamTrack, job: string, atMs: number): Voice {
  const name = `the events stream in ${track.path}`;
  const why = outside(name, track, atMs);
  const rest = unseen(`the events stream does not show it; ${WOULD_SHOW}`);
  return {
    source: track.path,
    says: why ?? `its events stream covers this moment (${spanText(track)})`,
    look: why === undefined ? { ...rest, places: placesInStream(track, job, atMs) } : unseen(`${why}; ${WOULD_SHOW}`),
    covers: why === undefined,
  };
}
