/** Answers about the server: INFO, CONFIG GET, TIME, LASTSAVE, ROLE, SLOWLOG. */
import { formatUtc } from '../../../time/index.js';
import { oneLine } from '../../to-events.js';
import type { Desk, Interpret } from './interpret.js';
import type { Question } from './question.js';
import { readClients } from './read-clients.js';
import { itemsOf, numberOf, pairsOf, type Reply, textOf } from './reply.js';

/** Fields of INFO that bear on queues: what Redis is, what it dropped, what it keeps on disk, since when it runs. */
const INFO_FIELDS: ReadonlySet<string> = new Set(
  (
    'redis_version valkey_version redis_mode role master_link_status uptime_in_seconds used_memory maxmemory maxmemory_policy ' +
    'evicted_keys expired_keys rejected_connections connected_clients blocked_clients loading rdb_last_save_time ' +
    'rdb_changes_since_last_save rdb_last_bgsave_status aof_enabled aof_last_write_status'
  ).split(' '),
);
const CONFIG_FIELDS = /^(?:maxmemory|maxmemory-policy|appendonly|appendfsync|save|timeout)$/;
const MAX_VALUE = 100;
/** Redis serves nobody else for so long, ms: as long as a worker may wait for the renewal of a lock. */
const SLOW_MS = 100;
const MAX_SLOW = 20;

const tell = (question: Question, desk: Desk, field: string, value: string): void =>
  desk.server({ field, value: value.slice(0, MAX_VALUE), offset: question.offset });

/** INFO is printed as it came: `name:value` lines. */
function readInfo(question: Question, text: string, desk: Desk): void {
  for (const [, field = '', value = ''] of text.matchAll(/^([a-z_]{1,40}):([^\r\n]*)/gm)) {
    if (INFO_FIELDS.has(field) && value !== '') tell(question, desk, field, value);
  }
  const micros = /^server_time_usec:(\d{16})\s*$/m.exec(text)?.[1];
  if (micros !== undefined) desk.moments.now(Math.floor(Number(micros) / 1000));
}

/** Whether the answer of a command is a text that is printed as it is. */
export const printsText = (name: string): boolean => name === 'INFO' || name === 'CLIENT';

/**
 * Reads INFO and CLIENT LIST.
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

/** The text that was printed; in JSON, CSV and in some consoles it is one string. */
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

const readConfig: Interpret = (question, reply, desk) => {
  if (question.args[0]?.toUpperCase() !== 'GET') return undefined;
  for (const [name, value] of pairsOf(reply) ?? []) {
    const field = textOf(name) ?? '';
    const text = textOf(value);
    if (CONFIG_FIELDS.test(field) && text !== undefined) tell(question, desk, field, text);
  }
  return undefined;
};

const readRole: Interpret = (question, reply, desk) => {
  const role = textOf(itemsOf(reply)?.[0]);
  if (role !== undefined && /^(?:master|slave|sentinel)$/.test(role)) tell(question, desk, 'role', role);
  return undefined;
};

const readLastSave: Interpret = (question, reply, desk) => {
  const seconds = numberOf(reply);
  if (seconds === undefined || seconds < 1e9) return 'it is no time';
  tell(question, desk, 'rdb_last_save_time', String(seconds));
  return undefined;
};

/** Entries of SLOWLOG GET: id, seconds, microseconds, words of the command, address, name. */
const readSlowLog: Interpret = (question, reply, desk) => {
  if (question.args[0]?.toUpperCase() !== 'GET') return undefined;
  const entries = (itemsOf(reply) ?? []).flatMap((entry) => (entry.is === 'list' ? [entry.items] : []));
  const slow = entries.flatMap((items) => {
    const [, seconds, micros] = items.slice(0, 3).map(numberOf);
    const isEntry = seconds !== undefined && micros !== undefined && seconds > 1e9 && seconds < 1e11;
    return isEntry && micros >= SLOW_MS * 1000 ? [slowText(seconds, micros, items[3])] : [];
  });
  for (const text of slow.slice(0, MAX_SLOW)) tell(question, desk, 'slowlog', text);
  return undefined;
};

/** Arguments may be an application's data; the name of the command and its first key are not. */
function slowText(seconds: number, micros: number, command: Reply | undefined): string {
  const words = (command && itemsOf(command)) ?? [];
  const [name = '', key = ''] = words.map((word) => textOf(word) ?? '');
  const what = /^eval/i.test(name) ? name : `${name} ${key}`.trim();
  return `${formatUtc(seconds * 1000, 's')} ${Math.round(micros / 1000)} ms ${oneLine(what)}`;
}

export const serverReaders: Readonly<Record<string, Interpret>> = {
  TIME: readTime,
  CONFIG: readConfig,
  ROLE: readRole,
  LASTSAVE: readLastSave,
  SLOWLOG: readSlowLog,
};
