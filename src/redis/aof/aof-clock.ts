/**
 * Gives times to the records of an append-only file, which has none of its own for most commands.
 *
 * What there is: ids of stream entries (exact, for all of their transaction), `#TS:` lines where the server writes them
 * (a second), and the expiry of a lock or sweep mark, which lies one life or interval after the command (exact, once that
 * life is known). A record without an entry is held back until the next known time bounds it from above, so that a life
 * that does not fit (a lock extended by hand) is not taken for one that does.
 */
import type { EvidenceEvent, LockEnding } from '../../model/event.js';
import type { OwnEvent } from '../effects/effect.js';
import type { Timed, Untimed } from '../effects/record.js';

/** The id of an entry, an expiry and a `#TS:` line are read off the clock one after another, not at once. */
const SLACK_MS = 5;
/** The clock goes on within a script, and times are cut to whole milliseconds. */
const ROUNDING_MS = 1;
/** A `#TS:` line can be late by a tick of the server's own clock. */
const ANNOTATION_SLACK_MS = 100;
const MAX_HELD = 10_000;

/** 2001 to 2286: ids that people choose themselves are mostly outside. */
const isPlausible = (ms: number): boolean => ms >= 1e12 && ms < 1e13;

export class AofClock {
  readonly #emit: (event: EvidenceEvent) => void;
  /** The latest time that is known to be past. */
  #lastMs: number | undefined;
  #firstMs: number | undefined;
  /** Start of the second that the last annotation told. */
  #secondMs: number | undefined;
  #held: Untimed[] = [];

  constructor(emit: (event: EvidenceEvent) => void) {
    this.#emit = emit;
  }

  /** Start of a snapshot that the log continues, ms. */
  startAt(ms: number): void {
    this.#advance(ms);
  }

  /** From the first to the last moment that the commands tell, ms. */
  get windowMs(): readonly [number, number] | undefined {
    return this.#firstMs === undefined || this.#lastMs === undefined ? undefined : [this.#firstMs, this.#lastMs];
  }

  annotation(seconds: number): void {
    const ms = seconds * 1000;
    if (!isPlausible(ms)) return;
    this.#release(ms + ANNOTATION_SLACK_MS);
    this.#secondMs = ms;
    this.#advance(ms);
  }

  take(record: Timed | Untimed): void {
    if ('entry' in record) {
      this.#reach(record.ms);
      this.#emit(record.entry);
    } else if (record.nearMs !== undefined) {
      this.#reach(record.nearMs);
      if (mayBeExpiry(record.event, record.nearMs + ROUNDING_MS)) tellEnding(record.event, 'expired');
      this.#emit(at(record.event, record.nearMs));
    } else {
      this.#held.push(record);
      if (this.#held.length >= MAX_HELD) this.#release(Number.POSITIVE_INFINITY);
    }
  }

  /** To be called once, after the last record. */
  end(): void {
    this.#release(Number.POSITIVE_INFINITY);
  }

  #reach(ms: number): void {
    if (!isPlausible(ms)) return;
    this.#release(ms + SLACK_MS);
    this.#advance(ms);
  }

  #advance(ms: number): void {
    this.#firstMs ??= ms;
    if (this.#lastMs === undefined || ms > this.#lastMs) this.#lastMs = ms;
  }

  #release(untilMs: number): void {
    if (this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    const second =
      this.#secondMs === undefined ? Number.POSITIVE_INFINITY : this.#secondMs + 1000 + ANNOTATION_SLACK_MS;
    const bounds = this.#boundsOf(held, Math.min(untilMs, second));
    held.forEach((record, n) => {
      this.#emit(this.#dated(record, bounds[n] ?? untilMs));
    });
  }

  /** Until when each record was written at the latest: those behind it that have a time of their own say so, too. */
  #boundsOf(held: readonly Untimed[], untilMs: number): number[] {
    const bounds = new Array<number>(held.length).fill(untilMs);
    let bound = untilMs;
    for (let n = held.length - 1; n >= 0; n--) {
      bounds[n] = bound;
      const record = held[n];
      const ms = record && this.#writtenAt(record, bound);
      if (ms !== undefined) bound = Math.min(bound, ms + SLACK_MS);
    }
    return bounds;
  }

  /** The one life that fits tells when a lock or sweep mark was set, ms. */
  #writtenAt({ event, lives }: Untimed, untilMs: number): number | undefined {
    const expiresAtMs = event.data?.expiresAtMs;
    if (expiresAtMs === undefined || event.kind === 'lock-gone') return undefined;
    const fromMs = (this.#lastMs ?? 0) - SLACK_MS;
    const fitting = lives.filter((life) => expiresAtMs - life >= fromMs && expiresAtMs - life <= untilMs);
    return fitting.length === 1 && fitting[0] !== undefined ? expiresAtMs - fitting[0] : undefined;
  }

  #dated(record: Untimed, untilMs: number): EvidenceEvent {
    const { event } = record;
    const expiresAtMs = event.data?.expiresAtMs;
    if (expiresAtMs === undefined) return this.#undated(event);
    if (event.kind === 'lock-gone') {
      const ofItself = event.data?.ending === undefined && isOfRedis(event);
      if (ofItself && expiresAtMs <= untilMs) {
        // At the end of the log nothing tells whether the life was over by then.
        if (untilMs < Number.POSITIVE_INFINITY) tellEnding(event, 'expired');
        return at(event, expiresAtMs);
      }
      if (ofItself) tellEnding(event, 'evicted');
      return this.#undated(event);
    }
    const ms = this.#writtenAt(record, untilMs);
    if (ms === undefined) return this.#undated(event);
    this.#advance(ms);
    if (event.kind !== 'sweep' && event.data) event.data.lockMs = expiresAtMs - ms;
    return at(event, ms);
  }

  #undated(event: OwnEvent): EvidenceEvent {
    if (this.#lastMs !== undefined) event.t = this.#lastMs;
    event.precision = this.#secondMs === undefined ? 'none' : 's';
    return event;
  }
}

/** Redis writes its own deletions in capitals. */
const isOfRedis = (event: OwnEvent): boolean => event.data?.verb === 'DEL' || event.data?.verb === 'UNLINK';

/**
 * A deletion that may be an expiry that was noticed late: it is of Redis, and the life of the lock was over. Before that it was
 * an eviction (alone in the log) or a script's work.
 */
const mayBeExpiry = (event: OwnEvent, byMs: number): boolean =>
  event.kind === 'lock-gone' && isOfRedis(event) && (event.data?.expiresAtMs ?? Number.POSITIVE_INFINITY) <= byMs;

function tellEnding(event: OwnEvent, ending: LockEnding): void {
  event.data ??= {};
  event.data.ending = ending;
}

function at(event: OwnEvent, ms: number): EvidenceEvent {
  event.t = ms;
  event.precision = 'ms';
  return event;
}
