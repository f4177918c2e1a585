/**
 * What one command wrote to the keys of the job that was asked for.
 *
 * A command that is not known here is unclear rather than harmless: the answer that would rest on it is then "not known". A
 * command that takes ids out of a list without naming them is noted; what the rest of its script says decides (`settle`).
 * Source: the commands of BullMQ's and Bull's Lua scripts (1 to 6; 4), and Redis' own documentation for the others.
 */
import type { JobKey, Write } from '../../model/job-write.js';
import { type CommandArgs, MAX_ARGS } from '../effects/command-args.js';
import type { Place } from '../effects/effect.js';
import { oneLine } from '../to-events.js';
import type { AskedKeys, Target } from './asked-keys.js';
import { fieldName, isCreation, toldValue } from './hash-fields.js';

export interface FoundWrite {
  readonly place: Place;
  readonly target: Target;
  /** Of the job with this id; all ids that the job may have in the queue where it is about the whole key. */
  readonly id?: string;
  readonly write: Write;
}

/** A command that took ids out of a list or set of the queue without naming them. */
export interface UnnamedRemoval {
  readonly place: Place;
  readonly from: Extract<Target, { base: string }>;
  readonly to: Target | undefined;
  /** Lower case. */
  readonly verb: string;
}

/** The writes of one command, script or transaction. */
export interface WriteGroup {
  readonly found: FoundWrite[];
  readonly unnamed: UnnamedRemoval[];
  /** Commands about the database as a whole. */
  readonly wide: { readonly place: Place; readonly write: Write }[];
  /** Keys of other jobs were deleted, or may have been. */
  deletesOthers: boolean;
}

interface Command {
  readonly args: CommandArgs;
  readonly place: Place;
  readonly verb: string;
  readonly keys: AskedKeys;
  readonly group: WriteGroup;
  /** The log holds what had an effect; a capture shows what was tried. */
  readonly isDone: boolean;
}

const MAX_TOKEN = 200;
/** MONITOR's time of a line and the clock that an expiry is counted from are read one after another. */
const ABOUT_MS = 2;

/** Notes what the command did. `place.t` is known in captures only. */
export function readWrites(args: CommandArgs, place: Place, keys: AskedKeys, group: WriteGroup): void {
  const command: Command = {
    args,
    place,
    verb: args.text(0).toLowerCase(),
    keys,
    group,
    isDone: place.t === undefined,
  };
  const read = VERBS.get(command.verb);
  if (read) read(command);
  else if (command.isDone || !READS.test(command.verb)) {
    unclear(command, 1);
  }
}

const targetOf = ({ args, keys }: Command, index: number): Target | undefined =>
  args.has(index) ? keys.target(args.text(index)) : undefined;

function tell(command: Command, target: Target, write: Write, id?: string): void {
  const { place, group } = command;
  group.found.push({ place, target, write, ...(id === undefined ? {} : { id }) });
}

function unclear(command: Command, index: number): void {
  const target = targetOf(command, index);
  if (target) tell(command, target, { op: 'unclear', key: target.key, command: command.verb });
}

type Read = (command: Command) => void;

/** For a command on one key of the named kind; on any other kind of key it fails, and wrote nothing. */
const on =
  (kind: (key: JobKey) => boolean, read: (command: Command, target: Target) => void): Read =>
  (command) => {
    const target = targetOf(command, 1);
    if (target && kind(target.key)) read(command, target);
  };
const isHash = (key: JobKey): boolean => key === 'hash';
const isLock = (key: JobKey): boolean => key === 'lock';
const isMembers = (key: JobKey): boolean => !isHash(key) && !isLock(key);

function readFields(command: Command, target: Target): void {
  const { args } = command;
  const fields: Record<string, string | null> = {};
  let isWhole = args.count < MAX_ARGS;
  for (let i = 2; i + 1 < args.count; i += 2) {
    if (!args.has(i)) isWhole = false;
    else {
      const name = args.text(i);
      Object.assign(fields, { [fieldName(name)]: args.has(i + 1) ? toldValue(name, args.text(i + 1)) : null });
    }
  }
  if (!isWhole) tell(command, target, { op: 'unclear', key: 'hash', command: command.verb });
  tell(command, target, { op: 'set', fields, ...(isCreation(fields) ? { created: true as const } : {}) });
}

