/** Turns what readers find in one source into rows of the case file. */

import {
  CLOCK_KINDS,
  EVENT_KINDS,
  type EventData,
  type EvidenceEvent,
  PRECISIONS,
  type ProcessIdentity,
} from '../model/event.js';
import type { EvidenceSink } from '../model/evidence.js';
import {
  type AbsentFact,
  type ClockFact,
  type ConnectionFact,
  type CountFact,
  type Fact,
  type JobFact,
  type MemberFact,
  QUEUE_SETS,
  type ServerFact,
  type SnapshotFact,
} from '../model/fact.js';
import type { Interner } from './interner.js';
import type { RowWriter } from './row-buffer.js';
import type { RowTable } from './tables.js';

export type Writers = Readonly<Record<RowTable, RowWriter>>;

const codesOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, code) => [name, code]));
const KIND_CODES = codesOf(EVENT_KINDS);
const CLOCK_CODES = codesOf(CLOCK_KINDS);
const PRECISION_CODES = codesOf(PRECISIONS);
const SET_CODES = codesOf(QUEUE_SETS);

interface NamedQueue {
  readonly prefix?: string;
  readonly queue?: string;
  readonly db?: number;
}

/**
 * A queue under another prefix than `bull` keeps the prefix in its name: `{acme}:mail`. BullMQ names hold no colon. One of
 * another database than 0 says so, until `resolveQueues` finds that no other database has a queue of that name.
 */
export function queueText({ prefix, queue, db }: NamedQueue): string | undefined {
  const name = queue !== undefined && prefix !== undefined && prefix !== 'bull' ? `${prefix}:${queue}` : queue;
  return name === undefined || db === undefined || db === 0 ? name : `${name}${databaseMark(db)}`;
}

/** What is added to the name of a queue of that database. */
export const databaseMark = (db: number): string => ` [db ${db}]`;

export interface EvidenceWriter extends EvidenceSink {
  /** Events taken from this source so far. */
  readonly events: () => number;
}

