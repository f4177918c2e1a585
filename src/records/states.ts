/** What a row says about its run, from its status word and its times. The words are those of public schemas. */
import { RECORD_STATES, type RecordState } from '../model/records-audit.js';

export const STATE_WORDS: Readonly<Record<Exclude<RecordState, 'unknown'>, readonly string[]>> = {
  ended: [
    ...['completed', 'complete', 'succeeded', 'success', 'successful', 'done', 'finished', 'processed', 'ok', 'sent'],
    ...['published', 'delivered', 'applied', 'acknowledged', 'acked', 'committed', 'executed', 'true', 't', 'yes'],
  ],
  failed: ['failed', 'failure', 'error', 'errored', 'dead', 'rejected', 'cancelled', 'canceled', 'aborted', 'timeout'],
  begun: [
    ...['started', 'running', 'processing', 'inprogress', 'pending', 'locked', 'claimed', 'active', 'reserved'],
    ...['received', 'new', 'created', 'open', 'begun', 'executing', 'acquired', 'inflight', 'false', 'f', 'no'],
  ],
  skipped: ['skipped', 'duplicate', 'duplicated', 'deduplicated', 'superseded', 'ignored', 'noop'],
};

const STATE_OF: ReadonlyMap<string, RecordState> = new Map(
  RECORD_STATES.flatMap((state) =>
    state === 'unknown' ? [] : STATE_WORDS[state].map((word) => [word, state] as const),
  ),
);

const HTTP_STATUS = /^[1-5]\d\d$/;

/** The state that a status word names; undefined for a word that is not known. */
export function stateOfWord(status: string): RecordState | undefined {
  const word = status.toLowerCase().replace(/[^a-z0-9]/g, '');
  // An answer that was stored is one that a second request gets; a server error is what people let retry.
  if (HTTP_STATUS.test(word)) return word.startsWith('5') ? 'failed' : 'ended';
  return STATE_OF.get(word);
}

/** Which of the two a store has at all. One with neither records only that there was a run. */
export interface Tells {
  readonly status: boolean;
  readonly completed: boolean;
}

/**
 * The state of a row. The word goes first; where there is none, or one that is not known, a time of completion tells an end,
 * and its absence, where the store keeps such a thing, that there was none yet.
 */
export function stateOf(status: string | undefined, isCompleted: boolean, tells: Tells): RecordState {
  const named = status === undefined ? undefined : stateOfWord(status);
  if (named !== undefined) return named;
  if (isCompleted) return 'ended';
  return status === undefined && (tells.status || tells.completed) ? 'begun' : 'unknown';
}
