/**
 * What a group of effects means: one transaction of an append-only file, or one script and its lines in MONITOR.
 *
 * The rules, from BullMQ's Lua scripts (1 to 6; Bull 4 where it does the same):
 * - a lock that is set where the job is activated (`active` entry, `processedOn`) is acquired, elsewhere renewed;
 * - a lock that is deleted where the job leaves `active` is released by its owner; in a sweep it had expired before, and
 *   the server deletes it when the script looks;
 * - any other end of a lock is none of a worker's doing: expiry, eviction, or somebody's command.
 */
import type { EventData, EventKind, LockEnding } from '../../model/event.js';
import { DEFAULT_PREFIX, type JobName } from '../keyspace.js';
import type {
  Effect,
  EntryEffect,
  FlushedEffect,
  JobDeletedEffect,
  LockDeletedEffect,
  LockSetEffect,
  OwnEvent,
  Place,
  StampEffect,
  SweepEffect,
} from './effect.js';
import { Lifetimes } from './lifetimes.js';
import { type HeldLock, LockBook } from './lock-book.js';
import type { QueueNames } from './queue-names.js';
import type { Timed, Untimed } from './record.js';
import { nearestMs, type Survey, survey } from './survey.js';
import { WorkerClocks } from './worker-clocks.js';

/** What is known about a group as a whole. */
export interface GroupContext {
  /** Address of the client. */
  readonly client?: string;
  /** It stands in the log outside of any transaction: only what Redis does by itself is written so in capitals. */
  readonly isOneCommand?: boolean;
  /** What a sweep was given by the worker that sent it. */
  sweep?(): EventData['settings'];
  /** Token that the script was given. */
  token?(job: string): string | undefined;
}

/** Either the stream entry of the group, or an expiry that lies one of some lives after it. */
export interface TimeClue {
  readonly nearMs: number | undefined;
  readonly expiresAtMs?: number | undefined;
  readonly lives: readonly number[];
}

/** Entries that are written where a job's lock is taken or given back. */
const WITH_LOCK: ReadonlySet<EventKind> = new Set([
  'active',
  'completed',
  'failed',
  'retries-exhausted',
  'delayed',
  'waiting-children',
  'waiting',
]);

/** A group while it is judged. */
interface Group {
  readonly effects: readonly Effect[];
  readonly context: GroupContext;
  readonly seen: Survey;
  /** Tokens under which jobs of this group were locked or released so far, by key of the job. */
  tokens: Map<string, string> | undefined;
  /** Locks that were released so far, by key of the job. */
  released: Map<string, HeldLock> | undefined;
}

/** Judges group after group, in the order of the log. */
export class Judge {
  readonly lifetimes = new Lifetimes();
  readonly locks = new LockBook();
  readonly clocks = new WorkerClocks();
  readonly #names: QueueNames;
  readonly #tell: (record: Timed | Untimed) => void;
  /** Called for an entry of an events stream that BullMQ does not write. */
  readonly #onCustom: (name: string, seq: number) => void;

  constructor(
    names: QueueNames,
    tell: (record: Timed | Untimed) => void,
    onCustom: (name: string, seq: number) => void,
  ) {
    this.#names = names;
    this.#tell = tell;
    this.#onCustom = onCustom;
  }

  /** What comes is about this database. */
  enterDatabase(db: number): void {
    this.locks.enterDatabase(db);
    this.#names.enterDatabase(db);
  }

