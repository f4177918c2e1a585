/**
 * Commands as effects: which of them matter, and what each did.
 *
 * Commands of BullMQ's Lua scripts (1 to 6), as Redis writes them to an append-only file (`SET … PXAT`, explicit stream
 * ids) and as MONITOR shows them (`SET … PX`, `*`). Other commands, and keys of other programs, are no effects.
 */
import { SCORE_PER_MS } from '../../model/fact.js';
import { parseQueueKey } from '../keyspace.js';
import { byteAt } from '../rdb/byte-at.js';
import { schedulerTemplate } from '../scheduler-template.js';
import { entryToEvent, oneLine } from '../to-events.js';
import { readPublish } from './bull-publish.js';
import { type CommandArgs, digits } from './command-args.js';
import type { Effect, Place } from './effect.js';
import type { EventsKey, QueueNames } from './queue-names.js';
import { ShortTexts } from './short-texts.js';

const LOCK = ':lock';
const SWEEP = ':stalled-check';
const EVENTS = ':events';
const ACTIVE = ':active';
const META = ':meta';

const DASH = 0x2d;
const MAX_VERSION = 40;
const MAX_TOKEN = 200;

/** Reads the commands of one log. */
export class EffectReader {
  readonly #names: QueueNames;
  readonly #tell: (effect: Effect) => void;
  /** Entries are written again and again to the same few streams. */
  #lastKey: EventsKey | undefined;
  readonly #texts = new ShortTexts();

  constructor(names: QueueNames, tell: (effect: Effect) => void) {
    this.#names = names;
    this.#tell = tell;
  }

  /**
   * Tells the effects of one command.
   *
   * @param byScript the command was issued by a script, as far as the log shows.
   */
  read(args: CommandArgs, place: Place, byScript: boolean): void {
    const tell = this.#tell;
    switch (args.size(0)) {
      case 3:
        if (args.isVerb('set')) readSet(args, place, tell);
        else if (args.isVerb('del')) readDeletion(args, place, byScript, tell);
        break;
      case 4:
        if (args.isVerb('xadd')) this.#entry(args, place);
        else if (args.isVerb('lrem')) readRemoval(args, place, tell);
        else if (args.isVerb('hset')) readFields(args, place, tell);
        else if (args.isVerb('zadd') || args.isVerb('zrem')) this.#move(args, place);
        break;
      case 5:
        if (args.isVerb('hmset')) readFields(args, place, tell);
        else if (args.isVerb('rpush') || args.isVerb('lpush')) this.#move(args, place);
        break;
      case 6:
        if (args.isVerb('unlink')) readDeletion(args, place, byScript, tell);
        break;
      case 7:
        if (args.isVerb('flushdb')) tell({ what: 'flushed', place, verb: args.text(0), all: false });
        else if (args.isVerb('publish')) this.#publish(args, place);
        else if (args.isVerb('linsert')) this.#move(args, place);
        break;
      case 8:
        if (args.isVerb('flushall')) tell({ what: 'flushed', place, verb: args.text(0), all: true });
        break;
      case 9:
        if (args.isVerb('pexpireat') && args.endsWith(1, LOCK) && args.number(2) >= 0) {
          tell({ what: 'lock-expiry', place, jobKey: jobKeyOfLock(args, 1), expiresAtMs: args.number(2) });
        }
        break;
      default:
    }
  }

  #entry(args: CommandArgs, place: Place): void {
    if (!args.endsWith(1, EVENTS)) return;
    const at = idIndex(args);
    let ms = -1;
    let seq = -1;
    if (!args.is(at, '*')) {
      const dash = dashIn(args, at);
      ms = digits(args.bytes, args.from(at), dash);
      seq = digits(args.bytes, dash + 1, args.to(at));
    } else if (place.t !== undefined) {
      ms = Math.floor(place.t);
      seq = place.line;
    }
    const key = this.#eventsKey(args);
    if (ms < 0 || seq < 0 || key === undefined) return;
    const field = (name: string) => {
      const value = fieldAt(args, at + 1, name);
      return value < 0 ? undefined : this.#texts.of(args, value);
    };
    const { base, name } = key;
    const event = entryToEvent({ name, ms, seq, offset: place.offset, deleted: false }, field);
    if (event) this.#tell({ what: 'entry', place, base, name, ms, event });
    else {
      const custom = field('event');
      if (custom !== undefined) this.#tell({ what: 'custom-entry', place, name: custom, seq });
    }
  }

  #publish(args: CommandArgs, place: Place): void {
    const entry = readPublish(args, place, this.#names);
    if (entry === undefined) return;
    this.#names.noteBull(entry.base);
    this.#tell({ what: 'library', place, base: entry.base, library: 'bull' });
    this.#tell(entry);
  }

  /** RPUSH, LPUSH, LINSERT and ZADD of one job, and ZREM; of Bull's queues. */
  #move(args: CommandArgs, place: Place): void {
    if (!this.#names.hasBull || place.t === undefined || args.count < 3 || args.count > 5) return;
    const key = args.text(1);
    const colon = key.lastIndexOf(':');
    const base = key.slice(0, colon);
    if (!this.#names.isBull(base)) return;
    const set = key.slice(colon + 1);
    const job = args.text(args.count - 1);
    if (args.isVerb('zadd')) {
      if (set !== 'delayed') return;
      const dueMs = Math.floor(Number(args.text(2)) / SCORE_PER_MS);
      this.#tell({ what: 'put', place, base, job, into: 'delayed', ...(Number.isFinite(dueMs) ? { dueMs } : {}) });
    } else if (args.isVerb('zrem')) {
      if (set !== 'completed' && set !== 'failed') return;
      this.#tell({ what: 'unfinished', place, jobKey: `${base}:${job}`, from: set });
    } else if (set === 'wait' || set === 'paused') {
      this.#tell({ what: 'put', place, base, job, into: 'waiting' });
    }
  }

  #eventsKey(args: CommandArgs): EventsKey | undefined {
    const last = this.#lastKey;
    if (last === undefined || last.db !== this.#names.db || !args.is(1, last.key)) {
      this.#lastKey = this.#names.eventsKey(args.text(1));
    }
    return this.#lastKey;
  }
}

