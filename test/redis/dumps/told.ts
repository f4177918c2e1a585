/** What two readers told about the same server, made comparable. */
import type { EvidenceEvent } from '../../../src/model/event.js';
import type { Fact } from '../../../src/model/fact.js';
import type { Collected } from '../collect.js';

export interface Told {
  readonly facts: readonly string[];
  readonly events: readonly string[];
}

const text = ({ offset, ...rest }: Exclude<Fact, { type: 'snapshot' | 'clock' }> | EvidenceEvent): string =>
  JSON.stringify(Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))));

/** Facts in a fixed order, events in that of their stream; without offsets, the snapshot's own moment, and entries that are deleted. */
export function told({ facts, events }: Collected): Told {
  return {
    facts: facts.flatMap((fact) => (fact.type === 'snapshot' || fact.type === 'clock' ? [] : [text(fact)])).sort(),
    events: events
      .filter(({ data }) => data?.deleted !== true)
      .sort((a, b) => ((a.queue ?? '') < (b.queue ?? '') ? -1 : Number(a.queue !== b.queue)))
      .map(text),
  };
}
