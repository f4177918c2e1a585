/** Turns what readers find in one source into rows of the case file. */

import { CLOCK_KINDS, EVENT_KINDS, type EvidenceEvent, PRECISIONS, type ProcessIdentity } from '../model/event.js';
import type { EvidenceSink } from '../model/evidence.js';
import { type Fact, type JobFact, type MemberFact, QUEUE_SETS } from '../model/fact.js';
import type { Interner } from './interner.js';
import type { TableWriter } from './table-writer.js';
import type { TableName } from './tables.js';

export type Writers = Readonly<Record<TableName, TableWriter>>;

const codesOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, code) => [name, code]));
const KIND_CODES = codesOf(EVENT_KINDS);
const CLOCK_CODES = codesOf(CLOCK_KINDS);
const PRECISION_CODES = codesOf(PRECISIONS);
const SET_CODES = codesOf(QUEUE_SETS);

/** A queue under another prefix than `bull` keeps the prefix in its name: `{acme}:mail`. BullMQ names hold no colon. */
export function queueText(prefix: string | undefined, queue: string | undefined): string | undefined {
  return queue !== undefined && prefix !== undefined && prefix !== 'bull' ? `${prefix}:${queue}` : queue;
}

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
  let lastIdentity: ProcessIdentity | undefined;
  let lastProcess = 0;

  const processId = (identity: ProcessIdentity | undefined): number => {
    if (identity === undefined) return 0;
    if (identity === lastIdentity) return lastProcess;
    const { host, pid, name, container } = identity;
    const key = JSON.stringify([host, pid, name, container]);
    let id = processes.get(key);
    if (id === undefined) {
      id = nextProcessId();
      processes.set(key, id);
      writers.processes.push([id, source, host ?? null, pid ?? null, name ?? null, container ?? null]);
    }
    lastIdentity = identity;
    lastProcess = id;
    return id;
  };

  const event = (e: EvidenceEvent): void => {
    events++;
    writers.events.push([
      source,
      e.line,
      e.offset,
      KIND_CODES.get(e.kind) ?? 0,
      CLOCK_CODES.get(e.clock) ?? 0,
      PRECISION_CODES.get(e.precision) ?? 0,
      e.t ?? null,
      interner.id(queueText(e.prefix, e.queue)),
      interner.job(e.job),
      // Worker records always belong to some process, even when the line does not name it.
      e.clock === 'worker' ? processId(e.process ?? NAMELESS) : 0,
      interner.id(e.token),
      e.data === undefined ? 0 : interner.id(JSON.stringify(e.data)),
    ]);
  };

  // Rows are written out in full: these are made by the million.
  const jobFact = (f: JobFact): void =>
    writers.job_facts.push([
      source,
      interner.id(queueText(f.prefix, f.queue)),
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
      interner.id(queueText(f.prefix, f.queue)),
      interner.job(f.job),
      f.offset,
      SET_CODES.get(f.set) ?? 0,
      f.score ?? null,
    ]);

  const fact = (f: Fact): void => {
    if (f.type === 'job') jobFact(f);
    else if (f.type === 'member') memberFact(f);
    else if (f.type === 'lock')
      writers.locks.push([
        source,
        interner.id(queueText(f.prefix, f.queue)),
        interner.job(f.job),
        f.offset,
        interner.id(f.token),
        f.expiresAtMs ?? null,
      ]);
    else if (f.type === 'stream')
      writers.streams.push([
        source,
        interner.id(queueText(f.prefix, f.queue)),
        f.offset,
        f.length,
        f.firstId ?? null,
        f.lastId ?? null,
        f.entriesAdded ?? null,
        f.maxDeletedId ?? null,
      ]);
    else if (f.type === 'meta')
      writers.meta.push([source, interner.id(queueText(f.prefix, f.queue)), f.offset, f.field, f.value]);
    else writers.snapshots.push([source, f.momentMs?.[0] ?? null, f.momentMs?.[1] ?? null, f.redisVersion ?? null]);
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
