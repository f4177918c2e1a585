/**
 * Locks from the records of a case file that was made without this question: an AOF or a capture whose writes to the job were
 * not kept, but whose taking, renewing and giving back of locks were.
 */
import type { JobWrite } from '../../model/job-write.js';
import type { JobRecord, StoredEvent } from '../../model/stored.js';
import { refOf } from '../moments.js';
import type { PlacedWrite, Track, Windows } from './track.js';

/** See `read-writes` of the Redis readers: a capture's expiry is reckoned from its own time. */
const ABOUT_MS = 2;

/** Tracks of the logs that have none of their own. */
export function ledgerTracks(record: JobRecord, known: readonly Track[], windows: Windows): Track[] {
  const sources = [...new Set(record.events.map(({ source }) => source))];
  return sources.flatMap((source): Track[] => {
    const window = windows.logs.get(source.path);
    const isKnown = known.some(
      (track) => track.path === source.path || track.writes.some(({ ref }) => ref.source === source.path),
    );
    if (window === undefined || isKnown) return [];
    const writes = record.events
      .filter((event) => event.source === source && event.kind.startsWith('lock-'))
      .map(toWrite)
      .filter((write) => write !== undefined);
    const kind = source.format === 'monitor' ? 'monitor' : 'aof';
    const leavesOpen = `the case file holds the locks of ${source.path} and no other writes to this job; give that file beside the case and ask again`;
    return [
      {
        leavesOpen,
        kind,
        path: source.path,
        isWhole: false,
        fromMs: Math.floor(window[0]),
        toMs: Math.floor(window[1]),
        writes,
      },
    ];
  });
}

function toWrite(event: StoredEvent): PlacedWrite | undefined {
  const { t, precision, line, token, data } = event;
  const fromMs = t === undefined ? Number.NEGATIVE_INFINITY : Math.floor(t);
  const isTimed = precision === 'ms' || precision === 'us';
  const write = lockWrite(event, token, data.expiresAtMs);
  return (
    write && {
      write: { ...write, group: line },
      ref: refOf(event),
      fromMs,
      toMs: isTimed ? fromMs : Number.POSITIVE_INFINITY,
    }
  );
}

function lockWrite(
  { kind, source }: StoredEvent,
  token: string | undefined,
  expiresAtMs: number | undefined,
): Omit<Extract<JobWrite, { op: 'lock' }>, 'group'> | Omit<Extract<JobWrite, { op: 'gone' }>, 'group'> | undefined {
  if (kind === 'lock-released' || kind === 'lock-gone') return { op: 'gone', key: 'lock' };
  if (token === undefined || expiresAtMs === undefined) return undefined;
  return { op: 'lock', token, expiresAtMs, ...(source.format === 'monitor' ? { aboutMs: ABOUT_MS } : {}) };
}
