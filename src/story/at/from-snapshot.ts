/**
 * Backwards from a snapshot: what it holds was so already after the job's last entry in the events stream that the snapshot
 * holds, too, as far as BullMQ changes it only together with an entry (BullMQ 1 to 6).
 */
import type { Ref } from '../../model/analysis.js';
import { formatUtc } from '../../time/index.js';
import { changesState, placesInStream, type StreamTrack } from './from-stream.js';
import { afterWrite, fieldOf, type JobKeys, noKeys } from './job-keys.js';
import { type Look, lookAt, unseen } from './look.js';
import { known, notKnown, type Reply, WOULD_SHOW } from './reply.js';
import type { SourceWrites } from './track.js';

export interface SnapshotTrack {
  readonly snapshot: SourceWrites;
  /** [earliest, latest] ms on Redis' clock. */
  readonly momentMs: readonly [number, number];
  readonly stream: StreamTrack | undefined;
}

/** Written in the same script as an entry of the stream. Present or absent, they say how it was since that entry. */
const WITH_AN_ENTRY = [
  'name',
  'timestamp',
  'processedOn',
  'finishedOn',
  'pb',
  'ats',
  'atm',
  'attemptsMade',
  'stc',
  'stalledCounter',
  'delay',
  'progress',
] as const;

/** Written without one as well (a failing child, a late handler up to 5.32), but removed only with one. */
const REMOVED_WITH_AN_ENTRY = ['defa', 'failedReason'] as const;

/** The keys at the moment of the snapshot. */
export function keysInSnapshot({ source, writes }: SourceWrites): JobKeys {
  const ref: Ref = { source: source.path };
  return writes.reduce((keys, { write, ref: at }) => afterWrite(keys, write, at), noKeys([ref]));
}

/** What the snapshot shows of `atMs`, a moment before it. */
export function lookBack({ snapshot, momentMs, stream }: SnapshotTrack, job: string, atMs: number): Look {
  const saved = momentText(momentMs);
  const { path } = snapshot.source;
  if (stream === undefined || atMs > momentMs[0] || atMs < stream.fromMs)
    return unseen(
      `${path} shows the moment it was saved (${saved}), and no entries of the stream that reach from there to here; ${WOULD_SHOW}`,
    );
  const later = stream.entries.find(({ t, kind }) => (t ?? 0) > atMs && kind !== 'duplicated');
  if (later) return unseen(`${path} was saved ${saved}, after the job had changed once more; ${WOULD_SHOW}`);
  const keys = keysInSnapshot(snapshot);
  const held = lookAt(keys, momentMs[0]);
  const places = sincePlaces(held, stream, job, atMs);
  const isActive = places.known && places.value.some(({ sets }) => sets.includes('active'));
  return {
    hash: keys.hash.known && keys.hash.value ? keys.hash : notKnown(`in ${path}, saved later, the job has no hash`),
    fields: hashSince(keys, path),
    otherFields: notKnown(
      `${path} was saved later (${saved}), and this may change without an entry in the stream; ${WOULD_SHOW}`,
    ),
    // Only an activation gives a lock another token, and it writes an entry.
    token:
      isActive && held.token.known && held.token.value !== undefined
        ? held.token
        : notKnown(
            `${path} was saved later (${saved}); locks come and go without an entry in the stream; ${WOULD_SHOW}`,
          ),
    lock: notKnown(
      `renewals leave no trace in a snapshot or in the events stream${expiryText(keys, path)}; ${WOULD_SHOW}`,
    ),
    places,
    stalled: notKnown(
      `${path} was saved later (${saved}); a renewal takes this mark away without an entry; ${WOULD_SHOW}`,
    ),
  };
}

function hashSince(keys: JobKeys, path: string): Look['fields'] {
  if (!keys.hash.known || !keys.hash.value) return new Map();
  const removed = REMOVED_WITH_AN_ENTRY.map((name) => {
    const reply = fieldOf(keys, name);
    const isAbsent = reply.known && reply.value === undefined;
    const why = `${path} holds it; since when is not shown, as it can be written without an entry in the stream`;
    return [name, isAbsent ? reply : notKnown(why, reply.refs)] as const;
  });
  return new Map([...WITH_AN_ENTRY.map((name) => [name, fieldOf(keys, name)] as const), ...removed]);
}

/** The snapshot and the last entry must say the same. */
function sincePlaces(held: Look, stream: StreamTrack, job: string, atMs: number): Look['places'] {
  const told = placesInStream(stream, job, atMs);
  if (!held.places.known || held.places.value.length !== 1) return told;
  const [place] = held.places.value;
  const set = place?.sets[0];
  const last = stream.entries.filter(changesState).at(-1);
  if (set === undefined || set === 'wait' || set === 'paused' || set === 'waiting-children') return told;
  if (last !== undefined && last.kind !== set && !(set === 'prioritized' && last.kind === 'waiting')) return told;
  return known(held.places.value, held.places.refs);
}

function expiryText(keys: JobKeys, path: string): string {
  const { lock } = keys;
  if (!lock.known || lock.value?.expiresAtMs === undefined) return '';
  return ` (in ${path} the lock ends at ${formatUtc(lock.value.expiresAtMs, 'ms')})`;
}

export const momentText = ([from, to]: readonly [number, number]): string =>
  from === to ? `at ${formatUtc(from, 'ms')}` : `between ${formatUtc(from, 'ms')} and ${formatUtc(to, 'ms')}`;

/** One reply of a snapshot, in words, for where nothing better is known. */
export function heldText(reply: Reply<readonly { readonly sets: readonly string[] }[]>): string {
  if (!reply.known) return '';
  return reply.value.length === 0 ? 'in no list or set' : `in ${reply.value.flatMap(({ sets }) => sets).join(' and ')}`;
}
