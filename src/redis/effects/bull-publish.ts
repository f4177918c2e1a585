/**
 * Bull (3 and 4) stores no events: it publishes them, and only a MONITOR capture sees that.
 *
 * Channels are `<prefix>:<queue>:<event>`, with `@<token>` behind those that a Queue instance publishes for itself: behind
 * `active` it is the token of the worker that took the job. Messages are the job's id, or JSON with it: `{jobId, val}` of
 * `completed` and `failed`, `{jobId, progress}` of `progress` (Bull 4.15, lib/commands and lib/scripts.js).
 */
import type { EventKind } from '../../model/event.js';
import { DEFAULT_PREFIX } from '../keyspace.js';
import { oneLine, progressOf } from '../to-events.js';
import type { CommandArgs } from './command-args.js';
import type { EntryEffect, OwnEvent, Place } from './effect.js';
import type { QueueNames } from './queue-names.js';

const KINDS: Readonly<Record<string, EventKind>> = {
  waiting: 'waiting',
  active: 'active',
  stalled: 'stalled',
  completed: 'completed',
  failed: 'failed',
  progress: 'progress',
  duplicated: 'duplicated',
  debounced: 'duplicated',
  drained: 'drained',
  paused: 'paused',
  resumed: 'resumed',
};
const WITHOUT_JOB: ReadonlySet<EventKind> = new Set(['drained', 'paused', 'resumed']);
/** Channels that carry no token belong to other programs as likely as to Bull, unless their message is Bull's. */
const CHANNEL = /^(.+:[^:]+):([a-z]+)(?:@([0-9a-f-]{0,40}))?$/;
const MAX_MESSAGE = 64 * 1024;
const MAX_ID = 512;

/** The event that a PUBLISH is; undefined if it is none of Bull's. */
export function readPublish(args: CommandArgs, place: Place, names: QueueNames): EntryEffect | undefined {
  if (place.t === undefined || args.count !== 3 || args.size(1) > MAX_ID * 2) return undefined;
  const [, base = '', word = '', token] = CHANNEL.exec(args.text(1)) ?? [];
  const kind = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined;
  if (kind === undefined || !names.owns(base) || !names.takes(base)) return undefined;
  const message = readMessage(args.size(2) > MAX_MESSAGE ? '' : args.text(2), kind, token !== undefined);
  if (message === undefined) return undefined;
  const name = names.note(base);
  const ms = Math.floor(place.t);
  const event: OwnEvent = { kind, clock: 'redis', t: ms, precision: 'ms', line: place.line, offset: place.offset };
  event.queue = name.queue;
  if (name.prefix !== DEFAULT_PREFIX) event.prefix = name.prefix;
  if (name.db !== undefined) event.db = name.db;
  if (message.job !== undefined) event.job = message.job;
  // Behind other events it is the token of whoever added the job.
  if (kind === 'active' && token) event.token = token;
  if (message.progress !== undefined) event.data = { progress: message.progress };
  if (message.text !== undefined) event.data = { text: message.text };
  return { what: 'entry', place, base, name, ms, event };
}

interface Message {
  readonly job?: string;
  readonly progress?: number | string;
  readonly text?: string;
}

function readMessage(text: string, kind: EventKind, hasToken: boolean): Message | undefined {
  if (WITHOUT_JOB.has(kind)) return {};
  if (kind !== 'completed' && kind !== 'failed' && kind !== 'progress') {
    return hasToken && text !== '' && text.length <= MAX_ID ? { job: text } : undefined;
  }
  if (kind === 'progress' && !text.startsWith('{')) return readOldProgress(text);
  const members = membersOf(text);
  const id = members?.get('jobId');
  if (members === undefined || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  const job = String(id);
  if (kind === 'progress') {
    const progress = progressOf(JSON.stringify(members.get('progress') ?? null));
    return { job, ...(progress === undefined ? {} : { progress }) };
  }
  const value = members.get('val');
  // What a job returned is the application's own; why it failed is said.
  return { job, ...(kind === 'failed' && typeof value === 'string' ? { text: oneLine(value) } : {}) };
}

/** Bull 3 publishes `<id>,<progress as JSON>`. */
function readOldProgress(text: string): Message | undefined {
  const comma = text.indexOf(',');
  if (comma <= 0 || comma > MAX_ID) return undefined;
  const progress = progressOf(text.slice(comma + 1));
  return { job: text.slice(0, comma), ...(progress === undefined ? {} : { progress }) };
}

function membersOf(text: string): ReadonlyMap<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}
