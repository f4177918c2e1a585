/**
 * What teams print, in six ways and, in words-of-strangers.mjs, in six more. Each set says what it prints for a moment of a worker's life; what a set does not name, it
 * does not print. `{ msg, fields?, level?, err? }`; level `info` unless told.
 *
 * `tellsReturn`: the set has a line of its own for the handler's return, so that a log can tell a return without
 * acknowledgement from a handler cut short. Labels depend on it. `watchesLag`: it prints event loop lag even when the
 * scenario does not ask for it. The moments after `uncaught` are of scenarios that have more than workers.
 */
import { STRANGERS } from './words-of-strangers.mjs';

/** Structured records: a short sentence and fields; a health line twice a second. */
const a = {
  tellsReturn: true,
  ready: ({ concurrency }) => ({ msg: 'Worker ready', fields: { queue: 'mail', concurrency } }),
  start: ({ id, name, attempt }) => ({ msg: 'Sending invoice', fields: { jobId: id, jobName: name, attempt } }),
  progress: ({ id, value }) => ({ msg: 'Invoice progress', fields: { jobId: id, progress: value } }),
  line: ({ id, text }) => ({ msg: text, fields: { jobId: id } }),
  moved: ({ id }) => ({ msg: 'PDF not ready yet, trying later', fields: { jobId: id } }),
  returned: ({ id, ms }) => ({ msg: 'Invoice sent', fields: { jobId: id, durationMs: ms } }),
  threw: ({ id, err }) => ({ level: 'warn', msg: 'Invoice not sent', fields: { jobId: id, reason: err.message } }),
  completed: ({ id }) => ({ msg: 'Job completed', fields: { jobId: id, event: 'completed' } }),
  failed: ({ id, err }) => ({ level: 'error', msg: 'Job failed', fields: { jobId: id, event: 'failed' }, err }),
  stalled: ({ id }) => ({ level: 'warn', msg: 'Job stalled', fields: { jobId: id, event: 'stalled' } }),
  error: ({ err }) => ({ level: 'error', msg: 'Worker error', err }),
  signal: ({ signal }) => ({ msg: `${signal} received, shutting down`, fields: { signal } }),
  closed: () => ({ msg: 'Worker closed' }),
  uncaught: ({ err }) => ({ level: 'fatal', msg: 'Uncaught exception', err }),
  heartbeat: () => ({ msg: 'GET /healthz 200' }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: `event loop lag ${lagMs} ms` }),
  paused: () => ({ msg: 'Worker paused' }),
  resumed: () => ({ msg: 'Worker resumed' }),
  receipt: ({ id }) => ({ msg: 'Sending delivery receipt', fields: { jobId: id } }),
  receiptSent: ({ id }) => ({ msg: 'Delivery receipt sent', fields: { jobId: id } }),
  enqueued: ({ id, ref }) => ({ msg: 'Invoice queued', fields: { jobId: id, invoiceId: ref } }),
  scheduled: ({ id, pattern }) => ({ msg: 'Scheduler registered', fields: { scheduler: id, pattern } }),
  retried: ({ id, state }) => ({ msg: `PUT /admin/queues/mail/${id}/retry/${state} 200` }),
  outside: ({ id, err }) => ({ level: 'error', msg: 'Could not close invoice job', fields: { jobId: id }, err }),
};

