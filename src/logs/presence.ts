/** Spans in which a process was heard of. Silence is claimed from their gaps, so every timed line counts. */
import { PRESENCE_GAP_MS, type PresenceSpan, type ProcessIdentity } from '../model/event.js';

interface Span {
  fromMs: number;
  toMs: number;
  fromLine: number;
  toLine: number;
  lines: number;
}

export interface PresenceBook {
  /** A timed line of a process; `identity` is compared by reference. */
  seen(identity: ProcessIdentity, t: number, line: number): void;
  end(): void;
}

export function createPresenceBook(give: (span: PresenceSpan) => void): PresenceBook {
  const spans = new Map<ProcessIdentity, Span>();
  return {
    seen(identity, t, line) {
      const span = spans.get(identity);
      // Exports come newest first too: a span grows at either end.
      if (span && t <= span.toMs + PRESENCE_GAP_MS && t >= span.fromMs - PRESENCE_GAP_MS) {
        if (t >= span.toMs) {
          span.toMs = t;
          span.toLine = line;
        } else if (t <= span.fromMs) {
          span.fromMs = t;
          span.fromLine = line;
        }
        span.lines++;
        return;
      }
      if (span) give({ process: identity, ...span });
      spans.set(identity, { fromMs: t, toMs: t, fromLine: line, toLine: line, lines: 1 });
    },
    end() {
      for (const [process, span] of spans) give({ process, ...span });
      spans.clear();
    },
  };
}
