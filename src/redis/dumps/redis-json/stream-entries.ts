/** Entries of a stream in a dump: one object an entry (librdb), or one a node of the stream (HDT3213/rdb). */
import type { RdbStreamId } from '../../rdb/index.js';
import type { FedEntry } from '../key-feed.js';
import { parseStreamId } from '../stream-id.js';
import type { Built } from './child-stream.js';

/** Where an entry keeps its fields: librdb writes `items`, its documentation says `values`. */
const FIELD_MEMBERS = ['fields', 'items', 'values', 'message', 'body'] as const;

/** An id as text, or in its two parts. */
export function streamId(value: Built): RdbStreamId | undefined {
  if (typeof value === 'string') return parseStreamId(value);
  if (!(value instanceof Map)) return undefined;
  return parseStreamId(`${value.get('ms')}-${value.get('sequence') ?? value.get('seq')}`);
}

/** The entries that one element of the dump holds; deleted ones are kept by tools that read the nodes themselves. */
export function streamEntries(value: Built, toBytes: (text: string) => Buffer): readonly FedEntry[] {
  if (!(value instanceof Map)) return [];
  const messages = value.get('msgs');
  if (Array.isArray(messages)) return messages.flatMap((message: Built) => streamEntries(message, toBytes));
  const id = streamId(value.get('id'));
  const fields = FIELD_MEMBERS.map((member) => value.get(member)).find((found) => found instanceof Map);
  if (id === undefined || !(fields instanceof Map)) return [];
  const flat: Buffer[] = [];
  for (const [name, text] of fields) if (typeof text === 'string') flat.push(toBytes(name), toBytes(text));
  return [{ ...id, deleted: value.get('deleted') === 'true', flat }];
}