/** Sentences with everything in the text. */
const b = {
  tellsReturn: true,
  ready: ({ concurrency }) => ({ msg: `worker listening on payments (concurrency ${concurrency})` }),
  start: ({ id, name }) => ({ msg: `picked up job ${id} (${name})` }),
  progress: ({ id, value }) => ({ msg: `job ${id}: ${value}%` }),
  line: ({ id, text }) => ({ msg: `job ${id}: ${text}` }),
  moved: ({ id }) => ({ msg: `job ${id}: bank is busy, will look again` }),
  returned: ({ id, ms }) => ({ msg: `job ${id} done in ${ms}ms` }),
  completed: ({ id }) => ({ msg: `${id} has completed!` }),
  failed: ({ id, err }) => ({ level: 'error', msg: `${id} has failed with ${err.message}` }),
  stalled: ({ id }) => ({ level: 'warn', msg: `job ${id} has stalled` }),
  lostLock: ({ ids }) => ({ level: 'warn', msg: `lost lock for job ${ids.join(', ')}` }),
  error: ({ err }) => ({ level: 'error', msg: `worker error: ${err.message}` }),
  signal: ({ signal }) => ({ msg: `got ${signal}, draining` }),
  closed: () => ({ msg: 'worker closed, bye' }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: `event loop was blocked for ${lagMs}ms` }),
  paused: () => ({ msg: 'worker paused' }),
  resumed: () => ({ msg: 'worker resumed' }),
  receipt: ({ id }) => ({ msg: `receipt for job ${id}: sending` }),
  receiptSent: ({ id }) => ({ msg: `receipt for job ${id}: sent` }),
  enqueued: ({ id, ref }) => ({ msg: `orderId=${ref} queued as job ${id}` }),
  scheduled: ({ id, pattern }) => ({ msg: `scheduler ${id} registered (${pattern})` }),
  retried: ({ id, state }) => ({ msg: `operator retried ${state} job ${id}` }),
  outside: ({ id, err }) => ({ level: 'error', msg: `job ${id} could not be marked as paid: ${err.message}`, err }),
};

/** Event names and terse fields; settings at the start, event loop lag when it is long. */
const c = {
  tellsReturn: true,
  ready: ({ concurrency, lockDuration, stalledInterval }) => ({
    msg: 'worker.up',
    fields: { q: 'render', conc: concurrency, lockDuration, stalledInterval },
  }),
  start: ({ id, attempt }) => ({ msg: 'job.start', fields: { job: id, try: attempt } }),
  progress: ({ id, value }) => ({ msg: 'job.progress', fields: { job: id, pct: value } }),
  line: ({ id, text }) => ({ msg: 'job.note', fields: { job: id, note: text } }),
  moved: ({ id, to }) => ({ msg: 'job.defer', fields: { job: id, to } }),
  returned: ({ id, ms }) => ({ msg: 'job.end', fields: { job: id, ms } }),
  completed: ({ id }) => ({ msg: 'job.ack', fields: { job: id } }),
  failed: ({ id, err }) => ({ level: 'error', msg: 'job.fail', fields: { job: id, reason: err.message } }),
  stalled: ({ id }) => ({ level: 'warn', msg: 'job.stalled', fields: { job: id } }),
  lostLock: ({ ids }) => ({ level: 'warn', msg: 'job.lock_renewal_failed', fields: { jobs: ids.join(',') } }),
  error: ({ err }) => ({ level: 'error', msg: 'worker.error', fields: { error: err.message } }),
  signal: ({ signal }) => ({ msg: 'proc.signal', fields: { signal } }),
  closed: () => ({ msg: 'worker.down' }),
  heartbeat: () => ({ msg: 'metrics.flush', fields: { ok: true } }),
  watchesLag: true,
  lag: ({ lagMs }) => ({ level: 'warn', msg: 'event loop lag', fields: { lag_ms: lagMs } }),
  paused: () => ({ msg: 'worker.paused' }),
  resumed: () => ({ msg: 'worker.resumed' }),
  receipt: ({ id }) => ({ msg: 'notify.start', fields: { job: id } }),
  receiptSent: ({ id }) => ({ msg: 'notify.end', fields: { job: id } }),
  enqueued: ({ id, ref }) => ({ msg: 'job.add', fields: { job: id, clip: ref } }),
  scheduled: ({ id, pattern }) => ({ msg: 'scheduler.upsert', fields: { scheduler: id, pattern } }),
  retried: ({ id, state }) => ({ msg: 'job.retry_by_hand', fields: { job: id, state } }),
  outside: ({ id, err }) => ({ level: 'error', msg: 'job.close_failed', fields: { job: id, error: err.message } }),
};

