/**
 * Where a job's path can break, and why: the one table behind findings, reports and `explain`.
 *
 * The rows follow the field's reports of BullMQ incidents; what must be seen and what rules a cause out is what a rule has
 * to show before it may name it.
 */

interface BoundaryText {
  /** Short name for headings. */
  readonly title: string;
  /** Where the failure lies. */
  readonly means: string;
  /** What gives it away. */
  readonly tellTale: string;
}

export const BOUNDARIES = {
  enqueue: {
    title: 'Enqueue',
    means: 'The failure lies before the queue: one piece of work was added more than once, or under a reused id.',
    tellTale: 'Two jobs for one piece of work.',
  },
  pickup: {
    title: 'Pickup',
    means:
      'The failure lies between waiting and active: the job was never started although a worker could have taken it.',
    tellTale: 'Waiting jobs while workers idle.',
  },
  'lock-renewal': {
    title: 'Lock renewal',
    means: 'The lock of a live worker ran out while its handler ran, so the stalled sweep gave the job to another run.',
    tellTale: 'The process is alive later, its lock was gone.',
  },
  'worker-exit': {
    title: 'Worker exit',
    means: 'The worker process ended in the middle of the handler.',
    tellTale: 'The process is gone, whatever the progress.',
  },
  'return-to-ack': {
    title: 'Return to acknowledgement',
    means: 'The handler had returned, but Redis did not record the end of the job.',
    tellTale: 'A return, or an attempt to finish, without the completed transition.',
  },
  'progress-to-ack': {
    title: 'Progress to acknowledgement',
    means: 'The worker is alive and renews its lock, but progress stopped and the handler never ended.',
    tellTale: 'A start and renewals without an end.',
  },
  'step-transition': {
    title: 'Step transition',
    means:
      'The handler moved or finished the job itself, then went on or returned instead of leaving with the special error, so the worker tried to finish a job it no longer held.',
    tellTale:
      'The job was moved to delayed, waiting-children, waiting or completed by its own run just before the lock error.',
  },
  'stalled-sweep': {
    title: 'Stalled sweep',
    means: 'Recovery failed: no sweep ran, or it gave a verdict that the work contradicts.',
    tellTale: 'Active without a lock and nobody takes it back; or a stall limit reached although the handler was fine.',
  },
  'post-ack': {
    title: 'After acknowledgement',
    means: 'The job was acknowledged; the work done after that was cut short or fanned out.',
    tellTale: 'One completed event, several effects or none.',
  },
  'manual-requeue': {
    title: 'Manual requeue',
    means: 'A finished job was put back into the queue by a person or a callback.',
    tellTale: 'A waiting event whose prev is completed or failed.',
  },
  'redis-loss': {
    title: 'Redis loss',
    means: 'Redis lost, refused, evicted or rolled back what it had been told.',
    tellTale: 'A lock or a job key that is gone before it could expire.',
  },
  none: {
    title: 'No failure',
    means: 'Harmless noise: the line looks alarming and nothing was lost or repeated.',
    tellTale: 'Everything the line threatens did not happen.',
  },
  undetermined: {
    title: 'Undetermined',
    means: 'The evidence at hand cannot tell which boundary failed; the missing class is named.',
    tellTale: 'What would decide is listed with the finding.',
  },
} as const satisfies Record<string, BoundaryText>;

export type Boundary = keyof typeof BOUNDARIES;

interface CauseText {
  readonly title: string;
  readonly boundaries: readonly Boundary[];
  readonly means: string;
  readonly mustBeSeen: string;
  readonly ruledOutBy: string;
}

