/**
 * The order-free summary of one job that triage computes in SQL for every job, and that rules write their `wakes`
 * predicates over. Only jobs that some rule wakes for get a story, so memory follows the suspects and not the logs.
 *
 * A `wakes` predicate is SQL over these column names and may use only comparison, AND, OR, NOT and numbers.
 */
export const SUMMARY_COLUMNS = {
  activations: '`active` entries of the events stream',
  completions: '`completed` entries of the events stream',
  failures: '`failed` entries of the events stream',
  stalls: '`stalled` entries of the events stream',
  moves: '`delayed` and `waiting-children` entries of the events stream after the job was added',
  requeues: '`waiting` entries with prev completed or failed',
  progresses: '`progress` entries of the events stream',
  adds: '`added` entries of the events stream',
  starts: 'handler starts in worker logs',
  returns: 'handler returns in worker logs',
  throws: 'handler errors in worker logs',
  acks: 'worker `completed` events in worker logs',
  attempt_failures: 'worker `failed` events in worker logs',
  stall_notices: 'worker `stalled` events in worker logs',
  lock_errors: 'refused finishes and moves in worker logs (missing lock, mismatch, wrong state, missing key, children)',
  renewal_errors: 'renewals that failed, in worker logs',
  aftermath_missing: 'lines of work after the acknowledgement that most jobs of the queue have and this one lacks',
  other_tellers: '1 when lines about the job that are no events of its run come from more than one process',
  echoes: 'processes beside the first that wrote the same words about the job',
  echoes_more: 'how many more processes wrote those words than for another job of the queue',
  twins: 'other jobs that seem to be the same piece of work: one idempotency key, or one slot of a scheduler',
  queue_reused_ids:
    'of a job that was added again after it had completed, or acknowledged again where only logs tell of it: how many such jobs its queue has',
  ack_wait_ms: 'time from the last return to the last acknowledgement in one log, ms',
  log_moves: 'lines that say the handler moved or finished the job itself',
  lock_events: 'lock records of AOF or MONITOR',
  lock_losses: 'locks that went without a release, as AOF or MONITOR show it',
  rejected_finishes: 'finishes that Redis refused, in MONITOR',
  in_active: '1 when a snapshot holds the job in `active`',
  in_wait: '1 when a snapshot holds the job in `wait`, `paused` or `prioritized`',
  queue_idle:
    '1 when a snapshot of its queue holds no active job with a lock, or an answer says that nothing is in active',
  overdue: '1 when a snapshot holds the job in `delayed` past its due time',
  in_delayed: '1 when a snapshot holds the job in `delayed`',
  has_lock: '1 when a snapshot holds a lock key of the job',
  has_hash: '1 when a snapshot holds the job hash',
  attempts_started: 'largest `ats` of any snapshot, 0 when unknown',
  attempts_made: 'largest `atm` of any snapshot, 0 when unknown',
  stalled_counter: 'largest `stc` of any snapshot, 0 when unknown',
} as const;

export type SummaryColumn = keyof typeof SUMMARY_COLUMNS;
export type JobSummary = Readonly<Record<SummaryColumn, number>>;
