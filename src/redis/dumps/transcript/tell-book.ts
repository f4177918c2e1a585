/** Tells what the answers say about keys, through the same recognition as the keys of an RDB. */
import type { EvidenceSink } from '../../../model/evidence.js';
import type { QueueKeys } from '../../queue-keys.js';
import { openKey } from '../key-feed.js';
import type { Notes } from '../notes.js';
import type { AnswerBook, HeldKey } from './answer-book.js';
import { expiryOf } from './lock-expiry.js';
import type { Moments } from './moments.js';
import { wordText } from './question.js';
import { tellAbsence } from './tell-absence.js';

const LOCK = ':lock';
const ACTIVE = ':active';
const MAX_NAMED = 3;

export interface Telling {
  readonly keys: QueueKeys;
  readonly sink: EvidenceSink;
  readonly moments: Moments;
  readonly notes: Notes;
  /** Queues that are known otherwise, by database, each with an offset: they make keys clear that could be cut anywhere. */
  readonly queues: ReadonlyMap<number, ReadonlyMap<string, number>>;
}

/**
 * Tells and forgets what is held.
 *
 * @returns keys of the locks of active jobs that nobody asked for.
 */
export function tellBook(book: AnswerBook, telling: Telling): readonly string[] {
  const held = book.take();
  const activeAt = seenActive(held);
  const asked = new Set(held.filter(({ kind }) => kind === 'string').map(({ db, key }) => `${db} ${key}`));
  let db = -1;
  for (const one of held) {
    if (one.db !== db) {
      db = one.db;
      telling.keys.book.enterDatabase(db);
      for (const [base, offset] of telling.queues.get(db) ?? []) telling.keys.book.note(base, offset);
    }
    tellKey(one, telling);
    tellAbsence(one, activeAt, telling);
  }
  return [...activeAt.keys()]
    .filter((lock) => !asked.has(lock))
    .map((lock) => wordText(lock.slice(lock.indexOf(' ') + 1)))
    .filter((lock) => telling.keys.gate.covers(lock));
}

/** When each job was last seen in active, by database and key of its lock. */
function seenActive(held: readonly HeldKey[]): Map<string, number> {
  const seen = new Map<string, number>();
  for (const { db, kind, key, members } of held) {
    if (kind !== 'list' || !key.endsWith(ACTIVE)) continue;
    const base = key.slice(0, -ACTIVE.length);
    for (const [job, member] of members) seen.set(`${db} ${base}:${job}${LOCK}`, member.seen.moment);
  }
  return seen;
}

function tellKey(held: HeldKey, telling: Telling): void {
  const { db, key, kind, place } = held;
  const name = Buffer.from(key, 'latin1');
  const text = name.toString('utf8');
  const isLock = kind === 'string' && text.endsWith(LOCK);
  const expiresAtMs = isLock ? expiryOf(held, text, telling) : undefined;
  if (isLock && held.value === undefined) tellNamelessLock(held, text, expiresAtMs, telling);
  const feed = hasValue(held)
    ? openKey(telling.keys, { db, name, kind, expiresAtMs, offset: place.offset })
    : undefined;
  if (feed === undefined) return;
  if (kind === 'hash' && !held.isWhole) {
    const fields = [...held.fields.keys()].join(', ');
    telling.notes.limit(
      'asked in part',
      `of ${text} only single fields were asked (${fields}); HGETALL ${text} would have shown all`,
      place,
    );
  }
  for (const [field, value] of held.fields) feed.hashField(Buffer.from(field), value);
  for (const [member, { score }] of held.members) {
    const bytes = Buffer.from(member, 'latin1');
    if (kind === 'set') feed.setMember(bytes);
    else if (score === undefined) feed.listItem(bytes);
    else feed.zsetMember(bytes, score);
  }
  if (held.value) feed.string(held.value);
  if (held.state) feed.streamState(held.state);
  feed.end();
}

/** What is absent, or of which nothing but absent members is known, has no value. */
const hasValue = ({ fields, members, value, state }: HeldKey): boolean =>
  fields.size > 0 || members.size > 0 || value !== undefined || state !== undefined;

/** A lock of which only its life was asked. */
function tellNamelessLock(held: HeldKey, text: string, expiresAtMs: number | undefined, telling: Telling): void {
  const { keys, sink, notes } = telling;
  const { expiry, place } = held;
  const jobKey = text.slice(0, -LOCK.length);
  if (expiry === undefined || !keys.gate.covers(jobKey)) return;
  notes.limit('asked in part', `${text} exists, but not whose it is: GET ${text} would have shown the token`, place);
  const { offset } = place;
  keys.book.whenKnown({
    of: { jobKey },
    orphan: 'told-under-prefix',
    tell: (name, job) =>
      sink.fact({ type: 'lock', ...name, job, offset, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) }),
  });
}

/** A sentence about locks that nobody asked for; a job in active may hold one all the same. */
export function unaskedNote(locks: readonly string[]): string {
  const named = locks.slice(0, MAX_NAMED).map((lock) => `GET ${lock}`);
  const more = locks.length > MAX_NAMED ? ` and ${locks.length - MAX_NAMED} more` : '';
  return `whether jobs in active hold a lock was not asked: ${named.join(', ')}${more} would have shown it`;
}
