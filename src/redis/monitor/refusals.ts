/**
 * What a script was refused: a finish whose lock is gone, a renewal, a sweep that came too early. Redis writes nothing then,
 * so it is the lines that are missing which tell; a script is judged only once the next command shows that it was over.
 *
 * Order of the checks in moveToFinished, moveToDelayed and retryJob, BullMQ 3 to 6: EXISTS job; where it completes, SCARD of its
 * dependencies and ZCARD of its failed children; GET lock; then DEL lock, and LREM active.
 */
import type { EventData, EvidenceEvent } from '../../model/event.js';
import type { LockBook } from '../effects/lock-book.js';
import type { QueueNames } from '../effects/queue-names.js';
import { DEFAULT_PREFIX } from '../keyspace.js';
import type { ScriptCall } from './script-call.js';
import type { LockLook, ScriptLines } from './script-lines.js';
import type { ScriptName } from './script-names.js';

/** Scripts with which a worker ends a run. */
const FINISHES: ReadonlySet<ScriptName> = new Set(['moveToFinished', 'moveToDelayed', 'retryJob']);

/** Where and when the client's own line stands. */
export interface CallPlace {
  readonly line: number;
  readonly offset: number;
  readonly t: number;
}

type Tell = (event: EvidenceEvent) => void;

export class Refusals {
  readonly #names: QueueNames;
  readonly #locks: LockBook;
  readonly #tell: Tell;

  constructor(names: QueueNames, locks: LockBook, tell: Tell) {
    this.#names = names;
    this.#locks = locks;
    this.#tell = tell;
  }

  /** Tells what the script was refused, if anything. To be asked after its effects were judged. */
  judge(call: ScriptCall, lines: ScriptLines, place: CallPlace): void {
    if (lines.looks.size > 0) {
      call.parse();
      for (const look of lines.looks.values()) this.#unanswered(call, look, place);
    } else if (lines.effects.length === 0 && lines.count <= 3 && lines.first[0] === 'EXISTS') {
      this.#stoppedEarly(call, lines, place);
    } else if (lines.lastRemoval >= 0) {
      const effect = lines.effects[lines.lastRemoval];
      if (effect?.what === 'left-active' && FINISHES.has(call.parse().name)) {
        this.#finishRejected(call, effect.jobKey, 'not in active', place);
      }
    }
  }

  #unanswered(call: ScriptCall, look: LockLook, place: CallPlace): void {
    if (FINISHES.has(call.name)) this.#finishRejected(call, look.jobKey, this.#whyRefused(look, call), place);
    else if (call.name === 'extendLock' || call.name === 'extendLocks') this.#renewalFailed(call, look);
  }

  /** No lock, or another's: the reply is not shown, but the lock that was set last is known. */
  #whyRefused(look: LockLook, call: ScriptCall): string {
    const job = this.#names.cut(look.jobKey)?.job ?? '';
    const lock = this.#locks.get(look.jobKey);
    const isHeld = lock !== undefined && (lock.expiresAtMs === undefined || lock.expiresAtMs > (look.t ?? 0));
    return isHeld && lock.token !== call.token(job) ? 'lock of another token' : 'no lock';
  }

  #renewalFailed(call: ScriptCall, look: LockLook): void {
    const { jobKey, line, offset, t } = look;
    const place = { line, offset, t: t ?? 0 };
    this.#refused('renewal-failed', call, jobKey, place, { text: this.#whyRefused(look, call) });
  }

  #stoppedEarly(call: ScriptCall, lines: ScriptLines, place: CallPlace): void {
    if (!FINISHES.has(call.parse().name)) return;
    const last = lines.first[lines.count - 1];
    const why =
      last === 'EXISTS'
        ? 'no job key'
        : last === 'SCARD'
          ? 'pending dependencies'
          : last === 'ZCARD'
            ? 'failed children'
            : undefined;
    if (why !== undefined) this.#finishRejected(call, lines.firstKey, why, place);
  }

  #finishRejected(call: ScriptCall, jobKey: string, text: string, place: CallPlace): void {
    this.#refused('finish-rejected', call, jobKey, place, { command: call.name, frame: frameOf(call), text });
  }

  #refused(
    kind: 'finish-rejected' | 'renewal-failed',
    call: ScriptCall,
    jobKey: string,
    place: CallPlace,
    data: EventData,
  ): void {
    const cut = this.#names.cut(jobKey);
    if (cut === undefined) return;
    const { prefix, queue, db } = this.#names.note(cut.base);
    const token = call.token(cut.job);
    this.#tell({
      kind,
      clock: 'redis',
      ...place,
      precision: 'us',
      queue,
      ...(prefix === DEFAULT_PREFIX ? {} : { prefix }),
      ...(db === undefined ? {} : { db }),
      job: cut.job,
      ...(token === undefined ? {} : { token }),
      data: { ...data, client: call.client },
    });
  }
}

/**
 * What the worker was about to do. A delay that writes no failure was asked for by the handler itself.
 */
function frameOf(call: ScriptCall): NonNullable<EventData['frame']> {
  if (call.name === 'moveToFinished') {
    return call.keys.some((key) => key.endsWith(':completed')) ? 'handle-completed' : 'handle-failed';
  }
  return call.name === 'retryJob' || call.mentions('failedReason') || call.mentions('stacktrace')
    ? 'handle-failed'
    : 'user';
}