/** A sink for the source with this id. */
export function createEvidenceWriter(
  source: number,
  writers: Writers,
  interner: Interner,
  nextProcessId: () => number,
): EvidenceWriter {
  let events = 0;
  const processes = new Map<string, number>();
  /** The same by reference: readers give one object for each process. */
  const knownIdentities = new WeakMap<ProcessIdentity, number>();
  /** Ids of details that a reader gives again and again, which it tells by freezing them. */
  const knownDetails = new WeakMap<EventData, number>();

  const processId = (identity: ProcessIdentity | undefined): number => {
    if (identity === undefined) return 0;
    const known = knownIdentities.get(identity);
    if (known !== undefined) return known;
    const { host, pid, name, container } = identity;
    const key = JSON.stringify([host, pid, name, container]);
    let id = processes.get(key);
    if (id === undefined) {
      id = nextProcessId();
      processes.set(key, id);
      writers.processes.push([id, source, host ?? null, pid ?? null, name ?? null, container ?? null]);
    }
    knownIdentities.set(identity, id);
    return id;
  };

  const dataId = (data: EventData | undefined): number => {
    if (data === undefined) return 0;
    const known = knownDetails.get(data);
    if (known !== undefined) return known;
    const id = interner.id(JSON.stringify(data));
    if (Object.isFrozen(data)) knownDetails.set(data, id);
    return id;
  };

  const jobWrite = (e: EvidenceEvent): void =>
    writers.writes.push([
      source,
      e.line,
      e.offset,
      PRECISION_CODES.get(e.precision) ?? 0,
      e.t ?? null,
      interner.id(queueText(e)),
      interner.job(e.job),
      interner.id(JSON.stringify(e.data?.write)),
    ]);

  const event = (e: EvidenceEvent): void => {
    if (e.kind === 'job-write') {
      jobWrite(e);
      return;
    }
    events++;
    writers.events.push([
      source,
      e.line,
      e.offset,
      KIND_CODES.get(e.kind) ?? 0,
      CLOCK_CODES.get(e.clock) ?? 0,
      PRECISION_CODES.get(e.precision) ?? 0,
      e.t ?? null,
      interner.id(queueText(e)),
      interner.job(e.job),
      // Records of a log always belong to some process, even when the line does not name it.
      e.clock === 'redis' ? 0 : processId(e.process ?? NAMELESS),
      interner.id(e.token),
      dataId(e.data),
    ]);
  };

  // Rows are written out in full: these are made by the million.
  const jobFact = (f: JobFact): void =>
    writers.job_facts.push([
      source,
      interner.id(queueText(f)),
      interner.job(f.job),
      f.offset,
      interner.id(f.name),
      f.timestamp ?? null,
      f.processedOn ?? null,
      f.finishedOn ?? null,
      f.attemptsStarted ?? null,
      f.attemptsMade ?? null,
      f.stalledCounter ?? null,
      f.maxAttempts ?? null,
      interner.id(f.processedBy),
      interner.id(f.failedReason),
      interner.id(f.deferredFailure),
      interner.id(f.progress === undefined ? undefined : JSON.stringify(f.progress)),
      f.hasReturnValue,
      interner.id(f.parentKey),
    ]);

  const memberFact = (f: MemberFact): void =>
    writers.members.push([
      source,
      interner.id(queueText(f)),
      interner.job(f.job),
      f.offset,
      SET_CODES.get(f.set) ?? 0,
      f.score ?? null,
    ]);

  const clockFact = ({ tokenPrefix, low, high, pairs }: ClockFact): void => {
    if (low) writers.worker_clocks.push([source, tokenPrefix, 'low', low.ms, low.offset, pairs]);
    if (high) writers.worker_clocks.push([source, tokenPrefix, 'high', high.ms, high.offset, pairs]);
  };

  const asked = (f: AbsentFact | CountFact | ServerFact | ConnectionFact): void => {
    if (f.type === 'server') {
      writers.server.push([source, f.offset, f.field, f.value]);
      return;
    }
    const queue = interner.id(queueText(f));
    if (f.type === 'absent')
      writers.absences.push([source, queue, interner.job(f.job), f.offset, f.what, f.whileActive === true]);
    else if (f.type === 'count') writers.counts.push([source, queue, f.offset, f.of, f.count]);
    else
      writers.connections.push([
        source,
        queue,
        f.offset,
        f.role,
        f.name ?? null,
        f.address,
        f.ageSeconds ?? null,
        f.idleSeconds ?? null,
        f.command ?? null,
      ]);
  };

  const snapshot = ({ momentMs, redisVersion, isPartial }: SnapshotFact): void => {
    const span = [momentMs?.[0] ?? null, momentMs?.[1] ?? null];
    if (isPartial) writers.askings.push([source, ...span]);
    else writers.snapshots.push([source, ...span, redisVersion ?? null]);
  };

  const fact = (f: Fact): void => {
    if (f.type === 'job') jobFact(f);
    else if (f.type === 'member') memberFact(f);
    else if (f.type === 'lock')
      writers.locks.push([
        source,
        interner.id(queueText(f)),
        interner.job(f.job),
        f.offset,
        interner.id(f.token),
        f.expiresAtMs ?? null,
      ]);
    else if (f.type === 'stream')
      writers.streams.push([
        source,
        interner.id(queueText(f)),
        f.offset,
        f.length,
        f.firstId ?? null,
        f.lastId ?? null,
        f.entriesAdded ?? null,
        f.maxDeletedId ?? null,
      ]);
    else if (f.type === 'meta') writers.meta.push([source, interner.id(queueText(f)), f.offset, f.field, f.value]);
    else if (f.type === 'snapshot') snapshot(f);
    else if (f.type === 'clock') clockFact(f);
    else asked(f);
  };

  return {
    event,
    fact,
    presence(span) {
      writers.presence.push([
        source,
        processId(span.process),
        span.fromMs,
        span.toMs,
        span.fromLine,
        span.toLine,
        span.lines,
      ]);
    },
    async settle() {
      // Appends are synchronous: nothing is pending between blocks.
    },
    events: () => events,
  };
}

const NAMELESS: ProcessIdentity = {};
