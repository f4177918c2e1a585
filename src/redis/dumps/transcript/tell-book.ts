/** Tells what the answers say about keys, through the same recognition as the keys of an RDB. */
import type { QueueKeys } from '../../queue-keys.js';
import { openKey } from '../key-feed.js';
import type { Notes } from '../notes.js';
import type { AnswerBook, Expiry, HeldKey } from './answer-book.js';
import type { Moments } from './moments.js';
import { wordText } from './question.js';

const LOCK = ':lock';
const MAX_NAMED = 3;

export interface Telling {
  readonly keys: QueueKeys;
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
  const asked = new Set(held.filter(({ kind }) => kind === 'string').map(({ db, key }) => `${db} ${key}`));
  const unasked: string[] = [];
  let db = -1;
  for (const one of held) {
    if (one.db !== db) {
      db = one.db;
      telling.keys.book.enterDatabase(db);
      for (const [base, offset] of telling.queues.get(db) ?? []) telling.keys.book.note(base, offset);
    }
    tellKey(one, telling);
    if (one.kind !== 'list' || !one.key.endsWith(':active')) continue;
    for (const job of one.members.keys()) {
      const lock = `${one.key.slice(0, -'active'.length)}${job}${LOCK}`;
      if (!asked.has(`${one.db} ${lock}`)) unasked.push(wordText(lock));
    }
  }
  return unasked;
}

function tellKey(held: HeldKey, telling: Telling): void {
  const { db, key, kind, offset, line } = held;
  const name = Buffer.from(key, 'latin1');
  const text = name.toString('utf8');
  const expiresAtMs = kind === 'string' ? expiryOf(held, text, telling) : undefined;
  const feed = hasValue(held) ? openKey(telling.keys, { db, name, kind, expiresAtMs, offset }) : undefined;
  if (feed === undefined) return;
  if (kind === 'hash' && !held.isWhole) {
    const fields = [...held.fields.keys()].join(', ');
    telling.notes.add(`of ${text} only single fields were asked (${fields}); HGETALL ${text} would have shown all`, {
      line,
      offset,
    });
  }
  for (const [field, value] of held.fields) feed.hashField(Buffer.from(field), value);
  for (const [member, score] of held.members) {
    const bytes = Buffer.from(member, 'latin1');
    if (kind === 'set') feed.setMember(bytes);
    else if (score === undefined) feed.listItem(bytes);
    else feed.zsetMember(bytes, score);
  }
  if (held.value) feed.string(held.value);
  if (held.state) feed.streamState(held.state);
  feed.end();
}

/** A list of which nothing but absent members is known says nothing; nor does the absence of a string. */
const hasValue = ({ kind, fields, members, value, state }: HeldKey): boolean =>
  fields.size > 0 ||
  members.size > 0 ||
  (kind === 'string' && value !== null && value !== undefined) ||
  state !== undefined;

/** When a string expires, ms on Redis' clock; undefined where it does not, or where that is not known. */
function expiryOf(held: HeldKey, text: string, { moments, notes }: Telling): number | undefined {
  const { expiry, value, line, offset } = held;
  if (!text.endsWith(LOCK)) return absolute(expiry, undefined);
  if (value === undefined && expiry !== undefined && expiry !== 'gone') {
    notes.add(`${text} exists, but not whose it is: GET ${text} would have shown the token`, { line, offset });
    return undefined;
  }
  if (!value) return undefined;
  if (expiry === undefined) {
    notes.add(`when ${text} expires was not asked: PTTL ${text} (or PEXPIRETIME, Redis 7) would have shown it`, {
      line,
      offset,
    });
    return undefined;
  }
  if (typeof expiry === 'string' || 'atMs' in expiry) return absolute(expiry, undefined);
  const now = moments.reference;
  notes.add(
    now === undefined
      ? `the time to live of ${text} is relative, and the transcript does not show when it was told: its expiry is unknown; PEXPIRETIME ${text} (Redis 7) would have shown it`
      : `the expiry of ${text} is reckoned from its time to live and ${now.by === 'redis' ? "Redis' clock as the transcript shows it elsewhere" : 'the time of the file'}: it is not exact`,
    { line, offset },
  );
  return absolute(expiry, now?.ms);
}

function absolute(expiry: Expiry | undefined, nowMs: number | undefined): number | undefined {
  if (expiry === undefined || typeof expiry === 'string') return undefined;
  if ('atMs' in expiry) return expiry.atMs;
  return nowMs === undefined ? undefined : nowMs + expiry.leftMs;
}

/** A sentence about locks that nobody asked for; a job in active may hold one all the same. */
export function unaskedNote(locks: readonly string[]): string {
  const named = locks.slice(0, MAX_NAMED).map((lock) => `GET ${lock}`);
  const more = locks.length > MAX_NAMED ? ` and ${locks.length - MAX_NAMED} more` : '';
  return `whether jobs in active hold a lock was not asked: ${named.join(', ')}${more} would have shown it`;
}
