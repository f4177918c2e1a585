/** A run while it is put together. */
import type { StoredEvent } from '../model/stored.js';
import type { Run } from './story.js';

export type Draft = { -readonly [K in keyof Run]: Run[K] extends readonly StoredEvent[] ? StoredEvent[] : Run[K] };

/** Of one log the place decides, else the time. */
export const isAtOrAfter = (event: StoredEvent, start: StoredEvent): boolean =>
  event.source === start.source ? event.line >= start.line : (event.t ?? 0) >= (start.t ?? 0);