function readIncrement(command: Command, target: Target): void {
  const by = Number(command.args.text(3));
  if (Number.isSafeInteger(by)) tell(command, target, { op: 'add', field: fieldName(command.args.text(2)), by });
  else tell(command, target, { op: 'unclear', key: 'hash', command: command.verb });
}

function readUnset(command: Command, target: Target): void {
  const { args } = command;
  const fields = Array.from({ length: Math.max(0, args.count - 2) }, (_, i) => fieldName(args.text(i + 2)));
  tell(command, target, { op: 'unset', fields });
}

function readString(command: Command, target: Target): void {
  // SET makes a string of any key.
  if (target.key === 'lock') readLock(command, target);
  else tell(command, target, { op: 'unclear', key: target.key, command: command.verb });
}

function readLock(command: Command, target: Target): void {
  const { args, place } = command;
  let expiry: { expiresAtMs: number; aboutMs?: number } | undefined;
  for (let i = 3; i < args.count; i++) {
    const value = args.number(i + 1);
    if (args.isWord(i, 'pxat') && value >= 0) expiry = { expiresAtMs: value };
    else if (args.isWord(i, 'px') && value >= 0 && place.t !== undefined)
      expiry = { expiresAtMs: Math.floor(place.t) + value, aboutMs: ABOUT_MS };
    else {
      tell(command, target, { op: 'unclear', key: 'lock', command: command.verb });
      return;
    }
    i++;
  }
  tell(command, target, { op: 'lock', token: oneLine(args.text(2), MAX_TOKEN), ...expiry });
}

function readExpiry(command: Command, target: Target): void {
  const { args, place, verb } = command;
  const value = args.number(2);
  const isPlain = args.count === 3 && value >= 0 && target.key === 'lock';
  if (isPlain && verb === 'pexpireat') tell(command, target, { op: 'lock-expiry', expiresAtMs: value });
  else if (isPlain && verb === 'pexpire' && place.t !== undefined)
    tell(command, target, { op: 'lock-expiry', expiresAtMs: Math.floor(place.t) + value, aboutMs: ABOUT_MS });
  else tell(command, target, { op: 'unclear', key: target.key, command: verb });
}

function readDeletion(command: Command): void {
  const { args, place, group } = command;
  for (let i = 1; i < args.count; i++) {
    const target = targetOf(command, i);
    if (target) tell(command, target, { op: 'gone', key: target.key });
    else group.deletesOthers = true;
  }
  if (args.count === MAX_ARGS) group.wide.push({ place, write: { op: 'gap', what: 'a deletion of very many keys' } });
}

function readRename(command: Command): void {
  const [from, to] = [targetOf(command, 1), targetOf(command, 2)];
  if (command.verb === 'renamenx' && !command.isDone) {
    unclear(command, 1);
    unclear(command, 2);
    return;
  }
  const isSame = from && to && 'base' in from && 'base' in to && from.base === to.base;
  if (isSame) tell(command, from, { op: 'renamed', set: from.key, to: to.key });
  else {
    if (from) tell(command, from, { op: 'gone', key: from.key });
    if (to) tell(command, to, { op: 'unclear', key: to.key, command: command.verb });
  }
}

/** Ids among the arguments from `start` on, every `step`th: the job came into the set, or left it. */
const members =
  (
    start: number,
    step: number,
    how: (command: Command, index: number, set: Exclude<JobKey, 'hash' | 'lock'>) => Write,
  ) =>
  (command: Command, target: Target): void => {
    if (!('base' in target)) return;
    const { args, keys } = command;
    for (const id of keys.idsIn(target.base)) {
      let index = -1;
      for (let i = start; i < args.count && index < 0; i += step) if (args.has(i) && args.text(i) === id) index = i;
      if (index >= 0) tell(command, target, how(command, index, target.key), id);
      else if (args.count === MAX_ARGS)
        tell(command, target, { op: 'unclear', key: target.key, command: command.verb }, id);
    }
  };

const into = on(
  isMembers,
  members(2, 1, (_, _index, set) => ({ op: 'into', set })),
);
const out = on(
  isMembers,
  members(2, 1, (_, _index, set) => ({ op: 'out', set })),
);

const ZADD_FLAGS = /^(?:nx|xx|gt|lt|ch|incr)$/i;

