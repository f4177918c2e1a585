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
  /** How to see it on a queue of one's own with one known job; the lock lives for seconds there. */
  readonly reproduce: { readonly setUp: string; readonly act: string; readonly see: string };
}

export const CAUSES = {
  'event-loop-blocked': {
    title: 'Event loop blocked',
    boundaries: ['lock-renewal'],
    means: 'Synchronous work kept the event loop busy for longer than the lock lives, so the renewal timer never ran.',
    mustBeSeen:
      'The whole process is silent from inside a handler past the life of its lock, then goes on; all its jobs miss renewal; lines about CPU work or event-loop lag.',
    ruledOutBy: 'Lines of the process inside the gap.',
    reproduce: {
      setUp: 'A worker with lockDuration and stalledInterval 2000, a second one in another process.',
      act: 'Let the handler spin for 6 s without an await: `const end = Date.now() + 6000; while (Date.now() < end);`.',
      see: 'No line of the process for 6 s, `waiting` with prev active and `stalled` in the stream, a start on the second worker, then the refused finish of the first.',
    },
  },
  'process-suspended': {
    title: 'Process suspended',
    boundaries: ['lock-renewal'],
    means:
      'The process was stopped from outside (SIGSTOP, a paused container or VM, a suspended host) and then went on.',
    mustBeSeen:
      'The silence begins while the handler awaits, or every process of the host is silent, or a suspend record.',
    ruledOutBy: 'Other processes of the host writing lines in the gap; evidence of CPU work.',
    reproduce: {
      setUp: 'A worker with lockDuration and stalledInterval 2000, a second one in another process.',
      act: 'Let the handler await a timer of 3 s; a second into it, `kill -STOP` the process, and `kill -CONT` it 6 s later.',
      see: 'The same trace as of a blocked event loop, but the silence begins at an await; other processes of the host go on, unless the host itself slept.',
    },
  },
  'worker-unresponsive': {
    title: 'Worker unresponsive',
    boundaries: ['lock-renewal'],
    means:
      'The process did nothing visible for longer than the lock lives; a blocked event loop and a suspended process leave this same trace.',
    mustBeSeen: 'The silence of the whole process, with neither of the two shown.',
    ruledOutBy: 'Lines of the process inside the gap.',
    reproduce: {
      setUp: 'A worker with lockDuration and stalledInterval 2000, a second one in another process.',
      act: 'Block the event loop or stop the process for 6 s, with a log that says nothing of either.',
      see: 'A silence of the whole process longer than the lock lives, and then a refused finish.',
    },
  },
  'renewal-misconfigured': {
    title: 'Renewal misconfigured',
    boundaries: ['lock-renewal'],
    means:
      'lockRenewTime is not shorter than lockDuration, or renewal is switched off, so every job longer than the lock loses it.',
    mustBeSeen: 'A responsive process without any renewal, and settings or cadence that explain it.',
    ruledOutBy: 'A renewal that succeeded.',
    reproduce: {
      setUp:
        'A worker with lockDuration 2000 and lockRenewTime 8000 (its timer ticks each 4 s), a second one in another process.',
      act: 'Let the handler await 6 s and write a line each second.',
      see: 'Lines all the time, no renewal before the lock is over, `stalled`, and a second run while the first still speaks.',
    },
  },
  'lock-not-renewed': {
    title: 'Lock not renewed',
    boundaries: ['lock-renewal'],
    means: 'The lock ran out while the handler ran; why it was not renewed is not shown.',
    mustBeSeen: 'A lock that ran out under a running handler.',
    ruledOutBy: 'A renewal inside the span; a lock deleted before it could expire.',
    reproduce: {
      setUp: 'As for renewal-misconfigured.',
      act: "Leave the settings and the handler's lines out of the evidence.",
      see: 'A lock that ran out under a handler that reaches its end later, and nothing that says why.',
    },
  },
  'redis-unreachable': {
    title: 'Redis unreachable',
    boundaries: ['lock-renewal', 'pickup'],
    means: 'The worker could not reach Redis, so it could neither renew nor fetch.',
    mustBeSeen: 'Connection errors in the gap, of other workers too.',
    ruledOutBy: 'Commands of the same worker that Redis executed in the gap.',
    reproduce: {
      setUp:
        'A worker with lockDuration and stalledInterval 2000 that reaches Redis through a TCP proxy, a second one that does not.',
      act: 'Let the handler await 8 s; close the proxy in the first second for 6 s.',
      see: 'Connection errors of the first worker, `stalled`, a run on the second worker, and a refused finish once the link is back.',
    },
  },
  'process-killed': {
    title: 'Process killed',
    boundaries: ['worker-exit', 'return-to-ack', 'stalled-sweep'],
    means: 'The process ended without a word: SIGKILL, out of memory, a lost node.',
    mustBeSeen: 'The last line of the process, no closing line, and it never comes back.',
    ruledOutBy: 'A later line of the same process.',
    reproduce: {
      setUp: 'A worker with lockDuration and stalledInterval 2000, a second one in another process.',
      act: 'Let the handler await 10 s; `kill -9` its process in the first second.',
      see: "The last line of the process without a closing line, `stalled` within a lock's life and one or two intervals, a second run.",
    },
  },
  'uncaught-exception': {
    title: 'Uncaught exception',
    boundaries: ['worker-exit'],
    means: 'An exception nobody caught, or an unhandled rejection, ended the process.',
    mustBeSeen: "The exception block at the process's end.",
    ruledOutBy: 'Lines of the same process after the block.',
    reproduce: {
      setUp: 'A worker with lockDuration and stalledInterval 2000, a second one in another process.',
      act: "In the handler, `setTimeout(() => { throw new Error('boom') }, 500)`, and await 5 s.",
      see: "Node's exception block as the last lines of the process, then `stalled` and a second run.",
    },
  },
  'shutdown-without-close': {
    title: 'Shutdown without close',
    boundaries: ['worker-exit', 'return-to-ack'],
    means:
      'The process was told to stop and ended while jobs were still open: no worker.close(), or a grace period shorter than the job.',
    mustBeSeen: 'A SIGTERM or stop line, no closed line, a job still open.',
    ruledOutBy: "A clean closed line after the handler's end.",
    reproduce: {
      setUp: 'A process that ends at once on SIGTERM and never calls `worker.close()`, a second worker.',
      act: 'Let the handler await 10 s and send SIGTERM in the first second.',
      see: 'The stop line, no closed line, the job still active, then `stalled` and a second run.',
    },
  },
  'dropped-at-close': {
    title: 'Dropped at close',
    boundaries: ['worker-exit'],
    means: 'The worker fetched the job while it was closing and never ran the handler.',
    mustBeSeen: 'An activation after the closing line and no handler line.',
    ruledOutBy: 'A handler line of that activation.',
    reproduce: {
      setUp: 'A worker of BullMQ before 5.56.7, a second one, and a queue that is never empty.',
      act: 'Call `worker.close()` while jobs are being fetched. It is a race: many tries may be needed.',
      see: 'An `active` entry behind the closing line without any line of its handler, then `stalled` and a first start elsewhere.',
    },
  },
  'redis-outage': {
    title: 'Redis outage at the finish',
    boundaries: ['return-to-ack'],
    means:
      'The connection to Redis was lost or stalled around the finish, and the lock ran out before the finish arrived.',
    mustBeSeen: 'A return, then connection errors or a long wait, then the refused finish.',
    ruledOutBy: 'A finish that Redis answered at once.',
    reproduce: {
      setUp:
        'A worker with lockDuration and stalledInterval 2000 that reaches Redis through a TCP proxy, a second one that does not.',
      act: 'Close the proxy as the last act of the handler, return, and open it 6 s later.',
      see: 'The return, connection errors, `stalled` and a second run, and the refused finish long after the return.',
    },
  },
  'reply-lost': {
    title: 'Reply lost',
    boundaries: ['return-to-ack', 'none'],
    means: 'Redis executed the finish, its reply was lost, and the re-sent finish found no lock. The job is completed.',
    mustBeSeen: 'The completed transition before the error, one activation, the same worker.',
    ruledOutBy: 'A second activation.',
    reproduce: {
      setUp: 'A worker that reaches Redis through a proxy that can drop what Redis answers.',
      act: 'Let the finish through and drop the connection before its answer; the client sends the finish again.',
      see: '`completed` in the stream, then `Missing lock … moveToFinished`, one activation, no stall.',
    },
  },
  'acknowledged-late': {
    title: 'Acknowledged late',
    boundaries: ['return-to-ack'],
    means: 'Return and completion are far apart, but the job ran once and was acknowledged.',
    mustBeSeen: 'A return and a completed transition of the same run with a long time between.',
    ruledOutBy: 'A second run.',
    reproduce: {
      setUp: 'A worker with lockDuration 10000 that reaches Redis through a TCP proxy.',
      act: 'Close the proxy as the last act of the handler and open it 6 s later.',
      see: 'Return and `completed` 6 s apart, one run, no error of the lock.',
    },
  },
  'fetched-by-hand': {
    title: 'Fetched by hand',
    boundaries: ['return-to-ack', 'lock-renewal'],
    means: 'The job was taken with getNextJob, so nobody renews its lock or finishes it unless the application does.',
    mustBeSeen: "Tokens of the application's own making, no renewals, getNextJob in the stack.",
    ruledOutBy: 'Renewals of that token.',
    reproduce: {
      setUp:
        'A worker without a processor, lockDuration and stalledInterval 2000, and a second, ordinary one to sweep.',
      act: "Take the job with `worker.getNextJob('by-hand')`, wait 6 s, then `job.moveToCompleted('ok', 'by-hand')`.",
      see: 'A token of your own in the lock, no renewal, `stalled`, and the refused finish with a frame of your own file.',
    },
  },
  'returned-after-move': {
    title: 'Returned after the move',
    boundaries: ['step-transition'],
    means:
      'The handler moved the job and then returned plainly instead of throwing DelayedError, WaitingChildrenError or WaitingError.',
    mustBeSeen: 'The move by the own run, then the refused finish within moments.',
    ruledOutBy: 'A stall notice between; a risen stalled counter.',
    reproduce: {
      setUp: 'An ordinary worker.',
      act: '`await job.moveToDelayed(Date.now() + 1000, token); return;` instead of throwing DelayedError.',
      see: '`delayed`, `Missing lock … moveToFinished` within milliseconds (twice from 5.61 on), no stall, and the next run when it is due.',
    },
  },
  'continued-after-move': {
    title: 'Went on after the move',
    boundaries: ['step-transition'],
    means: 'The handler moved the job and went on working on it, without holding its lock any more.',
    mustBeSeen: 'The move by the own run, then progress, lines or an end of that run.',
    ruledOutBy: 'A stall notice between; a risen stalled counter.',
    reproduce: {
      setUp: 'An ordinary worker.',
      act: '`await job.moveToDelayed(Date.now() + 1000, token)`, then work for 500 ms with `job.updateProgress(50)`, then return.',
      see: '`delayed`, then `progress` without a lock, the refused finish, and the next run when it is due.',
    },
  },
  'manual-ack-inside-handler': {
    title: 'Finished by hand inside the handler',
    boundaries: ['step-transition'],
    means:
      'The handler called moveToCompleted or moveToFailed itself; when it returned, the worker tried to finish the job again.',
    mustBeSeen: "The completed transition before the handler's end, then the worker's own finish refused.",
    ruledOutBy: 'A connection loss between return and error (then the reply was lost).',
    reproduce: {
      setUp: 'An ordinary worker.',
      act: "In the handler, `await job.moveToCompleted('ok', token, false)`, then return.",
      see: "`completed` before the handler's last line, then `Missing lock … moveToFinished`; one run.",
    },
  },
  'foreign-token': {
    title: 'Foreign lock token',
    boundaries: ['step-transition'],
    means: 'Code outside the worker moved the job with a token that is not the lock.',
    mustBeSeen: "A frame of the application's own in the stack and a token that differs from the lock.",
    ruledOutBy: 'handleCompleted or handleFailed as the caller.',
    reproduce: {
      setUp: 'An ordinary worker whose handler awaits 5 s.',
      act: "From another process: `const job = await Job.fromId(queue, id); await job.moveToCompleted('x', 'not-the-lock')`.",
      see: '`Lock mismatch … moveToFinished` with a frame of your own file, while the run goes on and is acknowledged.',
    },
  },
  'handler-never-settled': {
    title: 'Handler never settled',
    boundaries: ['progress-to-ack'],
    means: 'A promise of the handler never settled while the worker kept renewing the lock.',
    mustBeSeen: 'A start, a renewed lock, no end, for far longer than any completed run of that job name.',
    ruledOutBy: 'The lock is gone.',
    reproduce: {
      setUp: 'A worker with concurrency 2; let a few other jobs of that name complete first.',
      act: '`await new Promise(() => {})` in the handler, and wait for more than ten times the longest completed run.',
      see: 'One start, no end, and PTTL of the lock that keeps rising again.',
    },
  },
  'sandbox-child-lost': {
    title: 'Sandbox child lost',
    boundaries: ['progress-to-ack'],
    means: 'The child process of a sandboxed processor ended and the parent kept the lock alive.',
    mustBeSeen: "The child's exit line.",
    ruledOutBy: 'No sandbox.',
    reproduce: {
      setUp: 'A worker with a sandboxed processor (a file) that awaits 10 s.',
      act: '`kill -9` the child, not the worker.',
      see: '`Unexpected exit code: null signal: SIGKILL` as the failure of the attempt; before 5.34.4 the job stays in active and its lock is renewed.',
    },
  },
  'no-sweep-ran': {
    title: 'No sweep ran',
    boundaries: ['stalled-sweep'],
    means: 'The job stood in active without a lock and no worker swept the queue.',
    mustBeSeen: 'Active without lock for longer than two stalledIntervals, and no sweep.',
    ruledOutBy: 'A later stalled event of the queue.',
    reproduce: {
      setUp: 'Workers with skipStalledCheck true, lockDuration and stalledInterval 2000.',
      act: '`kill -9` the process in mid-handler.',
      see: "The job in active, no lock, no `stalled-check` key, for longer than a lock's life and two intervals.",
    },
  },
  'stall-limit': {
    title: 'Stall limit reached',
    boundaries: ['stalled-sweep'],
    means: 'The job stalled more often than maxStalledCount allows and was failed without running the handler.',
    mustBeSeen: 'The limit text as the first failure.',
    ruledOutBy: 'An earlier failure that explains the stalls.',
    reproduce: {
      setUp: 'Workers with maxStalledCount 0, lockDuration and stalledInterval 2000.',
      act: '`kill -9` the process in mid-handler, and keep only the evidence from the sweep on.',
      see: '`failed` with `job stalled more than allowable limit` and no start line of that activation.',
    },
  },
  'false-stall-verdict': {
    title: 'False stall verdict',
    boundaries: ['stalled-sweep'],
    means: 'The job was failed for stalling although its handler ended well.',
    mustBeSeen: 'The handler ends fine after the verdict.',
    ruledOutBy: 'A handler that never ended.',
    reproduce: {
      setUp: 'Two workers with maxStalledCount 0, lockDuration and stalledInterval 2000.',
      act: 'Let the handler spin for 8 s without an await and then end well.',
      see: "`failed` by the other worker's pickup, and afterwards the handler's own good end.",
    },
  },
  'work-after-ack-cut-short': {
    title: 'Work after acknowledgement cut short',
    boundaries: ['post-ack'],
    means: 'The job was acknowledged while its effect was still under way, and the process ended before that was done.',
    mustBeSeen: 'The process ends after completed in mid-effect.',
    ruledOutBy: "The effect's end.",
    reproduce: {
      setUp: 'A worker whose `completed` listener works for 5 s and writes a line when it is through.',
      act: '`kill -9` the process a second after the completion.',
      see: "`completed`, the process's last line, and the listener's line missing where other jobs have it.",
    },
  },
  'event-fan-out': {
    title: 'Event fan-out',
    boundaries: ['post-ack'],
    means: 'One completed event was acted upon by several consumers.',
    mustBeSeen: 'One completed event, several effects.',
    ruledOutBy: 'Two completed events.',
    reproduce: {
      setUp: 'Two processes that each listen to `completed` with QueueEvents and do the work that follows.',
      act: 'Add one job.',
      see: 'One `completed` entry, and the line of that work in both logs.',
    },
  },
  'completed-job-retried': {
    title: 'Completed job retried',
    boundaries: ['manual-requeue'],
    means: 'A completed job was put back with retry or retryJobs.',
    mustBeSeen: 'waiting with prev=completed.',
    ruledOutBy: 'prev=active.',
    reproduce: {
      setUp: 'An ordinary worker.',
      act: "When the job is completed: `await job.retry('completed')`, or a board's button.",
      see: '`waiting` with prev completed, and a second run from the beginning.',
    },
  },
  'failed-job-retried': {
    title: 'Failed job retried',
    boundaries: ['manual-requeue'],
    means: 'A finally failed job was put back with retry or retryJobs.',
    mustBeSeen: 'waiting with prev=failed after a failed event.',
    ruledOutBy: 'prev=active.',
    reproduce: {
      setUp: 'An ordinary worker, attempts 1.',
      act: "Let the handler throw; then `await job.retry('failed')`, or a board's button.",
      see: '`failed`, then `waiting` with prev failed, and a further run.',
    },
  },
  'lock-key-removed': {
    title: 'Lock key removed',
    boundaries: ['redis-loss'],
    means: 'The lock key was deleted or evicted before it could expire.',
    mustBeSeen:
      'The lock is gone before its expiry: renewal errors from the next tick on with a healthy loop, or the deletion itself.',
    ruledOutBy: 'An expiry in time.',
    reproduce: {
      setUp: 'A worker with lockDuration 8000.',
      act: 'Let the handler await 20 s; in the first second `redis-cli DEL bull:<queue>:<job>:lock`.',
      see: '`could not renew lock for job …` at the next tick and at each one after it (5.33 and later), long before 8 s are over; then `stalled`.',
    },
  },
  'job-key-removed': {
    title: 'Job key removed',
    boundaries: ['redis-loss'],
    means: 'The job hash was removed while a run held it.',
    mustBeSeen: 'Missing key for a job that was active.',
    ruledOutBy: 'The job had completed and was removed by retention.',
    reproduce: {
      setUp: 'An ordinary worker.',
      act: 'Let the handler await 5 s; meanwhile `redis-cli DEL bull:<queue>:<job>`.',
      see: '`Missing key for job … moveToFinished`, and no hash.',
    },
  },
  'redis-rollback': {
    title: 'Redis rolled back',
    boundaries: ['redis-loss'],
    means: 'A restart or failover brought back an older state.',
    mustBeSeen: 'History that goes back.',
    ruledOutBy: 'Continuous history.',
    reproduce: {
      setUp: 'A Redis with RDB snapshots and no AOF.',
      act: '`BGSAVE`, let the job complete, `kill -9` Redis and start it again from the dump.',
      see: "The acknowledgement in the worker's log, a stream that goes back behind it, and the job run once more.",
    },
  },
  'writes-refused': {
    title: 'Writes refused',
    boundaries: ['redis-loss'],
    means: 'Redis refused writes: out of memory, read-only replica, persistence errors.',
    mustBeSeen: 'OOM, READONLY or MISCONF replies.',
    ruledOutBy: 'Writes executed in the span.',
    reproduce: {
      setUp: 'A Redis with `maxmemory-policy noeviction`.',
      act: 'Let the handler await 5 s; meanwhile `CONFIG SET maxmemory 1mb` (less than is used).',
      see: "`OOM command not allowed` in the worker's log, the job left in active.",
    },
  },
  'lock-released-without-record': {
    title: 'Lock released without a record',
    boundaries: ['redis-loss'],
    means: 'A version that frees the lock before it checks the rest left the job active and unlocked.',
    mustBeSeen: 'Code −4 or −3 of the versions that free the lock first.',
    ruledOutBy: 'A version that checks first.',
    reproduce: {
      setUp: 'BullMQ from 1.69.1 to 5.45.1.',
      act: 'In the handler add a child with the job as its parent, and return without moveToWaitingChildren.',
      see: '`Job … has pending dependencies`, no lock, the id still in active, and a stall later.',
    },
  },
  'duplicate-enqueue': {
    title: 'Duplicate enqueue',
    boundaries: ['enqueue'],
    means: 'Two jobs were added for one piece of work.',
    mustBeSeen: 'Two added events for one business key.',
    ruledOutBy: 'One added event.',
    reproduce: {
      setUp: 'An ordinary worker.',
      act: 'Add the same work twice, without a jobId of your own.',
      see: 'Two `added` entries with the same business key in their names or data, and two runs under two ids.',
    },
  },
  'id-reused': {
    title: 'Job id reused',
    boundaries: ['enqueue'],
    means: 'A job id was used again after its first job was removed.',
    mustBeSeen: 'Two added events of one id.',
    ruledOutBy: 'One added event.',
    reproduce: {
      setUp: 'An ordinary worker, removeOnComplete true.',
      act: 'Add a job with a jobId of your own, let it complete, and add another with the same jobId.',
      see: 'Two `added` entries of one id, each with its own `active` and `completed`.',
    },
  },
  'scheduler-duplicate': {
    title: 'Scheduler duplicate',
    boundaries: ['enqueue'],
    means: 'A job scheduler made two jobs for one slot.',
    mustBeSeen: 'Two repeat ids for one slot.',
    ruledOutBy: 'One id a slot.',
    reproduce: {
      setUp: 'BullMQ 5.21 to 5.34.5 and a process that ends soon after its start.',
      act: 'Call `upsertJobScheduler` at each start and let it be restarted in a loop. It is a race: many tries may be needed.',
      see: 'Two jobs `repeat:<scheduler>:<ms>` for one slot.',
    },
  },
  'no-worker': {
    title: 'No worker',
    boundaries: ['pickup'],
    means: 'No worker of the queue was alive.',
    mustBeSeen: 'Waiting jobs and no live worker.',
    ruledOutBy: 'Activations in the span.',
    reproduce: {
      setUp: 'No worker at all.',
      act: 'Add the job, and take a snapshot after more than two stalledIntervals.',
      see: 'The job in wait, nothing in active, no `stalled-check` key, no worker in CLIENT LIST.',
    },
  },
  'queue-paused': {
    title: 'Queue paused',
    boundaries: ['pickup'],
    means: 'The queue was paused.',
    mustBeSeen: 'meta.paused, or a paused event without resumed.',
    ruledOutBy: 'Activations after it.',
    reproduce: {
      setUp: 'An ordinary worker.',
      act: '`await queue.pause()`, add the job, and take a snapshot.',
      see: '`paused` in the meta hash, the job in wait (in paused up to BullMQ 5), nothing in active.',
    },
  },
  'worker-wedged': {
    title: 'Worker wedged',
    boundaries: ['pickup'],
    means: 'Workers were connected and did not fetch.',
    mustBeSeen: 'Waiting jobs, live idle workers, no activation.',
    ruledOutBy: 'Activations in the span.',
    reproduce: {
      setUp: 'An ordinary worker.',
      act: '`await worker.pause()`, add the job, and take a snapshot after more than two stalledIntervals.',
      see: 'The job in wait, nothing in active, and the worker still connected.',
    },
  },
  'overdue-delayed': {
    title: 'Overdue delayed job',
    boundaries: ['pickup'],
    means: 'A delayed job was past its due time and nobody promoted it.',
    mustBeSeen: 'A due time long before the snapshot.',
    ruledOutBy: 'A rate limit or a pause.',
    reproduce: {
      setUp: 'No worker (1.x: no QueueScheduler).',
      act: 'Add the job with delay 1000, and take a snapshot a minute later.',
      see: 'The job in delayed, its score divided by 4096 far behind the clock.',
    },
  },
  'harmless-noise': {
    title: 'Harmless noise',
    boundaries: ['none'],
    means: 'The line is known to be harmless here.',
    mustBeSeen: 'The acknowledged end of the only run.',
    ruledOutBy: 'A second run.',
    reproduce: {
      setUp: 'BullMQ before 5.65.1, many jobs that end about when the renewal timer ticks.',
      act: 'Let them run until one is completed while its renewal is under way. It is a race: many tries may be needed.',
      see: '`could not renew lock` a few milliseconds behind `completed`, once, and one run.',
    },
  },
  undetermined: {
    title: 'Undetermined',
    boundaries: ['undetermined', 'lock-renewal', 'worker-exit', 'return-to-ack', 'step-transition'],
    means: 'The evidence does not tell the causes apart.',
    mustBeSeen: '',
    ruledOutBy: '',
    reproduce: {
      setUp: 'Any of the other recipes.',
      act: "Leave out the worker's log, or the stream, or both.",
      see: 'What is left shows that something went wrong and not what; the report names what is missing.',
    },
  },
} as const satisfies Record<string, CauseText>;

export type Cause = keyof typeof CAUSES;

export const BOUNDARY_NAMES = Object.keys(BOUNDARIES) as Boundary[];
export const CAUSE_NAMES = Object.keys(CAUSES) as Cause[];
