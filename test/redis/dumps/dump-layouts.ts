/** Keys of a server in the layouts of the tools that dump them as JSON, after their documentation and sources. */
import type { DumpedKey } from '../collect.js';

export interface Layout {
  readonly name: string;
  write(keys: readonly DumpedKey[], nowMs: number): string;
  /** Marks of the facts that the tool does not write. */
  readonly loses: readonly string[];
  readonly keepsExpiry: 'exact' | 'relative' | 'not';
  readonly keepsDeleted: boolean;
  readonly says: readonly RegExp[];
}

interface Message {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly deleted: boolean;
}

const messagesOf = (key: DumpedKey): Message[] => (Array.isArray(key.messages) ? key.messages : []);
const membersOf = (key: DumpedKey): [string, number][] =>
  Array.isArray(key.entries) ? key.entries.map(({ member, score }) => [member, score]) : [];
const listOf = (key: DumpedKey): unknown => key.values ?? key.members;
const scoreText = (score: number): string => (Number.isFinite(score) ? String(score) : 'inf');
/** `inf` stands bare where a tool prints a number. */
const bare = (text: string): string => text.replaceAll('"inf"', 'inf');

/** HDT3213/rdb: nodes of a stream hold up to a few messages each, deleted ones too. */
function hdt(key: DumpedKey): string {
  const { db, key: name, type } = key;
  const expiration = key.expiration === undefined ? {} : { expiration: withOffset(Number(key.expiration)) };
  const head = { db, key: name, ...expiration, size: 100, type, encoding: 'any' };
  const messages = messagesOf(key);
  const nodes = Array.from({ length: Math.ceil(messages.length / 20) }, (_, i) =>
    messages.slice(20 * i, 20 * i + 20),
  ).map((msgs) => ({ firstMsgId: msgs[0]?.id, fields: Object.keys(msgs[0]?.fields ?? {}), msgs }));
  const { len, lastId, firstId, maxDeletedId, addedEntriesCount } = key;
  const body = {
    string: { value: key.value },
    list: { values: key.values },
    set: { members: key.members },
    zset: { entries: membersOf(key).map(([member, score]) => ({ member, score: scoreText(score) })) },
    hash: { hash: key.hash },
    stream: { version: 2, entries: nodes, groups: [], len, lastId, firstId, maxDeletedId, addedEntriesCount },
  }[type];
  return bare(JSON.stringify({ ...head, ...body }));
}

/** As Go prints a time in a zone of its own. */
const withOffset = (ms: number): string =>
  `${new Date(ms + 8 * 3_600_000).toISOString().replace(/0*Z$/, '')}+08:00`.replace('.+', '+');

/** redis-rdb-cli (AbstractJsonRdbVisitor): the value before its type; streams as an escaped DUMP payload. */
function rct(key: DumpedKey): string {
  const { type, expiration } = key;
  const scores = Object.fromEntries(membersOf(key).map(([member, score]) => [member, scoreText(score)]));
  const value = type === 'string' ? key.value : type === 'hash' ? key.hash : type === 'zset' ? scores : listOf(key);
  const meta = {
    db: key.db,
    type: type === 'zset' ? 'sortedset' : type,
    ...(expiration === undefined ? {} : { expiry: expiration }),
  };
  const text = JSON.stringify({ key: key.key, value: value ?? '@', ...meta });
  return bare(text.replace('"@"', '"\\x15\\x01\\x10\\\\"'));
}

/** delano/redis-dump refuses streams. */
function delano(key: DumpedKey, nowMs: number): string {
  const { type, db } = key;
  const pairs = membersOf(key).map(([member, score]) => [member, scoreText(score)]);
  const value = type === 'string' ? key.value : type === 'hash' ? key.hash : type === 'zset' ? pairs : listOf(key);
  return JSON.stringify({ db, key: key.key, ttl: ttlOf(key, nowMs), type, value, size: 42 });
}

const ttlOf = ({ expiration }: DumpedKey, nowMs: number): number =>
  expiration === undefined ? -1 : Math.round((Number(expiration) - nowMs) / 1000);

