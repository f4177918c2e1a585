import type { EventData, EventKind } from '../../model/event.js';

/** One event of a record, before time, place and process are added. */
export interface Finding {
  readonly kind: EventKind;
  readonly job?: string | undefined;
  readonly queue?: string | undefined;
  readonly prefix?: string | undefined;
  readonly token?: string | undefined;
  readonly data?: EventData | undefined;
}

/** Details of an event while they are collected. */
export type DataDraft = { -readonly [K in keyof EventData]: EventData[K] };

/** What was decided about a record. */
export interface Verdict {
  readonly kind: EventKind;
  readonly soft?: boolean | undefined;
  readonly command?: string | undefined;
}

export function orNone(data: DataDraft): EventData | undefined {
  for (const _ in data) return data;
  return undefined;
}