  /** What tells the time of a group of an append-only file, once its effects were judged. */
  clueOf(effects: readonly Effect[]): TimeClue {
    const entry = effects.findLast((effect) => effect.what === 'entry');
    if (entry) return { nearMs: entry.ms, lives: NO_LIVES };
    for (const effect of effects) {
      if (effect.what === 'sweep') {
        const lives = this.lifetimes.durations(this.#lifeKey(effect.base), 'stalledInterval');
        return { nearMs: undefined, expiresAtMs: effect.expiresAtMs, lives };
      }
      const cut = effect.what === 'lock-set' ? this.#names.cut(effect.jobKey, effect.token) : undefined;
      if (effect.what === 'lock-set' && cut !== undefined) {
        const lives = this.#livesOf(this.locks.get(effect.jobKey), cut.base);
        return { nearMs: undefined, expiresAtMs: effect.expiresAtMs, lives };
      }
    }
    return { nearMs: undefined, lives: NO_LIVES };
  }

  judge(effects: readonly Effect[], context: GroupContext = {}): void {
    const group: Group = {
      effects,
      context,
      seen: survey(effects, this.#names),
      tokens: undefined,
      released: undefined,
    };
    for (let index = 0; index < effects.length; index++) {
      const effect = effects[index];
      switch (effect?.what) {
        case 'entry':
          this.#entry(effect, group);
          break;
        case 'custom-entry':
          this.#onCustom(effect.name, effect.seq);
          break;
        case 'lock-set':
          this.#lockSet(effect, index, group);
          break;
        case 'lock-expiry': {
          const lock = this.locks.get(effect.jobKey);
          if (lock) this.locks.set(effect.jobKey, { ...lock, expiresAtMs: effect.expiresAtMs });
          break;
        }
        case 'lock-deleted':
          this.#lockDeleted(effect, index, group);
          break;
        case 'processed':
        case 'finished':
          this.#stamp(effect, index, group);
          break;
        case 'job-deleted':
          this.#jobDeleted(effect, index, group);
          break;
        case 'sweep':
          this.#sweep(effect, index, group);
          break;
        case 'flushed':
          this.#flushed(effect, index, group);
          break;
        case 'version':
          if (this.#names.owns(effect.base) && this.#names.takes(effect.base)) {
            const name = this.#names.note(effect.base);
            this.lifetimes.note(this.#lifeKey(effect.base), name, 'version', effect.version, effect.place.offset);
          }
          break;
        case 'scheduler':
          if (this.#names.owns(effect.base) && this.#names.takes(effect.base)) {
            const name = this.#names.note(effect.base);
            this.lifetimes.note(this.#lifeKey(effect.base), name, 'scheduler', effect.template, effect.place.offset);
          }
          break;
        case 'library': {
          const name = this.#names.note(effect.base);
          this.lifetimes.note(this.#lifeKey(effect.base), name, 'library', effect.library, effect.place.offset);
          break;
        }
        default:
      }
    }
  }

  #entry({ base, ms, event }: EntryEffect, { tokens, context }: Group): void {
    // A sweep that moves the job has seen that its lock is gone.
    if (event.kind === 'stalled') this.locks.delete(`${base}:${event.job}`);
    if (tokens !== undefined && WITH_LOCK.has(event.kind)) {
      const token = tokens.get(`${base}:${event.job}`);
      if (token !== undefined) event.token = token;
    }
    if (context.client !== undefined) {
      event.data ??= {};
      event.data.client = context.client;
    }
    this.#tell({ entry: event, ms });
  }

  #lockSet(effect: LockSetEffect, index: number, group: Group): void {
    const { jobKey, token, expiresAtMs } = effect;
    const cut = this.#names.cut(jobKey, token);
    if (cut === undefined) return;
    const before = this.locks.get(jobKey);
    const isActivation = group.seen.activated?.has(jobKey) === true;
    const lifeMs = this.#lifeOf(effect, cut.base, group);
    this.locks.set(jobKey, {
      token,
      expiresAtMs,
      lifeMs: lifeMs ?? before?.lifeMs,
      activeMs: isActivation ? group.seen.activeMs?.get(jobKey) : before?.activeMs,
    });
    if (isActivation) {
      group.tokens ??= new Map();
      group.tokens.set(jobKey, token);
    }
    // Only a rewritten log has locks without expiry: the key as it stood, not something that happened.
    if (expiresAtMs === undefined && !isActivation) return;
    const taken = isActivation || (before !== undefined && before.token !== token);
    this.#record(taken ? 'lock-set' : 'lock-renewed', cut, effect.place, index, group, {
      token,
      lives: lifeMs !== undefined ? [lifeMs] : this.#livesOf(before, cut.base),
      data: { expiresAtMs, lockMs: lifeMs },
    });
  }

  /** The life that the lock was given here, if the command or its group says it; it is learned for the queue. */
  #lifeOf({ jobKey, expiresAtMs, lifeMs, place }: LockSetEffect, base: string, group: Group): number | undefined {
    const name = this.#names.note(base);
    if (lifeMs !== undefined) {
      this.lifetimes.note(this.#lifeKey(base), name, 'lockDuration', String(lifeMs), place.offset);
      return lifeMs;
    }
    const activeMs = group.seen.activeMs?.get(jobKey);
    if (activeMs === undefined || expiresAtMs === undefined) return undefined;
    return this.lifetimes.measure(this.#lifeKey(base), name, 'lockDuration', expiresAtMs - activeMs, place.offset);
  }

  /** Two databases may hold queues of one name with settings of their own. */
  #lifeKey(base: string): string {
    const { db } = this.#names;
    return db === 0 ? base : `${db} ${base}`;
  }

  #livesOf(lock: HeldLock | undefined, base: string): readonly number[] {
    return lock?.lifeMs === undefined ? this.lifetimes.durations(this.#lifeKey(base), 'lockDuration') : [lock.lifeMs];
  }

  #lockDeleted(effect: LockDeletedEffect, index: number, group: Group): void {
    const { jobKey, verb, existed, place } = effect;
    const lock = this.locks.get(jobKey);
    const cut = this.#names.cut(jobKey, lock?.token);
    if (cut === undefined) return;
    this.locks.delete(jobKey);
    if (group.seen.left?.has(jobKey) && !group.seen.isSweep) {
      const token = lock?.token ?? group.context.token?.(cut.job);
      if (token !== undefined) {
        group.tokens ??= new Map();
        group.tokens.set(jobKey, token);
      }
      if (lock) {
        group.released ??= new Map();
        group.released.set(jobKey, lock);
      }
      this.#record('lock-released', cut, place, index, group, { token, data: {} });
    } else if (lock !== undefined || existed) {
      const data = { expiresAtMs: lock?.expiresAtMs, verb, ending: endingOf(effect, lock, group.context) };
      this.#record('lock-gone', cut, place, index, group, { token: lock?.token, data });
    }
  }

