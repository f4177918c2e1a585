/**
 * What one command of a log did to a queue. Commands of an append-only file and lines of MONITOR come down to the same
 * effects; what a group of them means is read in `judge.ts`.
 */
import type { EventData, EvidenceEvent } from '../../model/event.js';
import type { QueueName } from '../keyspace.js';

/** Where a command stands, and when it ran if the log says so. */
export interface Place {
  /** Number of the command in an append-only file, or of the line in a MONITOR capture; from 1. */
  readonly line: number;
  readonly offset: number;
  /** ms on Redis' clock; absent where the log has no time for it. */
  readonly t?: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An event that is still being put together: it belongs to whoever holds it. */
export interface OwnEvent extends Mutable<Omit<EvidenceEvent, 'data'>> {
  data?: Mutable<EventData>;
}

interface Placed {
  readonly place: Place;
}

interface OfJob extends Placed {
  readonly jobKey: string;
}

interface OfQueue extends Placed {
  /** `<prefix>:<queue>`. */
  readonly base: string;
}

export interface EntryEffect extends OfQueue {
  readonly what: 'entry';
  readonly name: QueueName;
  /** ms of its id. */
  readonly ms: number;
  readonly event: OwnEvent;
}

/** An entry of an events stream that BullMQ does not write. */
export interface CustomEntryEffect extends Placed {
  readonly what: 'custom-entry';
  readonly name: string;
  readonly seq: number;
}

export interface LockSetEffect extends OfJob {
  readonly what: 'lock-set';
  readonly token: string;
  readonly expiresAtMs: number | undefined;
  /** The life it was given, where the command says it. */
  readonly lifeMs: number | undefined;
}

/** The expiry of a lock was set on its own. */
export interface LockExpiryEffect extends OfJob {
  readonly what: 'lock-expiry';
  readonly expiresAtMs: number;
}

export interface LockDeletedEffect extends OfJob {
  readonly what: 'lock-deleted';
  /** As written. */
  readonly verb: string;
  /** The command shows that there was such a key. */
  readonly existed: boolean;
}

/** A client, not a script, deleted a key that may be a job's. */
export interface JobDeletedEffect extends OfJob {
  readonly what: 'job-deleted';
  readonly verb: string;
}

/** The job was taken out of `active`. */
export interface LeftActiveEffect extends OfJob {
  readonly what: 'left-active';
}

/** `processedOn` was written, so the job was activated; or `finishedOn`. */
export interface StampEffect extends OfJob {
  readonly what: 'processed' | 'finished';
  /** ms on the worker's clock; -1 where it is no time. */
  readonly stampMs: number;
}

export interface SweepEffect extends OfQueue {
  readonly what: 'sweep';
  readonly expiresAtMs: number | undefined;
  readonly intervalMs: number | undefined;
  /** It found that another sweep had run less than an interval ago, and did nothing. */
  readonly throttled: boolean;
}

/** All keys of a database, or of all databases, were deleted. */
export interface FlushedEffect extends Placed {
  readonly what: 'flushed';
  readonly verb: string;
  readonly all: boolean;
}

/** A version of the library was written into the queue's meta. */
export interface VersionEffect extends OfQueue {
  readonly what: 'version';
  readonly version: string;
}

/** A job scheduler was set up or changed. */
export interface SchedulerEffect extends OfQueue {
  readonly what: 'scheduler';
  /** As scheduler-template.ts tells it. */
  readonly template: string;
}

/** A command that only this library issues. */
export interface LibraryEffect extends OfQueue {
  readonly what: 'library';
  readonly library: 'bull';
}

/** A job was put into a list or set of its queue; told of Bull's queues only, whose scripts do not say it otherwise. */
export interface PutEffect extends OfQueue {
  readonly what: 'put';
  readonly job: string;
  readonly into: 'waiting' | 'delayed';
  readonly dueMs?: number;
}

/** A job of Bull was taken out of the set of those that had ended. */
export interface UnfinishedEffect extends OfJob {
  readonly what: 'unfinished';
  readonly from: 'completed' | 'failed';
}

export type Effect =
  | EntryEffect
  | CustomEntryEffect
  | LockSetEffect
  | LockExpiryEffect
  | LockDeletedEffect
  | JobDeletedEffect
  | LeftActiveEffect
  | StampEffect
  | SweepEffect
  | FlushedEffect
  | VersionEffect
  | LibraryEffect
  | SchedulerEffect
  | PutEffect
  | UnfinishedEffect;
