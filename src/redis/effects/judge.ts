/**
 * What a group of effects means: one transaction of an append-only file, or one script and its lines in MONITOR.
 *
 * The rules, from BullMQ's Lua scripts (1 to 6; Bull 4 where it does the same):
 * - a lock that is set where the job is activated (`active` entry, `processedOn`) is acquired, elsewhere renewed;
 * - a lock that is deleted where the job leaves `active` is released by its owner; in a sweep it had expired before, and
 *   the server deletes it when the script looks;
 * - any other end of a lock is none of a worker's doing: expiry, eviction, or somebody's command.
 */
import type { EventData, EventKind } from '../../model/event.js';
import { DEFAULT_PREFIX, type JobName } from '../keyspace.js';
import type { Effect, Place } from './effect.js';
import { Lifetimes } from './lifetimes.js';
import { type HeldLock, LockBook } from './lock-book.js';
import type { QueueNames } from './queue-names.js';
import type { Timed, Untimed } from './record.js';
import { type Survey, survey } from './survey.js';

/** What is known about a group as a whole. */
export interface GroupContext {
  /** Address of the client. */
  readonly client?: string;
  /** Token that the script was given. */
  token?(job: string): string | undefined;
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

type Of<W extends Effect['what']> = Extract<Effect, { what: W }>;

/** Judges group after group, in the order of the log. */
export class Judge {
  readonly lifetimes = new Lifetimes();
  readonly locks = new LockBook();
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