  /** A worker wrote its own time into the job, in the script that activated or ended it. */
  #stamp({ what, jobKey, stampMs, place }: StampEffect, index: number, { effects, released }: Group): void {
    const entryMs = nearestMs(effects, index);
    const lock = what === 'processed' ? this.locks.get(jobKey) : released?.get(jobKey);
    if (stampMs < 0 || entryMs === undefined || lock === undefined) return;
    this.clocks.before(lock.token, stampMs, entryMs, place.offset);
    if (what === 'finished' && lock.activeMs !== undefined)
      this.clocks.after(lock.token, stampMs, lock.activeMs, place.offset);
  }

  /** A client's own command took the job's hash away. */
  #jobDeleted({ jobKey, verb, place }: JobDeletedEffect, index: number, group: Group): void {
    const cut = this.#names.cut(jobKey);
    if (cut) this.#record('removed', cut, place, index, group, { data: { verb } });
  }

  #sweep(effect: SweepEffect, index: number, group: Group): void {
    const { base, expiresAtMs, intervalMs, throttled, place } = effect;
    if (!this.#names.takes(base)) return;
    const name = this.#names.note(base);
    if (intervalMs !== undefined) {
      this.lifetimes.note(this.#lifeKey(base), name, 'stalledInterval', String(intervalMs), place.offset);
    } else if (expiresAtMs !== undefined) {
      const entryMs = nearestMs(group.effects, index);
      if (entryMs !== undefined) {
        this.lifetimes.measure(this.#lifeKey(base), name, 'stalledInterval', expiresAtMs - entryMs, place.offset);
      }
    }
    const settings = group.context.sweep?.();
    if (settings?.maxStalledCount !== undefined) {
      const { maxStalledCount } = settings;
      this.lifetimes.note(this.#lifeKey(base), name, 'maxStalledCount', String(maxStalledCount), place.offset);
    }
    this.#record('sweep', { base, job: '' }, place, index, group, {
      lives: this.lifetimes.durations(this.#lifeKey(base), 'stalledInterval'),
      data: {
        text: throttled ? 'throttled' : group.seen.moved > 0 ? `moved ${group.seen.moved}` : undefined,
        expiresAtMs,
        settings,
      },
    });
  }

  #flushed({ verb, all, place }: FlushedEffect, index: number, group: Group): void {
    for (const [jobKey, { token, expiresAtMs }] of this.locks.flush(all)) {
      const cut = this.#names.cut(jobKey, token);
      if (cut)
        this.#record('lock-gone', cut, place, index, group, {
          token,
          data: { expiresAtMs, verb, ending: 'deleted' },
        });
    }
  }

  #record(kind: EventKind, { base, job }: JobName, place: Place, index: number, group: Group, more: Details): void {
    const { prefix, queue, db } = this.#names.nameOf(base);
    const event: OwnEvent = {
      kind,
      clock: 'redis',
      precision: 'none',
      line: place.line,
      offset: place.offset,
      queue,
    };
    if (prefix !== DEFAULT_PREFIX) event.prefix = prefix;
    if (db !== undefined) event.db = db;
    if (job !== '') event.job = job;
    if (more.token !== undefined) event.token = more.token;
    const data = dataOf(more.data, group.context.client);
    if (data) event.data = data;
    this.#tell({ place, event, nearMs: nearestMs(group.effects, index), lives: more.lives ?? NO_LIVES });
  }
}