export const CAUSES = {
  'event-loop-blocked': {
    title: 'Event loop blocked',
    boundaries: ['lock-renewal'],
    means: 'Synchronous work kept the event loop busy for longer than the lock lives, so the renewal timer never ran.',
    mustBeSeen:
      'The whole process is silent from inside a handler past the life of its lock, then goes on; all its jobs miss renewal; lines about CPU work or event-loop lag.',
    ruledOutBy: 'Lines of the process inside the gap.',
  },
  'process-suspended': {
    title: 'Process suspended',
    boundaries: ['lock-renewal'],
    means:
      'The process was stopped from outside (SIGSTOP, a paused container or VM, a suspended host) and then went on.',
    mustBeSeen:
      'The silence begins while the handler awaits, or every process of the host is silent, or a suspend record.',
    ruledOutBy: 'Other processes of the host writing lines in the gap; evidence of CPU work.',
  },
  'worker-unresponsive': {
    title: 'Worker unresponsive',
    boundaries: ['lock-renewal'],
    means:
      'The process did nothing visible for longer than the lock lives; a blocked event loop and a suspended process leave this same trace.',
    mustBeSeen: 'The silence of the whole process, with neither of the two shown.',
    ruledOutBy: 'Lines of the process inside the gap.',
  },
  'renewal-misconfigured': {
    title: 'Renewal misconfigured',
    boundaries: ['lock-renewal'],
    means:
      'lockRenewTime is not shorter than lockDuration, or renewal is switched off, so every job longer than the lock loses it.',
    mustBeSeen: 'A responsive process without any renewal, and settings or cadence that explain it.',
    ruledOutBy: 'A renewal that succeeded.',
  },
  'lock-not-renewed': {
    title: 'Lock not renewed',
    boundaries: ['lock-renewal'],
    means: 'The lock ran out while the handler ran; why it was not renewed is not shown.',
    mustBeSeen: 'A lock that ran out under a running handler.',
    ruledOutBy: 'A renewal inside the span; a lock deleted before it could expire.',
  },
  'redis-unreachable': {
    title: 'Redis unreachable',
    boundaries: ['lock-renewal', 'pickup'],
    means: 'The worker could not reach Redis, so it could neither renew nor fetch.',
    mustBeSeen: 'Connection errors in the gap, of other workers too.',
    ruledOutBy: 'Commands of the same worker that Redis executed in the gap.',
  },
  'process-killed': {
    title: 'Process killed',
    boundaries: ['worker-exit', 'return-to-ack', 'stalled-sweep'],
    means: 'The process ended without a word: SIGKILL, out of memory, a lost node.',
    mustBeSeen: 'The last line of the process, no closing line, and it never comes back.',
    ruledOutBy: 'A later line of the same process.',
  },
  'uncaught-exception': {
    title: 'Uncaught exception',
    boundaries: ['worker-exit'],
    means: 'An exception nobody caught, or an unhandled rejection, ended the process.',
    mustBeSeen: "The exception block at the process's end.",
    ruledOutBy: 'Lines of the same process after the block.',
  },
  'shutdown-without-close': {
    title: 'Shutdown without close',
    boundaries: ['worker-exit', 'return-to-ack'],
    means:
      'The process was told to stop and ended while jobs were still open: no worker.close(), or a grace period shorter than the job.',
    mustBeSeen: 'A SIGTERM or stop line, no closed line, a job still open.',
    ruledOutBy: "A clean closed line after the handler's end.",
  },
  'dropped-at-close': {
    title: 'Dropped at close',
    boundaries: ['worker-exit'],
    means: 'The worker fetched the job while it was closing and never ran the handler.',
    mustBeSeen: 'An activation after the closing line and no handler line.',
    ruledOutBy: 'A handler line of that activation.',
  },
  'redis-outage': {
    title: 'Redis outage at the finish',
    boundaries: ['return-to-ack'],
    means:
      'The connection to Redis was lost or stalled around the finish, and the lock ran out before the finish arrived.',
    mustBeSeen: 'A return, then connection errors or a long wait, then the refused finish.',
    ruledOutBy: 'A finish that Redis answered at once.',
  },
  'reply-lost': {
    title: 'Reply lost',
    boundaries: ['return-to-ack', 'none'],
    means: 'Redis executed the finish, its reply was lost, and the re-sent finish found no lock. The job is completed.',
    mustBeSeen: 'The completed transition before the error, one activation, the same worker.',
    ruledOutBy: 'A second activation.',
  },
  'acknowledged-late': {
    title: 'Acknowledged late',
    boundaries: ['return-to-ack'],
    means: 'Return and completion are far apart, but the job ran once and was acknowledged.',
    mustBeSeen: 'A return and a completed transition of the same run with a long time between.',
    ruledOutBy: 'A second run.',
  },
  'fetched-by-hand': {
    title: 'Fetched by hand',
    boundaries: ['return-to-ack', 'lock-renewal'],
    means: 'The job was taken with getNextJob, so nobody renews its lock or finishes it unless the application does.',
    mustBeSeen: "Tokens of the application's own making, no renewals, getNextJob in the stack.",
    ruledOutBy: 'Renewals of that token.',
  },
  'returned-after-move': {
    title: 'Returned after the move',
    boundaries: ['step-transition'],
    means:
      'The handler moved the job and then returned plainly instead of throwing DelayedError, WaitingChildrenError or WaitingError.',
    mustBeSeen: 'The move by the own run, then the refused finish within moments.',
    ruledOutBy: 'A stall notice between; a risen stalled counter.',
  },
  'continued-after-move': {
    title: 'Went on after the move',
    boundaries: ['step-transition'],
    means: 'The handler moved the job and went on working on it, without holding its lock any more.',
    mustBeSeen: 'The move by the own run, then progress, lines or an end of that run.',
    ruledOutBy: 'A stall notice between; a risen stalled counter.',
  },
  'manual-ack-inside-handler': {
    title: 'Finished by hand inside the handler',
    boundaries: ['step-transition'],
    means:
      'The handler called moveToCompleted or moveToFailed itself; when it returned, the worker tried to finish the job again.',
    mustBeSeen: "The completed transition before the handler's end, then the worker's own finish refused.",
    ruledOutBy: 'A connection loss between return and error (then the reply was lost).',
  },
  'foreign-token': {
    title: 'Foreign lock token',
    boundaries: ['step-transition'],
    means: 'Code outside the worker moved the job with a token that is not the lock.',
    mustBeSeen: "A frame of the application's own in the stack and a token that differs from the lock.",
    ruledOutBy: 'handleCompleted or handleFailed as the caller.',
  },
  'handler-never-settled': {
    title: 'Handler never settled',
    boundaries: ['progress-to-ack'],
    means: 'A promise of the handler never settled while the worker kept renewing the lock.',
    mustBeSeen: 'A start, a renewed lock, no end, for far longer than any completed run of that job name.',
    ruledOutBy: 'The lock is gone.',
  },
  'sandbox-child-lost': {
    title: 'Sandbox child lost',
    boundaries: ['progress-to-ack'],
    means: 'The child process of a sandboxed processor ended and the parent kept the lock alive.',
    mustBeSeen: "The child's exit line.",
    ruledOutBy: 'No sandbox.',
  },
  'no-sweep-ran': {
    title: 'No sweep ran',
    boundaries: ['stalled-sweep'],
    means: 'The job stood in active without a lock and no worker swept the queue.',
    mustBeSeen: 'Active without lock for longer than two stalledIntervals, and no sweep.',
    ruledOutBy: 'A later stalled event of the queue.',
  },
  'stall-limit': {
    title: 'Stall limit reached',
    boundaries: ['stalled-sweep'],
    means: 'The job stalled more often than maxStalledCount allows and was failed without running the handler.',
    mustBeSeen: 'The limit text as the first failure.',
    ruledOutBy: 'An earlier failure that explains the stalls.',
  },
  'false-stall-verdict': {
    title: 'False stall verdict',
    boundaries: ['stalled-sweep'],
    means: 'The job was failed for stalling although its handler ended well.',
    mustBeSeen: 'The handler ends fine after the verdict.',
    ruledOutBy: 'A handler that never ended.',
  },
  'work-after-ack-cut-short': {
    title: 'Work after acknowledgement cut short',
    boundaries: ['post-ack'],
    means: 'The job was acknowledged while its effect was still under way, and the process ended before that was done.',
    mustBeSeen: 'The process ends after completed in mid-effect.',
    ruledOutBy: "The effect's end.",
  },
  'event-fan-out': {
    title: 'Event fan-out',
    boundaries: ['post-ack'],
    means: 'One completed event was acted upon by several consumers.',
    mustBeSeen: 'One completed event, several effects.',
    ruledOutBy: 'Two completed events.',
  },
  'completed-job-retried': {
    title: 'Completed job retried',
    boundaries: ['manual-requeue'],
    means: 'A completed job was put back with retry or retryJobs.',
    mustBeSeen: 'waiting with prev=completed.',
    ruledOutBy: 'prev=active.',
  },
  'failed-job-retried': {
    title: 'Failed job retried',
    boundaries: ['manual-requeue'],
    means: 'A finally failed job was put back with retry or retryJobs.',
    mustBeSeen: 'waiting with prev=failed after a failed event.',
    ruledOutBy: 'prev=active.',
  },
  'lock-key-removed': {
    title: 'Lock key removed',
    boundaries: ['redis-loss'],
    means: 'The lock key was deleted or evicted before it could expire.',
    mustBeSeen:
      'The lock is gone before its expiry: renewal errors from the next tick on with a healthy loop, or the deletion itself.',
    ruledOutBy: 'An expiry in time.',
  },
  'job-key-removed': {
    title: 'Job key removed',
    boundaries: ['redis-loss'],
    means: 'The job hash was removed while a run held it.',
    mustBeSeen: 'Missing key for a job that was active.',
    ruledOutBy: 'The job had completed and was removed by retention.',
  },
  'redis-rollback': {
    title: 'Redis rolled back',
    boundaries: ['redis-loss'],
    means: 'A restart or failover brought back an older state.',
    mustBeSeen: 'History that goes back.',
    ruledOutBy: 'Continuous history.',
  },
  'writes-refused': {
    title: 'Writes refused',
    boundaries: ['redis-loss'],
    means: 'Redis refused writes: out of memory, read-only replica, persistence errors.',
    mustBeSeen: 'OOM, READONLY or MISCONF replies.',
    ruledOutBy: 'Writes executed in the span.',
  },
  'lock-released-without-record': {
    title: 'Lock released without a record',
    boundaries: ['redis-loss'],
    means: 'A version that frees the lock before it checks the rest left the job active and unlocked.',
    mustBeSeen: 'Code −4 or −3 of the versions that free the lock first.',
    ruledOutBy: 'A version that checks first.',
  },
  'duplicate-enqueue': {
    title: 'Duplicate enqueue',
    boundaries: ['enqueue'],
    means: 'Two jobs were added for one piece of work.',
    mustBeSeen: 'Two added events for one business key.',
    ruledOutBy: 'One added event.',
  },
  'id-reused': {
    title: 'Job id reused',
    boundaries: ['enqueue'],
    means: 'A job id was used again after its first job was removed.',
    mustBeSeen: 'Two added events of one id.',
    ruledOutBy: 'One added event.',
  },
  'scheduler-duplicate': {
    title: 'Scheduler duplicate',
    boundaries: ['enqueue'],
    means: 'A job scheduler made two jobs for one slot.',
    mustBeSeen: 'Two repeat ids for one slot.',
    ruledOutBy: 'One id a slot.',
  },
  'no-worker': {
    title: 'No worker',
    boundaries: ['pickup'],
    means: 'No worker of the queue was alive.',
    mustBeSeen: 'Waiting jobs and no live worker.',
    ruledOutBy: 'Activations in the span.',
  },
  'queue-paused': {
    title: 'Queue paused',
    boundaries: ['pickup'],
    means: 'The queue was paused.',
    mustBeSeen: 'meta.paused, or a paused event without resumed.',
    ruledOutBy: 'Activations after it.',
  },
  'worker-wedged': {
    title: 'Worker wedged',
    boundaries: ['pickup'],
    means: 'Workers were connected and did not fetch.',
    mustBeSeen: 'Waiting jobs, live idle workers, no activation.',
    ruledOutBy: 'Activations in the span.',
  },
  'overdue-delayed': {
    title: 'Overdue delayed job',
    boundaries: ['pickup'],
    means: 'A delayed job was past its due time and nobody promoted it.',
    mustBeSeen: 'A due time long before the snapshot.',
    ruledOutBy: 'A rate limit or a pause.',
  },
  'harmless-noise': {
    title: 'Harmless noise',
    boundaries: ['none'],
    means: 'The line is known to be harmless here.',
    mustBeSeen: 'The acknowledged end of the only run.',
    ruledOutBy: 'A second run.',
  },
  undetermined: {
    title: 'Undetermined',
    boundaries: ['undetermined', 'lock-renewal', 'worker-exit', 'return-to-ack', 'step-transition'],
    means: 'The evidence does not tell the causes apart.',
    mustBeSeen: '',
    ruledOutBy: '',
  },
} as const satisfies Record<string, CauseText>;

export type Cause = keyof typeof CAUSES;

export const BOUNDARY_NAMES = Object.keys(BOUNDARIES) as Boundary[];
export const CAUSE_NAMES = Object.keys(CAUSES) as Cause[];
