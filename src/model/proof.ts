/**
 * Is a fix proven: what is asked of two recordings, one before it and one after. A quiet recording proves nothing, so each check
 * says how often the path that failed was walked in the second one.
 */

/** The gravest first. `not-applicable`: neither what failed before nor anything in the second recording asks it. */
export const PROOF_OUTCOMES = ['fails', 'cannot-tell', 'holds', 'not-applicable'] as const;
export type ProofOutcome = (typeof PROOF_OUTCOMES)[number];

/** Checks that are asked of every pair; one more is asked for each finding of the first recording. */
export const PROOF_CHECKS = {
  'duplicate-pattern-gone':
    'the sequence of the first recording gives no job a second run any more, and jobs leave active in time',
  'long-run-renewed': 'a handler that runs longer than the old lock lived completes without a stall, its lock renewed',
  'acknowledged-after-return':
    'the handler’s last line and the completed transition lie in one window, with no stall between',
  'active-once-after-restart':
    'after a restart between the return and the acknowledgement the job is active once more or not at all',
  'completed-once-a-life':
    'a job completes at most once in the life of a worker, and its last checkpoint is the one at the end',
  'stalled-callback-reads-first': 'a stalled callback reads the state of the job before it moves it anywhere',
} as const satisfies Readonly<Record<string, string>>;
export type ProofCheckName = keyof typeof PROOF_CHECKS;
