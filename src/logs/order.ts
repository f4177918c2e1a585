/**
 * Exports of log stores run newest first, or nearly in order. A stack trace that was collected line by line then stands on
 * its head. Entries of one moment are held until the moment is over, and go on in the order in which they were written.
 */
import type { TimeReader } from '../time/index.js';
import type { Unwrap, Unwrapped } from './envelopes/envelopes.js';
import { recordOf } from './formats/record-of.js';

/** Lines that are written together reach a store within this time of each other. */
const MOMENT_MS = 100;
const MAX_HELD = 1000;
const MAX_CHARS = 1 << 22;
const MAX_LOOKED_AT = 300;

/** Whether a source runs from its newest record to its oldest, seen in its first entries. */
export function isNewestFirst(first: readonly string[], unwrap: Unwrap, time: TimeReader): boolean {
  let earlier = 0;
  let later = 0;
  let exported = false;
  // A store may tell its times to the second only: a record's own time is compared with those of records.
  const last: { wrapped?: number; own?: number } = {};
  for (const text of first.slice(0, MAX_LOOKED_AT)) {
    const wrapped = unwrap(text);
    exported ||= wrapped?.anyOrder === true;
    const times = { wrapped: wrapped?.time?.t, own: recordOf(wrapped?.payload ?? text, { time })?.t };
    for (const kind of ['wrapped', 'own'] as const) {
      const t = times[kind];
      if (t === undefined) continue;
      const before = last[kind] ?? t;
      if (t < before) earlier++;
      else if (t > before) later++;
      last[kind] = t;
    }
  }
  // Lines of several processes cross each other by a little; of a file that is no export more must speak for it.
  return exported ? earlier > later : earlier > 2 * later + 2;
}

/** `place` as in `model/place.ts`. */
type OnEntry = (text: string, place: number, offset: number, wrapping: Unwrapped) => void;

interface Held {
  text: string;
  readonly place: number;
  readonly offset: number;
  readonly wrapping: Unwrapped;
  readonly t: number;
}

export interface OrderKeeper {
  entry: OnEntry;
  /** A further line of the entry that came last. False: it is gone already. */
  more(text: string): boolean;
  /** Gives out what is held. */
  flush(): void;
}

export function createOrderKeeper(newestFirst: boolean, give: OnEntry): OrderKeeper {
  let held: Held[] = [];
  let chars = 0;
  let last: number | undefined;

  function flush(): void {
    const moment = newestFirst ? held.reverse() : held;
    // Stable: what has one time stays in its order.
    moment.sort((a, b) => a.t - b.t);
    held = [];
    chars = 0;
    for (const { text, place, offset, wrapping } of moment) give(text, place, offset, wrapping);
  }

  return {
    entry(text, place, offset, wrapping) {
      const t = wrapping.time?.t;
      if (t === undefined) {
        flush();
        give(text, place, offset, wrapping);
        return;
      }
      const isOver = last !== undefined && Math.abs(t - last) > MOMENT_MS;
      last = t;
      if (isOver || held.length >= MAX_HELD || chars > MAX_CHARS) flush();
      held.push({ text, place, offset, wrapping, t });
      chars += text.length;
    },
    more(text) {
      const entry = held.at(-1);
      if (entry === undefined || entry.text.length > MAX_CHARS) return false;
      entry.text += `\n${text}`;
      return true;
    },
    flush,
  };
}
