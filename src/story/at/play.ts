/** Plays the writes of a track back to a moment. */
import type { Ref } from '../../model/analysis.js';
import { formatUtc } from '../../time/index.js';
import { afterWrite, blankKeys, type JobKeys, noKeys } from './job-keys.js';
import { agreed, type Look, lookAt, unseen } from './look.js';
import type { PlacedWrite, Track } from './track.js';

/** So many scripts without a time of their own are not told apart any more. */
const MAX_OPEN = 1000;

/** What the track shows at `atMs` (whole ms on Redis' clock; what happened within that ms counts as done). */
export function playTo(track: Track, atMs: number): Look {
  const { writes } = track;
  const done = endOfGroup(writes, lastDone(writes, atMs));
  const open = openGroups(writes, done, atMs);
  const start = startOf(track);
  let keys = writes.slice(0, done).reduce((before, { write, ref }) => afterWrite(before, write, ref), start);
  if (open.length === 0) return lookAt(keys, atMs);
  const [refs, why] = [open.flat().map(({ ref }) => ref), whyOpen(open, track)];
  if (open.length > MAX_OPEN) return unseen(why);
  const looks = [lookAt(keys, atMs)];
  for (const group of open) {
    keys = group.reduce((before, { write, ref }) => afterWrite(before, write, ref), keys);
    looks.push(lookAt(keys, atMs));
  }
  return agreed(looks, why, refs.slice(0, 3));
}

function startOf(track: Track): JobKeys {
  const [first] = track.writes;
  const ref: Ref = first?.ref.source === undefined ? { source: track.path } : { source: first.ref.source };
  return track.isWhole
    ? noKeys([ref])
    : blankKeys(
        track.leavesOpen ??
          `${track.path} does not hold what was there before it begins, and nothing in it had set this yet`,
      );
}

/** Number of writes that surely were done: whatever stands before one of them in the log is, too. */
function lastDone(writes: readonly PlacedWrite[], atMs: number): number {
  for (let i = writes.length - 1; i >= 0; i--) if ((writes[i]?.toMs ?? Number.POSITIVE_INFINITY) <= atMs) return i + 1;
  return 0;
}

const isSameGroup = (a: PlacedWrite | undefined, b: PlacedWrite | undefined): boolean =>
  a !== undefined && b !== undefined && a.ref.source === b.ref.source && a.write.group === b.write.group;

function endOfGroup(writes: readonly PlacedWrite[], from: number): number {
  let end = from;
  while (end > 0 && end < writes.length && isSameGroup(writes[end - 1], writes[end])) end++;
  return end;
}

/** Groups after the ones that are done that may have been done as well. */
function openGroups(writes: readonly PlacedWrite[], from: number, atMs: number): PlacedWrite[][] {
  const groups: PlacedWrite[][] = [];
  for (let i = from; i < writes.length && (writes[i]?.fromMs ?? 0) <= atMs; ) {
    const end = endOfGroup(writes, i + 1);
    groups.push(writes.slice(i, end));
    i = end;
  }
  return groups;
}

function whyOpen(open: readonly (readonly PlacedWrite[])[], { path }: Track): string {
  const last = open.at(-1)?.[0];
  const isBounded = last !== undefined && Number.isFinite(last.fromMs) && Number.isFinite(last.toMs);
  const span = isBounded
    ? `between ${formatUtc(last.fromMs, 'ms')} and ${formatUtc(last.toMs, 'ms')}`
    : 'near the end of it';
  return open.length === 1
    ? `a command that may have changed it has no time of its own in ${path}; it ran ${span}`
    : `${open.length} commands that may have changed it have no times of their own in ${path}; the last of them ran ${span}`;
}
