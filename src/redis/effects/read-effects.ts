/**
 * Commands as effects: which of them matter, and what each did.
 *
 * Commands of BullMQ's Lua scripts (1 to 6), as Redis writes them to an append-only file (`SET … PXAT`, explicit stream
 * ids) and as MONITOR shows them (`SET … PX`, `*`). Other commands, and keys of other programs, are no effects.
 */
import { parseQueueKey } from '../keyspace.js';
import { entryToEvent, oneLine } from '../to-events.js';
import type { CommandArgs } from './command-args.js';
import type { Effect, Place } from './effect.js';
import type { QueueNames } from './queue-names.js';

const LOCK = ':lock';
const SWEEP = ':stalled-check';
const EVENTS = ':events';
const ACTIVE = ':active';
const META = ':meta';

const ID = /^(\d{1,16})-(\d{1,16})$/;
const DIGITS = /^\d{1,16}$/;
const MAX_VERSION = 40;

/**
 * Tells the effects of one command.
 *
 * @param byScript the command was issued by a script, as far as the log shows.
 */
export function readEffects(
  args: CommandArgs,
  place: Place,
  byScript: boolean,
  names: QueueNames,
  tell: (effect: Effect) => void,
): void {
  switch (args.size(0)) {
    case 3:
      if (args.isVerb('set')) readSet(args, place, tell);
      else if (args.isVerb('del')) readDeletion(args, place, byScript, tell);
      return;
    case 4:
      if (args.isVerb('xadd')) readEntry(args, place, names, tell);
      else if (args.isVerb('lrem')) readRemoval(args, place, tell);
      else if (args.isVerb('hset')) readFields(args, place, tell);
      return;
    case 5:
      if (args.isVerb('hmset')) readFields(args, place, tell);
      return;
    case 6:
      if (args.isVerb('unlink')) readDeletion(args, place, byScript, tell);
      return;
    case 7:
      if (args.isVerb('flushdb')) tell({ ...place, what: 'flushed', verb: args.text(0), all: false });
      return;
    case 8:
      if (args.isVerb('flushall')) tell({ ...place, what: 'flushed', verb: args.text(0), all: true });
      return;
    case 9:
      if (args.isVerb('pexpireat') && args.endsWith(1, LOCK) && DIGITS.test(args.text(2))) {
        tell({ ...place, what: 'lock-expiry', jobKey: jobKeyOfLock(args, 1), expiresAtMs: Number(args.text(2)) });
      }
      return;
    default:
  }
}

/** The key of the job that a lock belongs to. */
function jobKeyOfLock(args: CommandArgs, index: number): string {
  return args.text(index).slice(0, -LOCK.length);
}

function readSet(args: CommandArgs, place: Place, tell: (effect: Effect) => void): void {
  const isLock = args.endsWith(1, LOCK);
  if (!isLock && !args.endsWith(1, SWEEP)) return;
  let life: { expiresAtMs: number; lifeMs?: number } | undefined;
  for (let i = 3; i < args.count; i++) {
    // Whether a conditional SET went through is not shown; where it did, the append-only file leaves the condition out.
    if (args.is(i, 'NX') || args.is(i, 'XX') || args.is(i, 'nx') || args.is(i, 'xx')) return;
    if (!DIGITS.test(args.text(i + 1))) continue;
    const value = Number(args.text(i + 1));
    if (args.is(i, 'PXAT')) life = { expiresAtMs: value };
    else if ((args.is(i, 'PX') || args.is(i, 'px')) && place.t !== undefined)
      life = { expiresAtMs: Math.floor(place.t) + value, lifeMs: value };
  }
  if (isLock) {
    tell({ ...place, what: 'lock-set', jobKey: jobKeyOfLock(args, 1), token: oneLine(args.text(2)), ...life });
  } else if (life && DIGITS.test(args.text(2))) {
    const interval = life.lifeMs === undefined ? {} : { intervalMs: life.lifeMs };
    const base = args.text(1).slice(0, -SWEEP.length);
    tell({ ...place, what: 'sweep', base, expiresAtMs: life.expiresAtMs, ...interval });
  }
}