  judge(effects: readonly Effect[], context: GroupContext = {}): void {
    const group = survey(effects, this.#names);
    /** Tokens under which jobs of this group were locked or released so far. */
    const tokens = new Map<string, string>();
    for (const [index, effect] of effects.entries()) {
      switch (effect.what) {
        case 'entry':
          this.#entry(effect, tokens, context);
          break;
        case 'custom-entry':
          this.#onCustom(effect.name, effect.seq);
          break;
        case 'lock-set':
          this.#lockSet(effect, index, group, tokens, context);
          break;
        case 'lock-expiry': {
          const lock = this.locks.get(effect.jobKey);
          if (lock) this.locks.set(effect.jobKey, { ...lock, expiresAtMs: effect.expiresAtMs });
          break;
        }
        case 'lock-deleted':
          this.#lockDeleted(effect, index, group, tokens, context);
          break;
        case 'job-deleted':
          this.#jobDeleted(effect, index, group, context);
          break;
        case 'sweep':
          this.#sweep(effect, index, group, context);
          break;
        case 'flushed':
          this.#flushed(effect, group.nearMs[index], context);
          break;
        case 'version':
          if (this.#names.owns(effect.base)) {
            const name = this.#names.note(effect.base);
            this.lifetimes.note(effect.base, name, 'version', effect.version, effect.offset);
          }
          break;
        default:
      }
    }
  }

  #entry({ base, event }: Of<'entry'>, tokens: Map<string, string>, { client }: GroupContext): void {
    const jobKey = `${base}:${event.job}`;
    // A sweep that moves the job has seen that its lock is gone.
    if (event.kind === 'stalled') this.locks.delete(jobKey);
    const token = WITH_LOCK.has(event.kind) ? tokens.get(jobKey) : undefined;
    const withToken = token === undefined ? event : { ...event, token };
    this.#tell({
      entry: client === undefined ? withToken : { ...withToken, data: { ...withToken.data, client } },
    });
  }

  #lockSet(
    effect: Of<'lock-set'>,
    index: number,
    group: Survey,
    tokens: Map<string, string>,
    { client }: GroupContext,
  ): void {
    const { jobKey, token, expiresAtMs, offset } = effect;
    const cut = this.#names.cut(jobKey, token);
    if (cut === undefined) return;
    const name = this.#names.note(cut.base);
    const before = this.locks.get(jobKey);
    const activeMs = group.activeMs.get(jobKey);
    const isActivation = group.activated.has(jobKey);
    let lifeMs = effect.lifeMs;
    if (lifeMs !== undefined) this.lifetimes.note(cut.base, name, 'lockDuration', String(lifeMs), offset);
    else if (activeMs !== undefined && expiresAtMs !== undefined) {
      lifeMs = expiresAtMs - activeMs;
      this.lifetimes.measure(cut.base, name, 'lockDuration', lifeMs, offset);
    }
    const known = lifeMs ?? before?.lifeMs;
    this.locks.set(jobKey, {
      token,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
      ...(known === undefined ? {} : { lifeMs: known }),
    });
    if (isActivation) tokens.set(jobKey, token);
    // Only a rewritten log has locks without expiry: the key as it stood, not something that happened.
    if (expiresAtMs === undefined && !isActivation) return;
    const taken = isActivation || (before !== undefined && before.token !== token);
    this.#tell(
      this.#record(taken ? 'lock-set' : 'lock-renewed', cut, effect, group.nearMs[index], {
        token,
        lives: lifeMs !== undefined ? [lifeMs] : this.#livesOf(before, cut.base),
        data: {
          ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
          ...(lifeMs === undefined ? {} : { lockMs: lifeMs }),
          ...(client === undefined ? {} : { client }),
        },
      }),
    );
  }

  #livesOf(lock: HeldLock | undefined, base: string): number[] {
    return lock?.lifeMs === undefined ? this.lifetimes.durations(base, 'lockDuration') : [lock.lifeMs];
  }

  #lockDeleted(
    effect: Of<'lock-deleted'>,
    index: number,
    group: Survey,
    tokens: Map<string, string>,
    context: GroupContext,
  ): void {
    const { jobKey, verb } = effect;
    const lock = this.locks.get(jobKey);
    const cut = this.#names.cut(jobKey, lock?.token);
    if (cut === undefined) return;
    this.locks.delete(jobKey);
    const released = group.left.has(jobKey) && group.sweep === undefined;
    if (!released && lock === undefined && !effect.existed) return;
    const token = lock?.token ?? (released ? context.token?.(cut.job) : undefined);
    if (released && token !== undefined) tokens.set(jobKey, token);
    const ending: EventData = {
      ...(lock?.expiresAtMs === undefined ? {} : { expiresAtMs: lock.expiresAtMs }),
      verb,
    };
    const { client } = context;
    this.#tell(
      this.#record(released ? 'lock-released' : 'lock-gone', cut, effect, group.nearMs[index], {
        token,
        data: { ...(released ? {} : ending), ...(client === undefined ? {} : { client }) },
      }),
    );
  }

  /** A client's own command took the job's hash away. */
  #jobDeleted(
    { jobKey, verb, ...place }: Of<'job-deleted'>,
    index: number,
    group: Survey,
    context: GroupContext,
  ): void {
    const cut = this.#names.cut(jobKey);
    if (cut === undefined) return;
    const { client } = context;
    const data = { verb, ...(client === undefined ? {} : { client }) };
    this.#tell(this.#record('removed', cut, place, group.nearMs[index], { data }));
  }

  #sweep(effect: Of<'sweep'>, index: number, group: Survey, { client }: GroupContext): void {
    const { base, expiresAtMs, intervalMs, throttled, offset } = effect;
    const name = this.#names.note(base);
    const entryMs = group.nearMs[index];
    if (intervalMs !== undefined) {
      this.lifetimes.note(base, name, 'stalledInterval', String(intervalMs), offset);
    } else if (entryMs !== undefined && expiresAtMs !== undefined) {
      this.lifetimes.measure(base, name, 'stalledInterval', expiresAtMs - entryMs, offset);
    }
    const text = throttled ? 'throttled' : group.moved > 0 ? `moved ${group.moved}` : undefined;
    this.#tell(
      this.#record('sweep', { base, job: '' }, effect, entryMs, {
        lives: this.lifetimes.durations(base, 'stalledInterval'),
        data: {
          ...(text === undefined ? {} : { text }),
          ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
          ...(client === undefined ? {} : { client }),
        },
      }),
    );
  }

  #flushed(effect: Of<'flushed'>, nearMs: number | undefined, { client }: GroupContext): void {
    for (const [jobKey, { token, expiresAtMs }] of this.locks.flush(effect.all)) {
      const cut = this.#names.cut(jobKey, token);
      if (cut === undefined) continue;
      const data = {
        verb: effect.verb,
        ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
        ...(client === undefined ? {} : { client }),
      };
      this.#tell(this.#record('lock-gone', cut, effect, nearMs, { token, data }));
    }
  }

  #record(
    kind: EventKind,
    { base, job }: JobName,
    place: Place,
    nearMs: number | undefined,
    more: { token?: string | undefined; data: EventData; lives?: readonly number[] },
  ): Untimed {
    const { prefix, queue } = this.#names.nameOf(base);
    const { line, offset } = place;
    return {
      place,
      event: {
        kind,
        clock: 'redis',
        line,
        offset,
        queue,
        ...(prefix === DEFAULT_PREFIX ? {} : { prefix }),
        ...(job === '' ? {} : { job }),
        ...(more.token === undefined ? {} : { token: more.token }),
        ...(Object.keys(more.data).length === 0 ? {} : { data: more.data }),
      },
      ...(nearMs === undefined ? {} : { nearMs }),
      lives: more.lives ?? [],
    };
  }
}
