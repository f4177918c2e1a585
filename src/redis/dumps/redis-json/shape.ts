/**
 * How a tool lays out a dump, seen by its first objects (documentation and sources of the tools; samples of HDT3213/rdb):
 *
 *   records   one object a key: `{"key": …, "type": …}`      HDT3213/rdb, redis-rdb-cli (json, jsonl), delano/redis-dump, RIOT
 *   flat      one object a database: `{"<key>": value, …}`   redis-rdb-tools, librdb
 *   typed     `{"<key>": {"type": …, "value": …, "ttl": …}}` npm redis-dump --json
 */
import { keyByName } from '../key-by-name.js';

export interface Shape {
  readonly layout: 'records' | 'flat' | 'typed';
  /** One JSON value a line. */
  readonly isLines: boolean;
  /** The objects stand in an array. */
  readonly isArray: boolean;
  readonly score: number;
}

const TYPES = 'string|list|set|zset|sortedset|hash|stream';
const START = /^\uFEFF?\s*(\[\s*)?\{\s*/;
/** The first members of a record. A log line may have a `key` too, but not among these. */
const RECORD =
  /^(?:"db"\s*:\s*\d+\s*,\s*"key"\s*:|"key"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"(?:value|type|db|expiration|size|ttl|event|time|memoryUsage)"\s*:)/;
const RECORD_SIGN = new RegExp(`"(?:type"\\s*:\\s*"(?:${TYPES}|aux|functions)"|encoding"\\s*:)`);
/** All that redis-rdb-cli writes of a key, unless its type is asked for. */
const PLAIN_RECORD = /^"key"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"value"\s*:/;
const TYPED = new RegExp(
  `^"(?:[^"\\\\]|\\\\.)+"\\s*:\\s*\\{\\s*"type"\\s*:\\s*"(?:${TYPES})"\\s*,\\s*"(?:value|ttl)"\\s*:`,
);
/** A key in the place of a member's name. */
const MEMBER = /[{,]\s*"((?:[^"\\:]|\\.)+:(?:[^"\\]|\\.)+)"\s*:\s*(["[{])/g;
const MAX_KEYS = 200;

/** Undefined: none of the known layouts. `head` is the beginning of the text. */
export function shapeOf(head: string): Shape | undefined {
  const start = START.exec(head);
  if (start === null) return undefined;
  const isArray = start[1] !== undefined;
  const body = head.slice(start[0].length);
  if (RECORD.test(body)) {
    const isSure = RECORD_SIGN.test(body) || keysIn(body, /"key"\s*:\s*"((?:[^"\\]|\\.)*)"()/g) > 0;
    if (!isSure && !PLAIN_RECORD.test(body)) return undefined;
    return { layout: 'records', isLines: !isArray && isOneLine(head), isArray, score: isSure ? 0.9 : 0.3 };
  }
  if (TYPED.test(body)) return { layout: 'typed', isLines: false, isArray, score: 0.9 };
  // Any object is a flat map: only keys of queues make a dump of it.
  return keysIn(head, MEMBER) > 0 ? { layout: 'flat', isLines: false, isArray, score: 0.9 } : undefined;
}

/** Whether the first line is a whole object, or so long that its end is not seen. */
function isOneLine(head: string): boolean {
  const end = head.indexOf('\n');
  return end < 0 || /\}\s*$/.test(head.slice(0, end));
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  '"': ['string'],
  '[': ['list', 'set'],
  '{': ['hash', 'zset', 'stream'],
};

/** How many names of keys that only a queue has stand there, with a value that fits them. */
function keysIn(text: string, pattern: RegExp): number {
  let found = 0;
  let seen = 0;
  for (const [, key = '', opener = ''] of text.matchAll(pattern)) {
    if (++seen > MAX_KEYS) break;
    const named = keyByName(key);
    const fits = opener === '' || named === undefined || OPENERS[opener]?.includes(named.kind);
    if (named !== undefined && named.key.what !== 'job' && fits) found++;
  }
  return found;
}
