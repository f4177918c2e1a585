/** Answers about streams: XRANGE, XREVRANGE, XREAD, XINFO STREAM. */
import { parseQueueKey } from '../../keyspace.js';
import type { RdbStreamId, RdbStreamState } from '../../rdb/index.js';
import { isBefore, parseStreamId } from '../stream-id.js';
import type { Desk, Interpret } from './interpret.js';
import { type Question, wordText } from './question.js';
import { bytesOf, itemsOf, numberOf, pairsOf, type Reply, textOf } from './reply.js';

/** Fields of BullMQ's events, all versions. Lines of a raw answer in their place are parts of a value with line breaks. */
const EVENT_FIELDS: ReadonlySet<string> = new Set(
  (
    'event jobId name prev delay data opts returnvalue failedReason attemptsMade count deduplicationId deduplicatedJobId ' +
    'debounceId'
  ).split(' '),
);

const isEvents = (key: string): boolean => parseQueueKey(wordText(key), 'stream') !== undefined;

interface Found {
  readonly id: RdbStreamId;
  readonly at: number;
  readonly flat: readonly Reply[];
}

/** What an entry's fields are, or undefined where the lines cannot be those of one entry. */
function fieldsOf({ flat }: Found, isExact: boolean): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  if (flat.length % 2 !== 0) return undefined;
  for (let at = 0; at < flat.length; at += 2) {
    const name = textOf(flat[at]);
    const value = textOf(flat[at + 1]);
    if (name === undefined || value === undefined || (!isExact && !EVENT_FIELDS.has(name))) return undefined;
    if (!fields.has(name)) fields.set(name, value);
  }
  return fields;
}

/** The entries of a nested answer: `[id, [name, value, …]]`. Undefined: something else stands among them. */
function nestedEntries(items: readonly Reply[]): readonly Found[] | undefined {
  const found: Found[] = [];
  for (const item of items) {
    const [first, second] = item.is === 'list' ? item.items : [];
    const id = first?.is === 'string' ? parseStreamId(first.bytes.toString('latin1')) : undefined;
    const flat = second && itemsOf(second);
    if (id === undefined || flat === undefined || first?.is !== 'string') return undefined;
    found.push({ id, at: first.at, flat });
  }
  return found;
}

/** The entries of an answer without nesting: an id in the place of a field's name begins the next. */
function flatEntries(items: readonly Reply[], isExact: boolean): readonly Found[] {
  const found: { id: RdbStreamId; at: number; flat: Reply[] }[] = [];
  let isName = true;
  for (const item of items) {
    const open = found.at(-1);
    // Where the lines are out of step, any id may begin the next entry.
    const mayBegin =
      isName ||
      (!isExact && open !== undefined && fieldsOf({ ...open, flat: open.flat.slice(0, -1) }, false) === undefined);
    const id = mayBegin && item.is === 'string' ? parseStreamId(item.bytes.toString('latin1')) : undefined;
    if (id !== undefined && item.is === 'string') {
      found.push({ id, at: item.at, flat: [] });
      isName = true;
    } else {
      open?.flat.push(item);
      isName = !isName;
    }
  }
  return found;
}

function tell(
  question: Question,
  key: string,
  found: readonly Found[],
  isExact: boolean,
  desk: Desk,
): string | undefined {
  let unclear = 0;
  const isDown = question.name === 'XREVRANGE';
  let before: RdbStreamId | undefined;
  for (const entry of found) {
    const { id } = entry;
    const fields = fieldsOf(entry, isExact);
    const isInOrder = before === undefined || (isDown ? isBefore(id, before) : isBefore(before, id));
    if (fields === undefined || (!isExact && !isInOrder)) {
      unclear++;
      continue;
    }
    before = id;
    desk.entry(question, key, { ...id, offset: question.offsetOfLine(entry.at), field: (name) => fields.get(name) });
  }
  if (unclear === 0) return undefined;
  return `${unclear} of ${found.length} entries cannot be told apart, as values hold line breaks or are cut off; --no-raw or --json would have shown them`;
}

const readRange: Interpret = (question, reply, desk) => {
  const [key = ''] = question.args;
  if (!isEvents(key)) return undefined;
  const items = itemsOf(reply);
  if (items === undefined) return 'it holds no entries';
  const isExact = reply.is !== 'flat' || reply.exact;
  const found = reply.is === 'flat' ? flatEntries(items, isExact) : nestedEntries(items);
  if (found === undefined || (found.length === 0 && items.length > 0))
    return 'something else than entries stands in it';
  return tell(question, key, found, isExact, desk);
};

/** XREAD answers a map of streams (RESP3), or a list of key and entries; without nesting, only one stream is clear. */
const readRead: Interpret = (question, reply, desk) => {
  const { args } = question;
  const after = args.slice(args.findIndex((arg) => arg.toUpperCase() === 'STREAMS') + 1);
  const keys = after.slice(0, after.length / 2);
  if (reply.is === 'nil') return undefined;
  if (reply.is === 'flat') {
    const [key = ''] = keys;
    if (keys.length !== 1) return 'entries of several streams cannot be told apart';
    if (!isEvents(key)) return undefined;
    return tell(question, key, flatEntries(reply.items.slice(1), reply.exact), reply.exact, desk);
  }
  for (const [name, entries] of pairsOf(reply) ?? []) {
    const key = bytesOf(name)?.toString('latin1') ?? '';
    const found = nestedEntries(itemsOf(entries) ?? []);
    if (found === undefined) return 'something else than entries stands in it';
    if (isEvents(key)) tell(question, key, found, true, desk);
  }
  return undefined;
};

const readInfo: Interpret = (question, reply, { book, moments }) => {
  const [about = '', key = ''] = question.args;
  if (about.toUpperCase() !== 'STREAM' || !isEvents(key)) return undefined;
  const items = itemsOf(reply) ?? [];
  const named = (name: string): Reply | undefined => {
    const at = items.findIndex((item) => item.is === 'string' && item.bytes.equals(Buffer.from(name)));
    return at < 0 ? undefined : items[at + 1];
  };
  const idOf = (found: Reply | undefined): RdbStreamId | undefined => {
    const first = found?.is === 'list' ? found.items[0] : found;
    return parseStreamId(textOf(first) ?? '');
  };
  const length = numberOf(named('length'));
  const last = idOf(named('last-generated-id'));
  if (length === undefined || last === undefined) return 'length or last-generated-id is not in it';
  const first = idOf(named('recorded-first-entry-id')) ?? idOf(named('first-entry'));
  const maxDeleted = idOf(named('max-deleted-entry-id'));
  const entriesAdded = numberOf(named('entries-added'));
  const state: RdbStreamState = {
    ...{ length, last },
    ...(first === undefined ? {} : { first }),
    ...(maxDeleted === undefined ? {} : { maxDeleted }),
    ...(entriesAdded === undefined ? {} : { entriesAdded }),
  };
  moments.past(last.ms);
  book.state(question, key, state);
  return undefined;
};

export const streamReaders: Readonly<Record<string, Interpret>> = {
  XRANGE: readRange,
  XREVRANGE: readRange,
  XREAD: readRead,
  XINFO: readInfo,
};
