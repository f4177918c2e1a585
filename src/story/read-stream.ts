/**
 * One job's entries of the events stream, cut into activations.
 *
 * Facts of BullMQ's scripts this rests on: `active` always says prev=waiting; a sweep writes `waiting prev=active` and then
 * `stalled` in one script; an automatic retry writes `waiting` or `delayed` and never `failed`; versions up to 5.58.5 write
 * prev=failed for it, so only a `failed` entry before it makes that a manual retry; up to 5.53.1 a sweep over the stall
 * limit fails the job itself, without a new activation.
 */
import type { EventKind } from '../model/event.js';
import type { StoredEvent } from '../model/stored.js';

export interface Activation {
  readonly active: StoredEvent;
  stalled?: StoredEvent;
  moved?: StoredEvent;
  completed?: StoredEvent;
  failed?: StoredEvent;
  readonly progress: StoredEvent[];
}

export interface StreamReading {
  readonly activations: readonly Activation[];
  readonly requeues: readonly StoredEvent[];
  /** `added` behind an end of a job of that id. */
  readonly rebirths: readonly StoredEvent[];
  readonly removed?: StoredEvent;
  readonly lateProgress: readonly StoredEvent[];
  /** `stalled` or an end before any activation that is still in the stream. */
  readonly early: readonly StoredEvent[];
}

/** BullMQ's texts for a job that stalled or started too often; the last is what Bull publishes. */
export const STALL_LIMIT_TEXT = /job (?:stalled|started) more than (?:allowable limit|maxStalledCount)/i;

const STREAM_KINDS: ReadonlySet<EventKind> = new Set([
  'added',
  'waiting',
  'active',
  'delayed',
  'waiting-children',
  'progress',
  'stalled',
  'completed',
  'failed',
  'removed',
]);

/** The entries among the records of one job, in stream order. Each event must stand there once (see routes.ts). */
export const streamEntries = (events: readonly StoredEvent[]): StoredEvent[] =>
  events
    .filter((event) => event.clock === 'redis' && event.t !== undefined && STREAM_KINDS.has(event.kind))
    .sort((a, b) => (a.t ?? 0) - (b.t ?? 0) || a.line - b.line);

/** Reads the entries of one job, in stream order. */
export function readStream(entries: readonly StoredEvent[]): StreamReading {
  const activations: Activation[] = [];
  const requeues: StoredEvent[] = [];
  const rebirths: StoredEvent[] = [];
  const lateProgress: StoredEvent[] = [];
  const early: StoredEvent[] = [];
  let removed: StoredEvent | undefined;
  /** The activation that still holds the job. */
  let open: Activation | undefined;
  let finished = false;

  entries.forEach((entry, n) => {
    const next = entries[n + 1];
    switch (entry.kind) {
      case 'added':
        if (finished) rebirths.push(entry);
        finished = false;
        break;
      case 'active':
        open = { active: entry, progress: [] };
        activations.push(open);
        finished = false;
        break;
      case 'stalled':
        if (open) open.stalled = entry;
        else if (activations.length === 0) early.push(entry);
        open = undefined;
        break;
      case 'waiting': {
        const prev = entry.data.prev;
        if (prev === 'completed' || (prev === 'failed' && finished)) requeues.push(entry);
        else if (open && next?.kind !== 'stalled' && prev !== 'delayed' && prev !== 'waiting-children') {
          open.moved = entry;
          open = undefined;
        }
        break;
      }
      case 'delayed':
      case 'waiting-children':
        if (open) {
          open.moved = entry;
          open = undefined;
        }
        break;
      case 'completed':
      case 'failed':
        if (open) {
          if (entry.kind === 'completed') open.completed = entry;
          else open.failed = entry;
        } else if (activations.length === 0) early.push(entry);
        open = undefined;
        finished = true;
        break;
      case 'progress':
        if (open) open.progress.push(entry);
        else lateProgress.push(entry);
        break;
      case 'removed':
        removed = entry;
        break;
      default:
        break;
    }
  });
  return { activations, requeues, rebirths, lateProgress, early, ...(removed ? { removed } : {}) };
}
