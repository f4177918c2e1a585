/**
 * Entries of an events stream as events.
 *
 * Names and fields: BullMQ 1 to 6, `XADD <queue>:events` in its Lua scripts. Bull 4 stores no events; its names are the
 * same where they exist. Return values and payloads are never taken over.
 */
import type { EventData, EventKind, EvidenceEvent } from '../model/event.js';
import { DEFAULT_PREFIX, type QueueName } from './keyspace.js';

/** Event names of BullMQ and what they are here. Publishers may add names of their own; those are no evidence. */
const KINDS: Readonly<Record<string, EventKind>> = {
  added: 'added',
  waiting: 'waiting',
  active: 'active',
  delayed: 'delayed',
  'waiting-children': 'waiting-children',
  progress: 'progress',
  stalled: 'stalled',
  completed: 'completed',
  failed: 'failed',
  'retries-exhausted': 'retries-exhausted',
  removed: 'removed',
  duplicated: 'duplicated',
  deduplicated: 'duplicated',
  debounced: 'duplicated',
  paused: 'paused',
  resumed: 'resumed',
  cleaned: 'cleaned',
  drained: 'drained',
};

/** Events about the queue as a whole; all others name a job. */
const WITHOUT_JOB: ReadonlySet<EventKind> = new Set(['paused', 'resumed', 'cleaned', 'drained']);

const MAX_TEXT = 300;
const MAX_PREV = 40;
const MAX_NAME = 200;
const MAX_PROGRESS_JSON = 4096;

/** Members of a progress object that say how far a job is, the most telling first. */
const PROGRESS_MEMBERS = [
  'percent',
  'percentage',
  'pct',
  'progress',
  'step',
  'stage',
  'phase',
  'checkpoint',
  'current',
  'processed',
  'done',
] as const;
const NUMERIC = /^-?\d+(\.\d+)?%?$/;
/** A name someone chose, not something someone wrote: no spaces, no '@', short. */
const SHORT_NAME = /^[\p{L}\p{N}_.:/#-]{1,40}$/u;

/** Looks up one field of an entry by name; undefined where the entry has none. */
export type FieldLookup = (name: string) => string | undefined;

/** Where an entry stands. `offset` is that of its key in the snapshot, or -1. */
export interface EntryPlace {
  /** Absent where a dump does not tell. */
  readonly name?: QueueName;
  readonly ms: number;
  readonly seq: number;
  readonly offset: number;
  readonly deleted: boolean;
}

/** One line of text, at most 300 characters, never cut within a character. */
export function oneLine(text: string, limit: number = MAX_TEXT): string {
  const start = text.length > 2 * limit ? text.slice(0, 2 * limit) : text;
  const line = start.includes('\n') || start.includes('\r') ? start.replace(/\s*[\r\n]+\s*/g, ' ') : start;
  if (line.length <= limit) return line;
  const last = line.charCodeAt(limit - 1);
  return line.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}

/**
 * What a progress payload (JSON text) says about how far a job is: a number, or a short name of a step. Anything else is
 * the application's own data and stays out.
 */
export function progressOf(json: string): number | string | undefined {
  if (json === '' || json.length > MAX_PROGRESS_JSON) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return NUMERIC.test(json) ? Number.parseFloat(json) : undefined;
  }
  if (typeof value !== 'object' || value === null) return shortProgress(value);
  const members = new Map(Object.entries(value));
  for (const member of PROGRESS_MEMBERS) {
    const found = shortProgress(members.get(member));
    if (found !== undefined) return found;
  }
  return undefined;
}

function shortProgress(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (NUMERIC.test(value)) return Number.parseFloat(value);
  return SHORT_NAME.test(value) ? value : undefined;
}

/**
 * An entry of an events stream as an event on Redis' clock; undefined for names that BullMQ does not write, and for job
 * events that name no job. `t` and `line` are the two parts of the stream id.
 */
export function entryToEvent(place: EntryPlace, field: FieldLookup): EvidenceEvent | undefined {
  const event = field('event');
  const kind = event !== undefined && Object.hasOwn(KINDS, event) ? KINDS[event] : undefined;
  if (kind === undefined) return undefined;
  const job = field('jobId');
  if (!job && !WITHOUT_JOB.has(kind)) return undefined;
  const data = entryData(kind, field, place.deleted);
  return {
    kind,
    clock: 'redis',
    t: place.ms,
    precision: 'ms',
    line: place.seq,
    offset: place.offset,
    ...(place.name ? { queue: place.name.queue } : {}),
    ...(place.name && place.name.prefix !== DEFAULT_PREFIX ? { prefix: place.name.prefix } : {}),
    ...(place.name?.db === undefined ? {} : { db: place.name.db }),
    ...(job ? { job } : {}),
    ...(data ? { data } : {}),
  };
}

function entryData(kind: EventKind, field: FieldLookup, deleted: boolean): EventData | undefined {
  const data: { -readonly [K in keyof EventData]: EventData[K] } = {};
  const prev = field('prev');
  if (prev) data.prev = prev.slice(0, MAX_PREV);
  switch (kind) {
    case 'added': {
      const name = field('name');
      if (name !== undefined) data.jobName = oneLine(name, MAX_NAME);
      break;
    }
    case 'delayed': {
      // Absolute ms; versions up to 5.1 wrote a fraction that is a tie counter.
      const due = Math.floor(Number(field('delay') ?? Number.NaN));
      if (Number.isFinite(due)) data.dueMs = due;
      break;
    }
    case 'progress': {
      const progress = progressOf(field('data') ?? '');
      if (progress !== undefined) data.progress = progress;
      break;
    }
    case 'failed': {
      const reason = field('failedReason');
      if (reason !== undefined) data.text = oneLine(reason);
      break;
    }
    case 'retries-exhausted': {
      const attempts = Number(field('attemptsMade') ?? Number.NaN);
      if (Number.isFinite(attempts)) data.attempt = attempts;
      break;
    }
    default:
  }
  if (deleted) data.deleted = true;
  return Object.keys(data).length > 0 ? data : undefined;
}
