/**
 * Gives times to the records of an append-only file, which has none of its own for most commands.
 *
 * What there is: ids of stream entries (exact, for all of their transaction), `#TS:` lines where the server writes them
 * (a second), and the expiry of a lock or sweep mark, which lies one life or interval after the command (exact, once that
 * life is known). A record without an entry is held back until the next known time bounds it from above, so that a life
 * that does not fit (a lock extended by hand) is not taken for one that does.
 */
import type { EvidenceEvent } from '../../model/event.js';
import type { OwnEvent } from '../effects/effect.js';
import type { Timed, Untimed } from '../effects/record.js';

/** The id of an entry, an expiry and a `#TS:` line are read off the clock one after another, not at once. */
const SLACK_MS = 5;
/** A `#TS:` line can be late by a tick of the server's own clock. */
const ANNOTATION_SLACK_MS = 100;
const MAX_HELD = 10_000;

/** 2001 to 2286: ids that people choose themselves are mostly outside. */
const isPlausible = (ms: number): boolean => ms >= 1e12 && ms < 1e13;

export class AofClock {
  readonly #emit: (event: EvidenceEvent) => void;
  /** The latest time that is known to be past. */
  #lastMs: number | undefined;
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
    if (this.#lastMs === undefined || ms > this.#lastMs) this.#lastMs = ms;
  }

  #release(untilMs: number): void {
    if (this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    const second =
      this.#secondMs === undefined ? Number.POSITIVE_INFINITY : this.#secondMs + 1000 + ANNOTATION_SLACK_MS;
    for (const record of held) this.#emit(this.#dated(record, Math.min(untilMs, second)));
  }

  #dated({ event, lives }: Untimed, untilMs: number): EvidenceEvent {
    const expiresAtMs = event.data?.expiresAtMs;
    if (expiresAtMs === undefined) return this.#undated(event);
    if (event.kind === 'lock-gone') {
      const t = this.#endOfLock(expiresAtMs, event.data?.verb, untilMs);
      return t === undefined ? this.#undated(event) : at(event, t);
    }
    const fromMs = (this.#lastMs ?? 0) - SLACK_MS;
    const fitting = lives.filter((life) => expiresAtMs - life >= fromMs && expiresAtMs - life <= untilMs);
    const life = fitting[0];
    if (life === undefined || fitting.length > 1) return this.#undated(event);
    this.#advance(expiresAtMs - life);
    if (event.kind !== 'sweep' && event.data) event.data.lockMs = life;
    return at(event, expiresAtMs - life);
  }

  /**
   * When a lock that the server itself deleted ended, if it lived its full life: at its expiry, to the ms, even where the
   * key was deleted later. Undefined where it was deleted before, by an eviction or a client.
   */
  #endOfLock(expiresAtMs: number, verb: string | undefined, untilMs: number): number | undefined {
    return verb === 'DEL' && expiresAtMs <= untilMs ? expiresAtMs : undefined;
  }

  #undated(event: OwnEvent): EvidenceEvent {
    if (this.#lastMs !== undefined) event.t = this.#lastMs;
    event.precision = this.#secondMs === undefined ? 'none' : 's';
    return event;
  }
}

function at(event: OwnEvent, ms: number): EvidenceEvent {
  event.t = ms;
  event.precision = 'ms';
  return event;
}
