/** What a group of commands tells. */
import type { EvidenceEvent } from '../../model/event.js';
import type { OwnEvent, Place } from './effect.js';

/** An entry of an events stream, whose id is its time. */
export interface Timed {
  readonly entry: EvidenceEvent;
  /** ms of the id. */
  readonly ms: number;
}

/** A record whose time the log may tell only further on. */
export interface Untimed {
  readonly place: Place;
  /** Complete but for `t` and `precision`. */
  readonly event: OwnEvent;
  /** ms of the stream entry of the same group that is nearest. */
  readonly nearMs: number | undefined;
  /** Lives that the lock, or intervals that the sweep, may have been given. */
  readonly lives: readonly number[];
}
