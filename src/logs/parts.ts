/** Joins the pieces into which a container runtime splits long lines (16 KiB), each stream for itself. */
import type { Unwrapped } from './envelopes/envelopes.js';
import { MAX_LINE_BYTES } from './lines.js';

type OnWhole = (text: string, line: number, offset: number, wrapping: Unwrapped) => void;

interface Pieces {
  texts: string[];
  chars: number;
  /** Place and wrapping of the first piece: its time is when the line was written. */
  readonly line: number;
  readonly offset: number;
  readonly wrapping: Unwrapped;
}

export interface PartJoiner {
  line(text: string, line: number, offset: number, wrapping: Unwrapped): void;
  /** Gives out what never came to an end. */
  end(): void;
}

export function createPartJoiner(onWhole: OnWhole): PartJoiner {
  const waiting = new Map<string, Pieces>();

  function give(pieces: Pieces): void {
    onWhole(pieces.texts.join(''), pieces.line, pieces.offset, pieces.wrapping);
  }

  return {
    line(text, line, offset, wrapping) {
      const pieces = waiting.get(wrapping.key);
      if (!pieces && !wrapping.part) {
        onWhole(text, line, offset, wrapping);
        return;
      }
      const joined = pieces ?? { texts: [], chars: 0, line, offset, wrapping };
      if (joined.chars < MAX_LINE_BYTES) joined.texts.push(text);
      joined.chars += text.length;
      if (wrapping.part) waiting.set(wrapping.key, joined);
      else {
        waiting.delete(wrapping.key);
        give(joined);
      }
    },
    end() {
      for (const pieces of waiting.values()) give(pieces);
      waiting.clear();
    },
  };
}