/** A start line and the worker's events as the BullMQ guide shows them; no line for the handler's return. */
const d = {
  tellsReturn: false,
  start: ({ id, name }) => ({ msg: `Processing ${name} ${id}` }),
  completed: ({ id }) => ({ msg: `${id} has completed!` }),
  failed: ({ id, err }) => ({ level: 'error', msg: `${id} has failed with ${err.message}` }),
  stalled: ({ id }) => ({ level: 'warn', msg: `Job ${id} stalled` }),
  error: ({ err }) => ({ level: 'error', msg: err.message, err }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: `event loop lag ${lagMs} ms` }),
  receipt: ({ id }) => ({ msg: `Notifying owner of ${id}` }),
  receiptSent: ({ id }) => ({ msg: `Owner of ${id} notified` }),
  enqueued: ({ id, name, ref }) => ({ msg: `Added ${name} ${id}`, fields: { contactId: ref } }),
  scheduled: ({ id }) => ({ msg: `Upserted job scheduler ${id}` }),
  retried: ({ id }) => ({ msg: `Retrying job ${id} on request` }),
  outside: ({ id, err }) => ({ level: 'error', msg: `Job ${id}: ${err.message}`, err }),
};

/** The BullMQ guide and nothing else: no start lines at all. */
const e = {
  tellsReturn: false,
  completed: ({ id }) => ({ msg: `${id} has completed!` }),
  failed: ({ id, err }) => ({ level: 'error', msg: `${id} has failed with ${err.message}` }),
  error: ({ err }) => ({ level: 'error', msg: '', err }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: `Event loop lag: ${lagMs} ms` }),
  receipt: ({ id }) => ({ msg: `thanking for ${id}` }),
  receiptSent: ({ id }) => ({ msg: `thanked for ${id}` }),
  enqueued: ({ id, ref }) => ({ msg: `added job ${id} for ${ref}` }),
  outside: ({ err }) => ({ level: 'error', msg: '', err }),
};

/** @nestjs/bullmq with its @OnWorkerEvent decorators as its guide shows them: the start line is the `active` event. */
const f = {
  tellsReturn: false,
  ready: () => ({ msg: 'Nest application successfully started' }),
  active: ({ id, name, data }) => ({
    msg: `Processing job ${id} of type ${name} with data ${JSON.stringify(data)}...`,
  }),
  completed: ({ id, name }) => ({ msg: `Completed job ${id} of type ${name}` }),
  failed: ({ id, name, err }) => ({ level: 'error', msg: `Failed job ${id} of type ${name}: ${err.message}`, err }),
  stalled: ({ id }) => ({ level: 'warn', msg: `Job ${id} stalled` }),
  error: ({ err }) => ({ level: 'error', msg: `Worker error: ${err.message}`, err }),
  signal: ({ signal }) => ({ msg: `${signal} received: closing application` }),
  closed: () => ({ msg: 'Worker closed' }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: `Event loop delay ${lagMs}ms` }),
  paused: () => ({ msg: 'Worker paused' }),
  resumed: () => ({ msg: 'Worker resumed' }),
  receipt: ({ id }) => ({ msg: `Publishing track of job ${id}` }),
  receiptSent: ({ id }) => ({ msg: `Published track of job ${id}` }),
  enqueued: ({ id, ref }) => ({ msg: `Added job ${id} (trackId=${ref})` }),
  scheduled: ({ id }) => ({ msg: `Registered job scheduler ${id}` }),
  retried: ({ id, state }) => ({ msg: `Retry of ${state} job ${id} requested from board` }),
  outside: ({ id, err }) => ({ level: 'error', msg: `Job ${id} not finished: ${err.message}`, err }),
};

export const WORDS = { a, b, c, d, e, f, ...STRANGERS };
