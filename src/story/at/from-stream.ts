/**
 * The state of a job as one source's entries of the events stream tell it. The stream shows every change of state and nothing
 * of locks or fields; and it does not show that a job was removed by retention, by drain or by clean (BullMQ 1 to 6), so an
 * entry is the last word only while nothing removes the job.
 */
import type { QueueSet } from '../../model/fact.js';
import type { StoredEvent } from '../../model/stored.js';
import { formatUtc } from '../../time/index.js';
import { refOf } from '../moments.js';
import type { Place } from './look.js';
import { known, notKnown, type Reply } from './reply.js';

/** A source's stretch of the stream, ms on Redis' clock. */
export interface StreamTrack {
  readonly path: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Entries of the job, in stream order. */
  readonly entries: readonly StoredEvent[];
}

const WAITING: readonly QueueSet[] = ['wait', 'paused', 'prioritized'];

/** `retries-exhausted` and `duplicated` change nothing. */
const PLACES: Readonly<Partial<Record<StoredEvent['kind'], readonly QueueSet[]>>> = {
  waiting: WAITING,
  stalled: WAITING,
  active: ['active'],
  delayed: ['delayed'],
  'waiting-children': ['waiting-children'],
  completed: ['completed'],
  failed: ['failed'],
  removed: [],
};

/** Ids that BullMQ's own counter gave are never used twice. */
const COUNTED_ID = /^[1-9]\d*$/;

export const changesState = (event: StoredEvent): boolean => event.kind in PLACES;

/** Where the job stood at `atMs`; what happened within that ms counts as done. */
export function placesInStream(track: StreamTrack, job: string, atMs: number): Reply<readonly Place[]> {
  const changes = track.entries.filter(changesState);
  const before = changes.filter(({ t }) => (t ?? 0) <= atMs);
  const last = before.at(-1);
  const next = changes[before.length];
  if (last === undefined) return beforeFirst(track, job, atMs);
  const refs = [refOf(last)];
  const sets = PLACES[last.kind] ?? [];
  if (sets.length === 0) return known([], refs);
  const said = `the events stream says ${last.kind} at ${formatUtc(last.t ?? 0, 'ms')}`;
  if (last.kind === 'active' && next?.data.prev === 'waiting-children')
    return notKnown(`${said}, and before BullMQ 5.56.9 a job came to waiting-children without an entry`, refs);
  if (next !== undefined && !isAddedBetween(track, last, next)) return known([{ sets }], refs);
  if (last.kind === 'completed' || last.kind === 'failed')
    return notKnown(`${said}; whether retention had removed the job by then leaves no entry`, refs);
  return known([{ sets }], refs, `${said}; a removal by drain, clean or obliterate would leave no entry`);
}

/** The id was added anew, so what was there before had been removed at some time. */
const isAddedBetween = ({ entries }: StreamTrack, from: StoredEvent, to: StoredEvent): boolean =>
  entries.slice(entries.indexOf(from), entries.indexOf(to)).some(({ kind }) => kind === 'added');

function beforeFirst(track: StreamTrack, job: string, atMs: number): Reply<readonly Place[]> {
  const added = track.entries.find(({ kind }) => kind === 'added');
  const first = track.entries[0];
  if (added === undefined || added !== first || (added.t ?? 0) <= atMs)
    return notKnown(`the events stream in ${track.path} has no entry of the job up to this moment`);
  const refs = [refOf(added)];
  if (COUNTED_ID.test(job)) return known([], refs, 'it was added later');
  return notKnown('the job was added later; an earlier job of the same id may have been there before it', refs);
}
