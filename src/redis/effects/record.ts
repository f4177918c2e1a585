/** What a group of commands tells, before it has a time. */
import type { EvidenceEvent } from '../../model/event.js';
import type { Place } from './effect.js';

/** A record without its time, which the log may tell only further on. */
export interface Untimed {
  readonly place: Place;
  /** Complete but for `t` and `precision`. */
  readonly event: Omit<EvidenceEvent, 't' | 'precision'>;
  /** ms of the stream entry of the same group that is nearest. */
  readonly nearMs?: number;
  /** Lives that the lock, or intervals that the sweep, may have been given. */
  readonly lives: readonly number[];
}

export interface Timed {
  readonly entry: EvidenceEvent & { readonly t: number };
}
