/** Reads one events stream of a snapshot: entries as events, deleted ones too, and its state as a fact. */
import type { EvidenceEvent } from '../model/event.js';
import type { StreamFact } from '../model/fact.js';
import { CustomEvents } from './custom-events.js';
import type { QueueName } from './keyspace.js';
import type { RdbStreamEntry, RdbStreamId, RdbStreamState, RdbValueSink } from './rdb/index.js';
import { entryToEvent } from './to-events.js';

export class StreamSink implements RdbValueSink {
  entries = 0;
  readonly custom = new CustomEvents();
  /** Milliseconds of the last id the stream ever gave. */
  lastMs = 0;
  readonly #name: QueueName;
  readonly #offset: number;
  readonly #onEvent: (event: EvidenceEvent) => void;
  readonly #onState: (fact: StreamFact) => void;

  constructor(
    name: QueueName,
    offset: number,
    onEvent: (event: EvidenceEvent) => void,
    onState: (fact: StreamFact) => void,
  ) {
    this.#name = name;
    this.#offset = offset;
    this.#onEvent = onEvent;
    this.#onState = onState;
  }

  /** Whether an event that BullMQ writes was among the entries. */
  get isOurs(): boolean {
    return this.entries > this.custom.total;
  }

  streamEntry(entry: RdbStreamEntry): void {
    this.entries++;
    const field = (name: string) => {
      for (let i = 0; i < entry.size; i++) if (entry.field(i).is(name)) return entry.value(i).text();
      return undefined;
    };
    const { ms, seq, deleted } = entry;
    const event = entryToEvent({ name: this.#name, ms, seq, offset: this.#offset, deleted }, field);
    if (event) this.#onEvent(event);
    else this.custom.count(field('event') ?? '', seq);
  }

  streamState({ length, first, last, maxDeleted, entriesAdded }: RdbStreamState): void {
    this.lastMs = last.ms;
    const firstId = idText(first);
    const lastId = idText(last);
    const maxDeletedId = idText(maxDeleted);
    this.#onState({
      type: 'stream',
      ...this.#name,
      offset: this.#offset,
      length,
      ...(firstId === undefined ? {} : { firstId }),
      ...(lastId === undefined ? {} : { lastId }),
      ...(entriesAdded === undefined || !Number.isSafeInteger(entriesAdded) ? {} : { entriesAdded }),
      ...(maxDeletedId === undefined ? {} : { maxDeletedId }),
    });
  }
}

/** `0-0` stands for no id. */
function idText(id: RdbStreamId | undefined): string | undefined {
  return id === undefined || (id.ms === 0 && id.seq === 0) ? undefined : `${id.ms}-${id.seq}`;
}
