/** Answers about the server: INFO, TIME, CONFIG GET, CLIENT LIST, SCAN, KEYS. */
import { parseQueueKey } from '../../keyspace.js';
import type { Desk, Interpret } from './interpret.js';
import type { Question } from './question.js';
import { itemsOf, numberOf, pairsOf, textOf } from './reply.js';

/** What Redis must be set to for BullMQ (its documentation, "Going to production"). */
const SAFE_POLICY = 'noeviction';

const policyNote = (policy: string): string =>
  `maxmemory-policy is ${policy}: Redis may drop keys of queues when memory is short; BullMQ needs ${SAFE_POLICY}`;

/** INFO is printed as it came: `name:value` lines. */
const readInfo = (question: Question, text: string, desk: Desk): void => {
  const { moments, notes } = desk;
  const field = (name: string): string | undefined => new RegExp(`(?:^|\\n)${name}:([^\\r\\n]*)`).exec(text)?.[1];
  const version = field('valkey_version') ?? field('redis_version');
  if (version !== undefined && /^\d[\w.-]{0,39}$/.test(version)) desk.redisVersion(version);
  const micros = field('server_time_usec');
  if (micros !== undefined && /^\d{16}$/.test(micros)) moments.now(Math.floor(Number(micros) / 1000));
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== SAFE_POLICY) notes.add(policyNote(policy), question);
  const evicted = Number(field('evicted_keys') ?? 0);
  if (evicted > 0) notes.add(`evicted_keys is ${evicted}: Redis dropped keys because memory was short`, question);
};

/** Names of BullMQ's connections: `<prefix>:<base64 of the queue>`, then `:w:<worker>` or `:qe`. */
const CLIENT = /(?:^|\s)name=(\S+?):([A-Za-z0-9+/]{2,400}={0,2})(?::w:\S*|:qe)?(?=\s|$)/gm;

const readClients = (question: Question, text: string, desk: Desk): void => {
  for (const [, prefix = '', encoded = ''] of text.matchAll(CLIENT)) {
    const bytes = Buffer.from(encoded, 'base64');
    const name = bytes.toString('utf8');
    if (bytes.toString('base64') === encoded && /^[^\x00-\x1f:\ufffd]+$/.test(name))
      desk.queue(question, `${prefix}:${name}`);
  }
};

/**
 * Reads INFO and CLIENT LIST, whose answers are texts that are printed as they are.
 *
 * @returns whether the command is one of them.
 */
export function readPrinted(question: Question, lines: readonly string[], desk: Desk): boolean {
  const { name, args } = question;
  if (name === 'INFO') readInfo(question, printed(lines), desk);
  else if (name === 'CLIENT' && args[0]?.toUpperCase() === 'LIST') readClients(question, printed(lines), desk);
  else return false;
  return true;
}

/** The text that was printed; in JSON it is one string. */
function printed(lines: readonly string[]): string {
  const text = lines.join('\n').trim();
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value.replaceAll('\\r\\n', '\n').replaceAll('\\n', '\n') : text;
  } catch {
    return text;
  }
}

const readTime: Interpret = (_question, reply, { moments }) => {
  const [seconds, micros] = (itemsOf(reply) ?? []).map(numberOf);
  if (seconds === undefined || micros === undefined || seconds < 1e9) return 'it is not seconds and microseconds';
  moments.now(seconds * 1000 + Math.floor(micros / 1000));
  return undefined;
};

const readConfig: Interpret = (question, reply, { notes }) => {
  if (question.args[0]?.toUpperCase() !== 'GET') return undefined;
  for (const [name, value] of pairsOf(reply) ?? []) {
    const policy = textOf(value);
    if (textOf(name) === 'maxmemory-policy' && policy !== undefined && policy !== SAFE_POLICY) {
      notes.add(policyNote(policy), question);
    }
  }
  return undefined;
};

/** Keys by which a queue shows itself; a single one of them may be anybody's. */
const SIGNS: readonly (readonly [string, Parameters<typeof parseQueueKey>[1]])[] = [
  [':id', 'string'],
  [':meta', 'hash'],
  [':events', 'stream'],
  [':stalled-check', 'string'],
];

const readKeys: Interpret = (question, reply, desk) => {
  const signs = new Map<string, number>();
  const items = itemsOf(reply) ?? [];
  for (const item of items.flatMap((one) => (one.is === 'list' ? one.items : [one]))) {
    const key = textOf(item) ?? '';
    const sign = SIGNS.find(([suffix]) => key.endsWith(suffix));
    const found = sign && parseQueueKey(key, sign[1]);
    if (found && 'base' in found) signs.set(found.base, (signs.get(found.base) ?? 0) + 1);
  }
  for (const [base, count] of signs) if (count > 1) desk.queue(question, base);
  return undefined;
};

export const serverReaders: Readonly<Record<string, Interpret>> = {
  TIME: readTime,
  CONFIG: readConfig,
  SCAN: readKeys,
  KEYS: readKeys,
};
