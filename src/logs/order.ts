/**
 * Exports of log stores run newest first, or nearly in order. A stack trace that was collected line by line then stands on
 * its head. Entries of one moment are held until the moment is over, and go on in the order in which they were written.
 */
import type { Unwrapped } from './envelopes/envelopes.js';

/** Lines that are written together reach a store within this time of each other. */
const MOMENT_MS = 100;
const MAX_HELD = 1000;
const MAX_CHARS = 1 << 22;

type OnEntry = (text: string, line: number, offset: number, wrapping: Unwrapped) => void;

interface Held {
  text: string;
  readonly line: number;
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
  /** Whether the source runs from its newest entry to its oldest. */
  newestFirst(): boolean;
}

export function createOrderKeeper(give: OnEntry): OrderKeeper {
  let held: Held[] = [];
  let chars = 0;
  /** How often an entry was earlier, or later, than the one before it. */
  let earlier = 0;
  let later = 0;
  let last: number | undefined;

  function flush(): void {
    const moment = earlier > later ? held.reverse() : held;
    // Stable: what has one time stays in its order.
    moment.sort((a, b) => a.t - b.t);
    held = [];
    chars = 0;
    for (const { text, line, offset, wrapping } of moment) give(text, line, offset, wrapping);
  }

  return {
    entry(text, line, offset, wrapping) {
      const t = wrapping.time?.t;
      if (t === undefined) {
        flush();
        give(text, line, offset, wrapping);
        return;
      }
      if (last !== undefined && t < last) earlier++;
      else if (last !== undefined && t > last) later++;
      const isOver = last !== undefined && Math.abs(t - last) > MOMENT_MS;
      last = t;
      if (isOver || held.length >= MAX_HELD || chars > MAX_CHARS) flush();
      held.push({ text, line, offset, wrapping, t });
      chars += text.length;
    },
    more(text) {
      const entry = held.at(-1);
      if (entry === undefined || entry.text.length > MAX_CHARS) return false;
      entry.text += `\n${text}`;
      return true;
    },
    flush,
    newestFirst: () => earlier > later,
  };
}
