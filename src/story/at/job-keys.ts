/**
 * The keys of one job, as Redis held them at a point of a log of writes, each with the record it rests on.
 *
 * Writes are played back one after another. What a write does not settle becomes "not known" with the reason, and stays so
 * until a later write settles it: nothing is carried over a gap.
 */
import type { Ref } from '../../model/analysis.js';
import { QUEUE_SETS, type QueueSet } from '../../model/fact.js';
import type { JobKey, JobWrite } from '../../model/job-write.js';
import { known, notKnown, type Reply } from './reply.js';

export interface Lock {
  readonly token: string;
  /** Redis' clock, ms. Absent: it stays. */
  readonly expiresAtMs?: number;
  /** The expiry may lie so much earlier or later, ms. */
  readonly aboutMs: number;
}

export interface Membership {
  readonly isIn: boolean;
  readonly score?: number;
}

/** A field of the hash: its value, `null` for one that stays out of reports, undefined for one that is not there. */
export type Field = string | null | undefined;

export interface JobKeys {
  readonly hash: Reply<boolean>;
  readonly fields: ReadonlyMap<string, Reply<Field>>;
  /** Every other field. */
  readonly otherFields: Reply<Field>;
  /** As it was last set; whether it has run out since is for the reader. */
  readonly lock: Reply<Lock | undefined>;
  readonly sets: Readonly<Record<QueueSet, Reply<Membership>>>;
}

const allSets = (reply: Reply<Membership>): JobKeys['sets'] => ({
  wait: reply,
  paused: reply,
  active: reply,
  delayed: reply,
  prioritized: reply,
  completed: reply,
  failed: reply,
  'waiting-children': reply,
  stalled: reply,
});

const OUT: Membership = { isIn: false };

/** Nothing is known of the job. */
export function blankKeys(why: string, refs: readonly Ref[] = []): JobKeys {
  const reply = notKnown(why, refs);
  return { hash: reply, fields: new Map(), otherFields: reply, lock: reply, sets: allSets(reply) };
}

/** The job does not exist. */
export function noKeys(refs: readonly Ref[]): JobKeys {
  return {
    hash: known(false, refs),
    fields: new Map(),
    otherFields: known(undefined, refs),
    lock: known(undefined, refs),
    sets: allSets(known(OUT, refs)),
  };
}

/** The keys after one more write. */
export function afterWrite(keys: JobKeys, write: JobWrite, ref: Ref): JobKeys {
  const refs = [ref];
  switch (write.op) {
    case 'asked':
    case 'rewritten':
      return keys;
    case 'set': {
      const base = write.created ? createdFrom(keys, refs) : keys;
      const fields = new Map(base.fields);
      for (const [name, value] of Object.entries(write.fields)) fields.set(name, known(value, refs));
      return { ...base, hash: known(true, refs), fields };
    }
    case 'add':
      return withField(keys, write.field, sum(fieldOf(keys, write.field), write.by, refs), refs);
    case 'unset': {
      const fields = new Map(keys.fields);
      for (const name of write.fields) fields.set(name, known(undefined, refs));
      return { ...keys, fields };
    }
    case 'lock': {
      const { token, expiresAtMs, aboutMs = 0 } = write;
      return { ...keys, lock: known({ token, ...(expiresAtMs === undefined ? {} : { expiresAtMs }), aboutMs }, refs) };
    }
    case 'lock-expiry': {
      if (!keys.lock.known || keys.lock.value === undefined) return keys;
      const { token } = keys.lock.value;
      const { expiresAtMs, aboutMs = 0 } = write;
      return { ...keys, lock: known({ token, ...(expiresAtMs === undefined ? {} : { expiresAtMs }), aboutMs }, refs) };
    }
    case 'gone':
      return withoutKey(keys, write.key, refs);
    case 'into': {
      const membership = { isIn: true, ...(write.score === undefined ? {} : { score: write.score }) };
      return withSet(keys, write.set, known(membership, refs));
    }
    case 'out':
      return withSet(keys, write.set, known(OUT, refs));
    case 'maybe-out':
      return perhapsOut(keys, write, refs);
    case 'renamed': {
      const moved = keys.sets[write.set];
      const emptied = withSet(keys, write.set, known(OUT, refs));
      return write.to === undefined ? emptied : withSet(emptied, write.to, moved.known ? { ...moved, refs } : moved);
    }
    case 'unclear':
      return unclearKey(keys, write.key, `the log does not show what ${write.command} did to it`, refs);
    case 'flush':
      return noKeys(refs);
    case 'gap':
      return blankKeys(`commands are missing from the log here (${write.what})`, refs);
  }
}

/** A script that adds a job has seen that there is none of that id; what was known otherwise is kept. */
function createdFrom(keys: JobKeys, refs: readonly Ref[]): JobKeys {
  const nothing = noKeys(refs);
  const sets = { ...keys.sets };
  for (const set of QUEUE_SETS) if (!sets[set].known) sets[set] = nothing.sets[set];
  return { ...nothing, lock: keys.lock.known ? keys.lock : nothing.lock, sets };
}

export const fieldOf = (keys: JobKeys, name: string): Reply<Field> => keys.fields.get(name) ?? keys.otherFields;

function withField(keys: JobKeys, name: string, value: Reply<Field>, refs: readonly Ref[]): JobKeys {
  return { ...keys, hash: known(true, refs), fields: new Map(keys.fields).set(name, value) };
}

function sum(before: Reply<Field>, by: number, refs: readonly Ref[]): Reply<Field> {
  if (!before.known) return notKnown('it was counted up from a value that is not in the log', refs);
  const start = before.value === undefined ? 0 : Number(before.value ?? Number.NaN);
  return Number.isSafeInteger(start) ? known(String(start + by), refs) : notKnown('it held no number before', refs);
}

const withSet = (keys: JobKeys, set: QueueSet, reply: Reply<Membership>): JobKeys => ({
  ...keys,
  sets: { ...keys.sets, [set]: reply },
});

function withoutKey(keys: JobKeys, key: JobKey, refs: readonly Ref[]): JobKeys {
  if (key === 'hash')
    return { ...keys, hash: known(false, refs), fields: new Map(), otherFields: known(undefined, refs) };
  if (key === 'lock') return { ...keys, lock: known(undefined, refs) };
  return withSet(keys, key, known(OUT, refs));
}

function unclearKey(keys: JobKeys, key: JobKey, why: string, refs: readonly Ref[]): JobKeys {
  const reply = notKnown(why, refs);
  if (key === 'hash') return { ...keys, hash: reply, fields: new Map(), otherFields: reply };
  if (key === 'lock') return { ...keys, lock: reply };
  return withSet(keys, key, reply);
}

/** Only a job that may stand in the set can have been taken out of it. */
function perhapsOut(keys: JobKeys, write: Extract<JobWrite, { op: 'maybe-out' }>, refs: readonly Ref[]): JobKeys {
  const before = keys.sets[write.set];
  if (before.known && !before.value.isIn) return keys;
  const reply = notKnown(`${write.command} took ids out of ${write.set}, and the log does not say which`, refs);
  const out = withSet(keys, write.set, reply);
  const to = write.to === undefined ? undefined : keys.sets[write.to];
  return write.to === undefined || (to?.known && to.value.isIn) ? out : withSet(out, write.to, reply);
}
