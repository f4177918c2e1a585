/** What the story of one job needs to know about everything else: the workers, their clocks, the settings, the coverage. */
import type { Ref } from '../model/analysis.js';
import type { QueueState, StoredEvent } from '../model/stored.js';
import type { Twin } from '../model/twin.js';
import type { ClockStretch } from './clocks.js';
import type { Interval } from './interval.js';

/** A number the judgement rests on, and how it is known. */
export interface Known {
  readonly value: number;
  readonly basis: 'evidence' | 'given' | 'assumed';
  readonly refs: readonly Ref[];
}

export type SettingName = 'lockDuration' | 'stalledInterval' | 'maxStalledCount';

export type OwnSettings = Readonly<Partial<Record<SettingName, Known>>>;

/** Settings that evidence shows of one worker instance or one queue. Empty for what the analyst gave. */
export interface ScopedSettings {
  /** By the part of the lock token that all tokens of a worker instance share. */
  readonly byToken: ReadonlyMap<string, OwnSettings>;
  /** Of workers all of whose instances agree, by worker id. */
  readonly byWorker: ReadonlyMap<string, OwnSettings>;
  readonly byQueue: ReadonlyMap<string, OwnSettings>;
}

/** A stretch in which a process wrote no line, on its own clock, ms; `afterLine` and `beforeLine` are the lines around it. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly source: string;
  readonly afterLine: number;
  readonly beforeLine: number;
}

/** One life of one worker process: a restart is another one. */
export interface WorkerProcess {
  readonly id: string;
  readonly host?: string;
  readonly pid?: number;
  readonly pod?: string;
  readonly name?: string;
  readonly sources: readonly string[];
  /** Own clock, ms. */
  readonly firstMs?: number;
  readonly lastMs?: number;
  readonly firstLine?: { readonly source: string; readonly line: number };
  readonly lastLine?: { readonly source: string; readonly line: number };
  /** Its first and last record, where it has no log. */
  readonly firstRef?: Ref;
  readonly lastRef?: Ref;
  /** Worker clock − Redis clock, ms. */
  readonly offsetMs: Interval;
  readonly offsetBasis: 'pairs' | 'assumed';
  /** Where the clock was set while the process lived: lines with another offset each (see clocks.ts); else empty. */
  readonly clockStretches: readonly ClockStretch[];
  /** The log of this process shows acknowledgements at all, so that a missing one means something. */
  readonly logsAcknowledgements: boolean;
  /** The log of this process shows handler returns at all. */
  readonly logsReturns: boolean;
  /** Records about the process itself, in order. */
  readonly signs: readonly StoredEvent[];
  /** A command of this worker that Redis refused would be seen: in its own log, or in a MONITOR capture. */
  readonly refusalsSeen: boolean;
  /** Lock tokens of this worker begin so. */
  readonly tokenPrefixes: readonly string[];
  /** Silences long enough to matter, in order. */
  readonly gaps: readonly Gap[];
}

export interface Scene {
  readonly workers: readonly WorkerProcess[];
  readonly workerOf: (event: StoredEvent) => WorkerProcess | undefined;
  readonly lockDuration: Known;
  readonly stalledInterval: Known;
  /** What differs from those two between workers and queues; see settings-of.ts. */
  readonly scoped: ScopedSettings;
  /** Latest time of any record, on Redis' clock. */
  readonly endMs: number;
  /** When AOF and MONITOR captures watched Redis, by source path, on its clock, ms: what they do not show then did not happen. */
  readonly watched: ReadonlyMap<string, Interval>;
  /** The newest snapshot of each queue, by its name (prefix included where it is not `bull`). */
  readonly queues: ReadonlyMap<string, QueueState>;
  /** Versions of BullMQ that the evidence names; ask version-of.ts. */
  readonly versions: { readonly byWorker: ReadonlyMap<string, string>; readonly byQueue: ReadonlyMap<string, string> };
  /** Other jobs that seem to be the same piece of work, by `twinKey`. */
  readonly twins: ReadonlyMap<string, readonly Twin[]>;
  /** The same of each queue and of the job names told apart in it, by `runTimeKey` (longest-run.ts), ms. */
  readonly longestRuns: ReadonlyMap<string, number>;
  /** Queues whose runs are told apart by job name. */
  readonly namedQueues: ReadonlySet<string>;
  /** Longest time between the start and the recorded end of a run that went well, ms. */
  readonly longestRunMs: number;
}
