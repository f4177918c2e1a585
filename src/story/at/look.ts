/** What somebody who asked Redis at one moment would have seen of a job, each part by itself. */
import type { Ref } from '../../model/analysis.js';
import { QUEUE_SETS, type QueueSet } from '../../model/fact.js';
import { formatUtc } from '../../time/index.js';
import type { Field, JobKeys, Lock, Membership } from './job-keys.js';
import { agreeing, known, notKnown, type Reply } from './reply.js';

export interface LockLook {
  readonly token: string;
  /** Time to live, ms; absent: the key stays. */
  readonly leftMs?: number;
}

/** Where the job stands: one of these lists or sets. */
export interface Place {
  /** More than one: it is not told which of them. */
  readonly sets: readonly QueueSet[];
  readonly score?: number;
}

export interface Look {
  readonly hash: Reply<boolean>;
  readonly fields: ReadonlyMap<string, Reply<Field>>;
  readonly otherFields: Reply<Field>;
  readonly token: Reply<string | undefined>;
  readonly lock: Reply<LockLook | undefined>;
  /** Lists and sets that the job is in; normally one. */
  readonly places: Reply<readonly Place[]>;
  readonly stalled: Reply<boolean>;
}

/** A look at nothing. */
export function unseen(why: string): Look {
  const reply = notKnown(why);
  return {
    hash: reply,
    fields: new Map(),
    otherFields: reply,
    token: reply,
    lock: reply,
    places: reply,
    stalled: reply,
  };
}

/** States of a job; `stalled` is a mark beside them. */
const STATES: readonly QueueSet[] = QUEUE_SETS.filter((set) => set !== 'stalled');

/** The keys as they show at `atMs`, Redis' clock. */
export function lookAt(keys: JobKeys, atMs: number): Look {
  const lock = lockAt(keys.lock, atMs);
  return {
    hash: keys.hash,
    fields: keys.fields,
    otherFields: keys.otherFields,
    token: lock.known ? known(lock.value?.token, lock.refs, lock.note) : lock,
    lock,
    places: placesOf(keys.sets),
    stalled: mapped(keys.sets.stalled, ({ isIn }) => isIn),
  };
}

/** A key is gone once the time is past its expiry (Redis db.c, keyIsExpired: now > when). */
function lockAt(lock: Reply<Lock | undefined>, atMs: number): Reply<LockLook | undefined> {
  if (!lock.known) return lock;
  if (lock.value === undefined) return known(undefined, lock.refs, lock.note);
  const { token, expiresAtMs, aboutMs } = lock.value;
  if (expiresAtMs === undefined) return known({ token }, lock.refs);
  if (Math.abs(atMs - expiresAtMs) <= aboutMs && aboutMs > 0)
    return notKnown(
      `the lock ran out within ${aboutMs} ms of this moment, and the capture is not more exact`,
      lock.refs,
    );
  if (atMs > expiresAtMs) return known(undefined, lock.refs, `it ran out at ${formatUtc(expiresAtMs, 'ms')}`);
  const note =
    aboutMs > 0 ? `give or take ${aboutMs} ms: MONITOR shows the life given to a lock, not when it ends` : undefined;
  return known({ token, leftMs: expiresAtMs - atMs }, lock.refs, note);
}

function placesOf(sets: JobKeys['sets']): Reply<readonly Place[]> {
  const places: Place[] = [];
  const refs: Ref[] = [];
  let unknown: Reply<Membership> | undefined;
  for (const set of STATES) {
    const reply = sets[set];
    if (!reply.known) unknown ??= reply;
    else if (reply.value.isIn) {
      places.push({ sets: [set], ...(reply.value.score === undefined ? {} : { score: reply.value.score }) });
      refs.push(...reply.refs);
    }
  }
  if (places.length > 0) return known(places, refs);
  if (unknown && !unknown.known) return unknown;
  return known([], latest(STATES.map((set) => sets[set])));
}

/** The records that took the job out of its last place, or that show that there was none. */
function latest(replies: readonly Reply<Membership>[]): readonly Ref[] {
  const refs = replies.flatMap((reply) => reply.refs);
  const byPlace = [...new Map(refs.map((ref) => [JSON.stringify(ref), ref])).values()];
  return byPlace.sort((a, b) => (b.offset ?? 0) - (a.offset ?? 0)).slice(0, 1);
}

const mapped = <T, U>(reply: Reply<T>, map: (value: T) => U): Reply<U> =>
  reply.known ? { ...reply, value: map(reply.value) } : reply;

/** What is the same in all of these looks, of which one is the true one. `why` and `refs` tell what keeps them apart. */
export function agreed(looks: readonly Look[], why: string, refs: readonly Ref[]): Look {
  const [first] = looks;
  if (first === undefined) return unseen(why);
  const names = new Set(looks.flatMap((look) => [...look.fields.keys()]));
  const all = <T>(pick: (look: Look) => Reply<T>): Reply<T> => agreeing(looks.map(pick), why, refs);
  return {
    hash: all((look) => look.hash),
    fields: new Map([...names].map((name) => [name, all((look) => look.fields.get(name) ?? look.otherFields)])),
    otherFields: all((look) => look.otherFields),
    token: all((look) => look.token),
    lock: all((look) => look.lock),
    places: all((look) => look.places),
    stalled: all((look) => look.stalled),
  };
}