/** The key of the job that a lock belongs to. */
function jobKeyOfLock(args: CommandArgs, index: number): string {
  return args.text(index).slice(0, -LOCK.length);
}

function readSet(args: CommandArgs, place: Place, tell: (effect: Effect) => void): void {
  const isLock = args.endsWith(1, LOCK);
  if (!isLock && !args.endsWith(1, SWEEP)) return;
  let expiresAtMs: number | undefined;
  let lifeMs: number | undefined;
  for (let i = 3; i < args.count; i++) {
    // Whether a conditional SET went through is not shown; where it did, the append-only file leaves the condition out.
    if (args.isWord(i, 'nx') || args.isWord(i, 'xx')) return;
    const value = args.number(i + 1);
    if (value < 0) continue;
    if (args.isWord(i, 'pxat')) expiresAtMs = value;
    else if (args.isWord(i, 'px') && place.t !== undefined) {
      expiresAtMs = Math.floor(place.t) + value;
      lifeMs = value;
    }
  }
  if (isLock) {
    tell({
      what: 'lock-set',
      place,
      jobKey: jobKeyOfLock(args, 1),
      token: oneLine(args.text(2), MAX_TOKEN),
      expiresAtMs,
      lifeMs,
    });
  } else if (expiresAtMs !== undefined && args.number(2) >= 0) {
    const base = args.text(1).slice(0, -SWEEP.length);
    tell({ what: 'sweep', place, base, expiresAtMs, intervalMs: lifeMs, throttled: false });
  }
}

function readDeletion(args: CommandArgs, place: Place, byScript: boolean, tell: (effect: Effect) => void): void {
  // A log holds what had an effect, as a whole; MONITOR shows what was tried. A person who deletes one key had seen it.
  const existed = args.count === 2 && !(byScript && place.t !== undefined);
  for (let i = 1; i < args.count; i++) {
    if (args.endsWith(i, LOCK)) {
      tell({ what: 'lock-deleted', place, jobKey: jobKeyOfLock(args, i), verb: args.text(0), existed });
    } else if (!byScript) {
      const key = parseQueueKey(args.text(i), 'hash');
      if (key?.what === 'job') tell({ what: 'job-deleted', place, jobKey: key.jobKey, verb: args.text(0) });
    }
  }
}

function readRemoval(args: CommandArgs, place: Place, tell: (effect: Effect) => void): void {
  if (args.count !== 4 || !args.endsWith(1, ACTIVE)) return;
  tell({ what: 'left-active', place, jobKey: `${args.text(1).slice(0, -ACTIVE.length)}:${args.text(3)}` });
}

function readFields(args: CommandArgs, place: Place, tell: (effect: Effect) => void): void {
  if (args.is(2, 'processedOn')) {
    tell({ what: 'processed', place, jobKey: args.text(1), stampMs: args.number(3) });
  } else if (args.is(args.count - 2, 'finishedOn')) {
    tell({ what: 'finished', place, jobKey: args.text(1), stampMs: args.number(args.count - 1) });
  } else if (args.endsWith(1, META)) {
    const base = args.text(1).slice(0, -META.length);
    const value = fieldAt(args, 2, 'version');
    if (value >= 0) tell({ what: 'version', place, base, version: oneLine(args.text(value), MAX_VERSION) });
  } else if (args.is(2, 'name') && !args.is(4, 'data')) readScheduler(args, place, tell);
}

/** The hash of a scheduler begins with its name and schedule, that of a job with name and data. */
function readScheduler(args: CommandArgs, place: Place, tell: (effect: Effect) => void): void {
  const key = parseQueueKey(args.text(1), 'hash');
  if (key?.what !== 'scheduler') return;
  const template = schedulerTemplate(key.id, (field) => {
    const value = fieldAt(args, 2, field);
    return value < 0 ? undefined : args.text(value);
  });
  if (template !== undefined) tell({ what: 'scheduler', place, base: key.base, template });
}

/** Index of the id: XADD key [NOMKSTREAM] [MAXLEN|MINID [=|~] threshold [LIMIT count]] id field value … */
function idIndex(args: CommandArgs): number {
  let at = 2;
  for (;;) {
    switch (args.size(at)) {
      case 10:
        if (!args.isWord(at, 'nomkstream')) return at;
        at += 1;
        break;
      case 6:
      case 5:
        if (args.isWord(at, 'maxlen') || args.isWord(at, 'minid')) {
          at += args.is(at + 1, '~') || args.is(at + 1, '=') ? 3 : 2;
        } else if (args.isWord(at, 'limit')) at += 2;
        else return at;
        break;
      default:
        return at;
    }
  }
}

/** Index of the value of a field, in a list of fields and values that begins at `start`; -1 where it is missing. */
function fieldAt(args: CommandArgs, start: number, name: string): number {
  for (let i = start; i + 1 < args.count; i += 2) if (args.is(i, name) && args.has(i + 1)) return i + 1;
  return -1;
}

/** Where the '-' of an id stands; -1 where the argument has none. */
function dashIn(args: CommandArgs, index: number): number {
  for (let at = args.from(index); at >= 0 && at < args.to(index); at++) if (byteAt(args.bytes, at) === DASH) return at;
  return -1;
}
