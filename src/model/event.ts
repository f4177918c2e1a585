/**
 * One observed record about a job, a worker process or Redis, as evidence told it.
 *
 * Readers (`logs`, `redis`, `records`) produce these; the case file stores them; the story reads them back. A record is
 * never merged away: the same moment seen through two sources is two events with two references.
 */
import type { JobWrite } from './job-write.js';

/**
 * What a record says. The first block is what Redis itself recorded (events stream, AOF, MONITOR), the second what a
 * worker process said about itself. A handler's own last line (`handler-returned`) is not an acknowledgement: the only
 * acknowledgements are Redis' `completed`/`failed` and the worker's `acknowledged`/`attempt-failed`, which follow it.
 *
 * The order of this list is the code stored in the case file: append, never reorder.
 */
export const EVENT_KINDS = [
  // Redis: events stream (BullMQ), AOF, MONITOR
  'added',
  'waiting',
  'active',
  'delayed',
  'waiting-children',
  'progress',
  'stalled',
  'completed',
  'failed',
  'retries-exhausted',
  'removed',
  'duplicated',
  'lock-set',
  'lock-renewed',
  'lock-released',
  'lock-gone',
  'finish-rejected',
  'sweep',
  'paused',
  'resumed',
  'cleaned',
  'drained',
  // a worker process, in its log
  'handler-started',
  'handler-progress',
  'handler-line',
  'handler-returned',
  'handler-threw',
  'moved-by-handler',
  'acknowledged',
  'attempt-failed',
  'renewal-failed',
  'lock-missing',
  'lock-mismatch',
  'not-in-state',
  'key-missing',
  'pending-children',
  'stalled-notice',
  'worker-ready',
  'worker-signal',
  'worker-closing',
  'worker-closed',
  'process-crashed',
  'process-ended',
  'redis-lost',
  'redis-back',
  'redis-refused',
  'event-loop-lag',
  'settings',
  // a command that wrote to a key of the job asked for with --at; stored apart from all others
  'job-write',
  // words that follow the acknowledgement in nearly all jobs of a queue: work done after it; learned, never told
  'aftermath',
  // a verb, a word and a number, which may be a job's id or anything else; counts only where `learnWords` finds that it is one
  'numbered-line',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Kinds of the lock ledger, which AOF and MONITOR show. They have no stream id: a record is known by token and expiry. */
export const LEDGER_KINDS: ReadonlySet<EventKind> = new Set([
  'lock-set',
  'lock-renewed',
  'lock-released',
  'lock-gone',
  'finish-rejected',
  'renewal-failed',
  'sweep',
]);

/**
 * A command that MONITOR saw and the entry it made, or the expiry that it set, lie this close together, ms: a busy server dates
 * entries by the start of its turn. Of several in that time the first belongs to the first.
 */
export const SAME_EVENT_MS = 100;

/** Whose clock a time was read from. */
export const CLOCK_KINDS = ['redis', 'worker', 'producer', 'shipper'] as const;
export type ClockKind = (typeof CLOCK_KINDS)[number];

/** How exact a time is. `none`: the record has no time of its own; `t` is then that of the record before it, for order only. */
export const PRECISIONS = ['none', 's', 'ms', 'us'] as const;
export type Precision = (typeof PRECISIONS)[number];

/**
 * How a record names the process that wrote it. Every part is optional, as found: `host` and `pid` from the logger,
 * `name` what the application calls its worker, `container` a pod, container, dyno or log stream of the transport.
 */
export interface ProcessIdentity {
  readonly host?: string;
  readonly pid?: number;
  readonly name?: string;
  readonly container?: string;
}

export type LockEnding = 'expired' | 'evicted' | 'deleted';

/** Details of a record that judgement needs; short and repetitive, because the case file interns it as JSON. */
export interface EventData {
  /** Events stream `prev`, for `waiting`, `active`, `removed` … */
  readonly prev?: string;
  /** What stands in brackets before a message that names no queue: a logger, a worker, or the queue. */
  readonly label?: string;
  /** Job name (the queue.add name), where the record has it. */
  readonly jobName?: string;
  /** Attempt number as the application printed it. */
  readonly attempt?: number;
  /** Idempotency key that a log names beside the job: the application's own name for the piece of work. Never told in a report. */
  readonly key?: string;
  /** Percent, step or checkpoint of a progress record (a number or a short text). */
  readonly progress?: number | string;
  /** BullMQ command named by an error text: `moveToFinished`, `moveToDelayed`, `retryJob`, `failed` … */
  readonly command?: string;
  /** Which function of BullMQ or the application reported an error, from the stack. */
  readonly frame?: 'handle-completed' | 'handle-failed' | 'renewal' | 'user';
  /** BullMQ version named by a path in the stack or by the evidence, such as `5.45.2`; a bare major where only that shows. */
  readonly bullmq?: string;
  /** Due time of a `delayed` event, ms UTC. */
  readonly dueMs?: number;
  /** Signal name of `worker-signal`, or exit code or signal of `process-ended`. */
  readonly signal?: string;
  /** One line of free text: an error message, a failedReason. At most 300 characters. */
  readonly text?: string;
  /**
   * What a `handler-line` says, without the job's id and numbers. Every team has its own words for "I begin" and "I am done";
   * a shape that stands first, or last before the acknowledgement, in all of a worker's jobs is taken for just that.
   */
  readonly shape?: string;
  /** Duration the record itself states, ms. */
  readonly durationMs?: number;
  /** Expiry of a lock, ms UTC on Redis' clock. */
  readonly expiresAtMs?: number;
  /** Address of the client that sent a command, as MONITOR prints it. */
  readonly client?: string;
  /** The command in question, for `lock-gone`: DEL, UNLINK, in the case the client used. */
  readonly verb?: string;
  /**
   * How a lock went that its owner had not released (`lock-gone`): its life was over; or before that Redis dropped it, because
   * memory was short; or a client or script removed it. Absent: the log does not tell.
   */
  readonly ending?: LockEnding;
  /** Life given to a lock, ms (PX of SET, or PXAT − the activation's stream id). */
  readonly lockMs?: number;
  /** Lag of the event loop, ms. */
  readonly lagMs?: number;
  /** Settings that a worker printed, or gave to a sweep: milliseconds, except maxStalledCount and concurrency. */
  readonly settings?: Readonly<Record<string, number>>;
  /**
   * The words fit the kind, but no event name or stack marks them: "Job 7 completed" may be the worker's `completed` event
   * or the handler's own last line. The story decides by what follows.
   */
  readonly soft?: true;
  /** The entry was deleted or trimmed from the stream but still stood in its node. */
  readonly deleted?: true;
  /** What a `job-write` did. */
  readonly write?: JobWrite;
}

export interface EvidenceEvent {
  readonly kind: EventKind;
  readonly clock: ClockKind;
  /** ms since the epoch, UTC, on `clock`; a fraction carries microseconds. Absent: no time is known. */
  readonly t?: number;
  readonly precision: Precision;
  /** Absent: the record names no queue. Key prefix other than `bull` is part of `prefix`. */
  readonly queue?: string;
  readonly prefix?: string;
  /** Number of the database; absent: 0, or not known. */
  readonly db?: number;
  readonly job?: string;
  readonly process?: ProcessIdentity;
  /** Lock token, `<worker uuid>:<n>` since BullMQ 3.3.5. */
  readonly token?: string;
  readonly data?: EventData;
  /** Place in a text source (`place.ts`: mostly the line), or the sequence part of a stream id (`t` is its milliseconds part). */
  readonly line: number;
  /** Byte offset of the record in the decompressed source; -1 where there is none. */
  readonly offset: number;
}

/** A stretch in which a process wrote lines without a pause longer than `PRESENCE_GAP_MS`. */
export interface PresenceSpan {
  readonly process: ProcessIdentity;
  readonly fromMs: number;
  readonly toMs: number;
  /** Places (`place.ts`) of the first and the last moment. */
  readonly fromLine: number;
  readonly toLine: number;
  readonly lines: number;
}

/** Two lines of one process further apart than this end a presence span. Resolution of every claim of silence. */
export const PRESENCE_GAP_MS = 100;