function readScored(command: Command, target: Target): void {
  const { args } = command;
  let at = 2;
  const flags = new Set<string>();
  for (; at < args.count && ZADD_FLAGS.test(args.text(at)); at++) flags.add(args.text(at).toLowerCase());
  flags.delete('ch');
  members(at + 1, 2, ({ verb }, index, set) => {
    if (flags.has('xx') || flags.has('incr')) return { op: 'unclear', key: set, command: verb };
    const score = Number(args.text(index - 1));
    return { op: 'into', set, ...(flags.size === 0 && Number.isFinite(score) ? { score } : {}) };
  })(command, target);
}

function readUnnamed(command: Command): void {
  const { place, verb, group } = command;
  const from = targetOf(command, 1);
  const to = /^b?(?:rpoplpush|lmove)$/.test(verb) ? targetOf(command, 2) : undefined;
  if (from && 'base' in from) group.unnamed.push({ place, from, to, verb });
  else if (to) tell(command, to, { op: 'unclear', key: to.key, command: verb });
}

/** A member goes from one set into another; whether it was there, a capture does not show. */
function readSetMove(command: Command): void {
  if (!command.isDone) {
    unclear(command, 1);
    unclear(command, 2);
    return;
  }
  const { args, keys } = command;
  for (const [index, op] of [
    [1, 'out'],
    [2, 'into'],
  ] as const) {
    const target = targetOf(command, index);
    if (target === undefined || !('base' in target) || !keys.idsIn(target.base).includes(args.text(3))) continue;
    tell(command, target, { op, set: target.key }, args.text(3));
  }
}

const wide =
  (write: (command: Command) => Write): Read =>
  (command) => {
    command.group.wide.push({ place: command.place, write: write(command) });
  };

const ifDone =
  (read: Read): Read =>
  (command) =>
    command.isDone ? read(command) : unclear(command, 1);

const VERBS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ...(['hset', 'hmset'] as const).map((verb) => [verb, on(isHash, readFields)] as const),
  ['hsetnx', ifDone(on(isHash, readFields))],
  ['hincrby', on(isHash, readIncrement)],
  ['hdel', on(isHash, readUnset)],
  ['set', on(() => true, readString)],
  ...(['pexpireat', 'pexpire', 'expire', 'expireat'] as const).map(
    (verb) => [verb, on(() => true, readExpiry)] as const,
  ),
  ['persist', on(isLock, (command, target) => tell(command, target, { op: 'lock-expiry' }))],
  ...(['del', 'unlink', 'getdel'] as const).map((verb) => [verb, readDeletion] as const),
  ...(['rename', 'renamenx'] as const).map((verb) => [verb, readRename] as const),
  ...(['lpush', 'rpush', 'sadd'] as const).map((verb) => [verb, into] as const),
  ...(['lpushx', 'rpushx'] as const).map((verb) => [verb, ifDone(into)] as const),
  [
    'lrem',
    on(
      isMembers,
      members(3, 1, (_, _index, set) => ({ op: 'out', set })),
    ),
  ],
  ...(['zrem', 'srem'] as const).map((verb) => [verb, out] as const),
  ['zadd', on(isMembers, readScored)],
  ['smove', readSetMove],
  ...(
    ['rpoplpush', 'brpoplpush', 'lmove', 'blmove', 'lpop', 'rpop', 'blpop', 'brpop', 'ltrim', 'lset', 'spop'] as const
  ).map((verb) => [verb, readUnnamed] as const),
  ...(
    ['zpopmin', 'zpopmax', 'bzpopmin', 'bzpopmax', 'zremrangebyrank', 'zremrangebyscore', 'zremrangebylex'] as const
  ).map((verb) => [verb, readUnnamed] as const),
  ['flushall', wide(() => ({ op: 'flush' }))],
  ['flushdb', wide(() => ({ op: 'flush', ofDb: -1 }))],
  ['swapdb', wide(({ verb }) => ({ op: 'gap', what: verb }))],
]);

/** Commands that a capture shows and that write nothing. */
const READS =
  /^(?:m?get|strlen|getrange|exists|p?ttl|p?expiretime|type|object|dump|touch|watch|memory|debug|h(?:m?get|getall|exists|len|keys|vals|strlen|scan|randfield)|l(?:range|len|index|pos)|z(?:m?score|card|(?:lex)?count|rank|revrank|(?:rev)?range(?:byscore|bylex)?|scan|randmember)|s(?:card|members|m?ismember|scan|randmember))$/;