function npm(key: DumpedKey, nowMs: number): [string, unknown] {
  const { type } = key;
  const pairs = membersOf(key).map(([member, score]) => [scoreText(score), member]);
  const value = type === 'string' ? key.value : type === 'hash' ? key.hash : type === 'zset' ? pairs : listOf(key);
  const ttl = ttlOf(key, nowMs);
  return [key.key, { type, value, ...(ttl < 0 ? {} : { ttl }) }];
}

/** Every byte beyond ASCII as its own escape. */
const escapeBytes = (json: string): string =>
  Buffer.from(json, 'utf8')
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

function flat(key: DumpedKey): unknown {
  const { type } = key;
  if (type === 'zset') return Object.fromEntries(membersOf(key).map(([member, score]) => [member, scoreText(score)]));
  return type === 'string' ? key.value : type === 'hash' ? key.hash : listOf(key);
}

/** librdb (handlersToJson.c) leaves a comma behind the state of a stream without consumer groups. */
function librdb(key: DumpedKey): string {
  if (key.type !== 'stream') return JSON.stringify(flat(key));
  const entries = messagesOf(key).flatMap(({ id, fields, deleted }) =>
    deleted ? [] : [`\n        { "id":"${id}", "items":${JSON.stringify(fields)} }`],
  );
  const { len, addedEntriesCount = 1, firstId, lastId, maxDeletedId = '0-0' } = key;
  return `{\n      "entries":[${entries.join(',')}],\n      "length": ${len}, \n      "entriesAdded": ${addedEntriesCount}, \n      "firstID": "${firstId}", \n      "lastID": "${lastId}", \n      "maxDelEntryID": "${maxDeletedId}",\n   }`;
}

const withoutStreams = (keys: readonly DumpedKey[]): readonly DumpedKey[] =>
  keys.filter(({ type }) => type !== 'stream');
const payloads = [/stream bull:\w+:events as a DUMP payload/, /stream bull:\w+:events as a DUMP payload/];
const reckoned = [/the expiry of bull:mail:\w+:lock is reckoned from its time to live and the time of the file/];
const timeless = /wrote no times to live/;
const noStreams = { loses: ['"type":"stream"'], keepsDeleted: false } as const;

export const LAYOUTS: readonly Layout[] = [
  {
    name: 'HDT3213/rdb json',
    write: (keys) => `[\n${keys.map(hdt).join(',\n')}\n]`,
    ...{ loses: [], keepsExpiry: 'exact', keepsDeleted: true, says: [] },
  },
  {
    name: 'redis-rdb-cli json',
    write: (keys) => `[${keys.map(rct).join(',\n')}]`,
    ...{ ...noStreams, keepsExpiry: 'exact', says: payloads },
  },
  {
    name: 'redis-rdb-cli jsonl',
    write: (keys) => keys.map(rct).join('\n'),
    ...{ ...noStreams, keepsExpiry: 'exact', says: payloads },
  },
  {
    name: 'delano/redis-dump',
    write: (keys, nowMs) =>
      withoutStreams(keys)
        .map((key) => `${delano(key, nowMs)}\n`)
        .join(''),
    ...{ ...noStreams, keepsExpiry: 'relative', says: reckoned },
  },
  {
    name: 'npm redis-dump --json',
    write: (keys, nowMs) => JSON.stringify(Object.fromEntries(withoutStreams(keys).map((key) => npm(key, nowMs)))),
    ...{ ...noStreams, keepsExpiry: 'relative', says: reckoned },
  },
  {
    name: 'redis-rdb-tools',
    write: (keys) =>
      escapeBytes(
        `[{\n${keys.map((key) => `${JSON.stringify(key.key)}:${JSON.stringify(key.type === 'stream' ? {} : flat(key))}`).join(',\n')}}]`,
      ),
    ...{ ...noStreams, keepsExpiry: 'not' },
    says: [/left out what the stream/, timeless, /left out what the stream/],
  },
  {
    name: 'librdb',
    write: (keys) =>
      escapeBytes(`[{\n${keys.map((key) => `    ${JSON.stringify(key.key)}:${librdb(key)}`).join(',\n')}\n}]\n`),
    ...{ loses: [], keepsExpiry: 'not', keepsDeleted: false, says: [timeless] },
  },
];