/** What an event says beyond its kind; what is not known is left out. */
interface Details {
  readonly token?: string | undefined;
  readonly lives?: readonly number[];
  readonly data: {
    readonly expiresAtMs?: number | undefined;
    readonly lockMs?: number | undefined;
    readonly verb?: string;
    readonly ending?: LockEnding | undefined;
    readonly text?: string | undefined;
    readonly settings?: EventData['settings'] | undefined;
  };
}

const NO_LIVES: readonly number[] = [];

/**
 * How a lock went that its owner had not released, as far as the command itself says it. What Redis deletes by itself, because it
 * expired or because memory is short, stands alone in the log, in capitals (`DEL`, or `UNLINK` with lazyfree-lazy-*): which of
 * the two it was, its time tells. ioredis writes in small letters; a script's deletion stands among its other commands.
 */
function endingOf(
  { verb, place }: LockDeletedEffect,
  lock: HeldLock | undefined,
  context: GroupContext,
): LockEnding | undefined {
  if (place.t !== undefined && lock?.expiresAtMs !== undefined && lock.expiresAtMs <= place.t) return 'expired';
  return context.isOneCommand === true && verb === verb.toUpperCase() ? undefined : 'deleted';
}

function dataOf(
  { text, expiresAtMs, lockMs, verb, ending, settings }: Details['data'],
  client: string | undefined,
): OwnEvent['data'] {
  const data: NonNullable<OwnEvent['data']> = {};
  if (text !== undefined) data.text = text;
  if (expiresAtMs !== undefined) data.expiresAtMs = expiresAtMs;
  if (lockMs !== undefined) data.lockMs = lockMs;
  if (verb !== undefined) data.verb = verb;
  if (ending !== undefined) data.ending = ending;
  if (settings !== undefined) data.settings = settings;
  if (client !== undefined) data.client = client;
  return Object.keys(data).length > 0 ? data : undefined;
}