function readDeletion(args: CommandArgs, place: Place, byScript: boolean, tell: (effect: Effect) => void): void {
  // A log holds what had an effect, as a whole; MONITOR shows what was tried. A person who deletes one key had seen it.
  const existed = args.count === 2 && !(byScript && place.t !== undefined);
  for (let i = 1; i < args.count; i++) {
    if (args.endsWith(i, LOCK)) {
      tell({ ...place, what: 'lock-deleted', jobKey: jobKeyOfLock(args, i), verb: args.text(0), existed });
    } else if (!byScript) {
      const key = parseQueueKey(args.text(i), 'hash');
      if (key?.what === 'job') tell({ ...place, what: 'job-deleted', jobKey: key.jobKey, verb: args.text(0) });
    }
  }
}

function readRemoval(args: CommandArgs, place: Place, tell: (effect: Effect) => void): void {
  if (args.count !== 4 || !args.endsWith(1, ACTIVE)) return;
  tell({ ...place, what: 'left-active', jobKey: `${args.text(1).slice(0, -ACTIVE.length)}:${args.text(3)}` });
}

function readFields(args: CommandArgs, place: Place, tell: (effect: Effect) => void): void {
  if (args.is(2, 'processedOn')) {
    tell({ ...place, what: 'processed', jobKey: args.text(1) });
  } else if (args.endsWith(1, META)) {
    const base = args.text(1).slice(0, -META.length);
    const version = fieldOf(args, 2, 'version');
    if (version !== undefined) tell({ ...place, what: 'version', base, version: oneLine(version, MAX_VERSION) });
  }
}

function readEntry(args: CommandArgs, place: Place, names: QueueNames, tell: (effect: Effect) => void): void {
  if (!args.endsWith(1, EVENTS)) return;
  const at = idIndex(args);
  let ms: number;
  let seq: number;
  if (args.is(at, '*')) {
    if (place.t === undefined) return;
    ms = Math.floor(place.t);
    seq = place.line;
  } else {
    const id = ID.exec(args.text(at));
    if (id === null) return;
    ms = Number(id[1]);
    seq = Number(id[2]);
  }
  const event = fieldOf(args, at + 1, 'event');
  if (event === undefined) return;
  const base = args.text(1).slice(0, -EVENTS.length);
  // A queue's name is never empty, and `<prefix>::relay:…` is BullMQ 6's message bus.
  if (parseQueueKey(args.text(1), 'stream')?.what !== 'events') return;
  const found = entryToEvent({ name: names.nameOf(base), ms, seq, offset: place.offset, deleted: false }, (field) =>
    fieldOf(args, at + 1, field),
  );
  if (found) tell({ ...place, what: 'entry', base, event: { ...found, t: ms } });
  else tell({ ...place, what: 'custom-entry', name: event, ms, seq });
}

/** Index of the id: XADD key [NOMKSTREAM] [MAXLEN|MINID [=|~] threshold [LIMIT count]] id field value … */
function idIndex(args: CommandArgs): number {
  let at = 2;
  for (;;) {
    const size = args.size(at);
    if (size === 10 && args.text(at).toUpperCase() === 'NOMKSTREAM') at += 1;
    else if (size === 6 && args.text(at).toUpperCase() === 'MAXLEN')
      at += args.is(at + 1, '~') || args.is(at + 1, '=') ? 3 : 2;
    else if (size === 5 && args.text(at).toUpperCase() === 'MINID')
      at += args.is(at + 1, '~') || args.is(at + 1, '=') ? 3 : 2;
    else if (size === 5 && args.text(at).toUpperCase() === 'LIMIT') at += 2;
    else return at;
  }
}

/** The value of a field in a list of fields and values that begins at `start`. */
function fieldOf(args: CommandArgs, start: number, name: string): string | undefined {
  for (let i = start; i + 1 < args.count; i += 2) if (args.is(i, name) && args.has(i + 1)) return args.text(i + 1);
  return undefined;
}
