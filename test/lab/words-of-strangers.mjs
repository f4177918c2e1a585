/**
 * Six more ways to print, after what public BullMQ workers print: written from the field, without a look at the reader, to see
 * what it makes of a team it has never met. Shape and moments as in words.mjs; `work` is a line of the application's own in
 * the middle of a run, mostly without the job's id.
 */
import { inspect } from 'node:util';

/** Symbols instead of words; the job's name only where it starts. */
const g = {
  tellsReturn: true,
  ready: ({ concurrency }) => ({ msg: `● thumbs up, ${concurrency} slot(s)` }),
  start: ({ id, name, attempt }) => ({ msg: `▶ job ${id} (${name}) attempt ${attempt}/3` }),
  work: () => ({ msg: '  GET s3://uploads 200' }),
  progress: ({ id, value }) => ({ msg: `… ${id} ${value}%` }),
  line: ({ id, text }) => ({ msg: `· ${id} ${text}` }),
  moved: ({ id }) => ({ msg: `↺ ${id} later` }),
  returned: ({ id, ms }) => ({ msg: `✔ ${id} in ${ms}ms` }),
  failed: ({ id, err }) => ({ level: 'error', msg: `✖ ${id} ${err.message}` }),
  stalled: ({ id }) => ({ level: 'warn', msg: `⚠ ${id} stalled` }),
  error: ({ err }) => ({ level: 'error', msg: '', err }),
  signal: ({ signal }) => ({ msg: `■ ${signal}` }),
  closed: () => ({ msg: '■ bye' }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: `⚠ loop blocked ${lagMs}ms` }),
  receipt: ({ id }) => ({ msg: `→ ${id} webhook` }),
  receiptSent: ({ id }) => ({ msg: `← ${id} webhook 204` }),
  enqueued: ({ id, ref }) => ({ msg: `+ job ${id} ${ref}` }),
  retried: ({ id }) => ({ msg: `↻ ${id} by hand` }),
  outside: ({ id, err }) => ({ level: 'error', msg: `✖ ${id} ${err.message}` }),
};

/** Every event of the worker and no line of the handler about its job; two queues in one process, told apart by a prefix. */
const h = {
  tellsReturn: false,
  ready: ({ queue }) => ({ msg: `[${queue}] Worker is ready and waiting for jobs` }),
  active: ({ id, queue }) => ({ msg: `[${queue}] Job ${id} is now active` }),
  work: () => ({ msg: 'SMTP 250 2.0.0 Ok: queued' }),
  progress: ({ id, queue, value }) => ({ msg: `[${queue}] Job ${id} reported progress ${value}` }),
  completed: ({ id, queue, result }) => ({ msg: `[${queue}] Job ${id} completed with result ${inspect(result)}` }),
  failed: ({ id, queue, err }) => ({ level: 'error', msg: `[${queue}] Job ${id} failed with reason ${err.message}` }),
  stalled: ({ id, queue }) => ({ level: 'warn', msg: `[${queue}] Job ${id} has stalled` }),
  lostLock: ({ ids, queue }) => ({ level: 'warn', msg: `[${queue}] Lock renewal failed for jobs ${inspect(ids)}` }),
  error: ({ err, queue }) => ({ level: 'error', msg: `[${queue}] Worker error:`, err }),
  signal: ({ signal }) => ({ msg: `Caught ${signal}, closing workers...` }),
  closed: ({ queue }) => ({ msg: `[${queue}] Worker closed` }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: `Event loop lagged ${lagMs} ms` }),
  receipt: ({ id }) => ({ msg: `Recording delivery of ${id}` }),
  receiptSent: ({ id }) => ({ msg: `Delivery of ${id} recorded` }),
  enqueued: ({ id, queue, ref }) => ({ msg: `[${queue}] Job ${id} is waiting (${ref})` }),
  retried: ({ id, queue }) => ({ msg: `[${queue}] Job ${id} requeued by operator` }),
  outside: ({ id, err }) => ({ level: 'error', msg: `Job ${id} not closed: ${err.message}` }),
};

const about = ({ id, name, attempt }, more = {}) => ({ job: { id, name, attempt, ...more } });

/** One-word messages and a nested job; its own last line, and of the worker's events only the errors. */
const i = {
  tellsReturn: true,
  ready: ({ concurrency }) => ({ msg: 'boot', fields: { worker: { concurrency } } }),
  start: (job) => ({ msg: 'start', fields: about(job) }),
  work: () => ({ msg: 'query', fields: { db: { table: 'accounts', rows: 14 } } }),
  progress: ({ value, ...job }) => ({ msg: 'progress', fields: about(job, { progress: value }) }),
  line: ({ text, ...job }) => ({ msg: text, fields: about(job) }),
  moved: ({ to, ...job }) => ({ msg: 'rescheduled', fields: about(job, { to }) }),
  returned: ({ ms, ...job }) => ({ msg: 'done', fields: { ...about(job), took: ms } }),
  threw: ({ err, ...job }) => ({ level: 'error', msg: 'failed', fields: about(job), err }),
  error: ({ err }) => ({ level: 'error', msg: err.message, err }),
  signal: ({ signal }) => ({ msg: 'shutdown', fields: { signal } }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: 'event loop delay', fields: { delay: { max: lagMs } } }),
  receipt: ({ id }) => ({ msg: 'notify', fields: { job: { id } } }),
  receiptSent: ({ id }) => ({ msg: 'notified', fields: { job: { id } } }),
  enqueued: ({ id, name, ref }) => ({ msg: 'enqueue', fields: { job: { id, name }, ref } }),
  outside: ({ id, err }) => ({ level: 'error', msg: 'close failed', fields: { job: { id } }, err }),
};

/** `event=snake_case` and snake_case fields, errors by their message. */
const j = {
  tellsReturn: true,
  ready: ({ queue, concurrency }) => ({ msg: 'event=worker_started', fields: { queue, concurrency } }),
  start: ({ id, name, attempt }) => ({ msg: 'event=job_started', fields: { job_id: id, job_type: name, attempt } }),
  work: () => ({ msg: 'event=http_request', fields: { method: 'POST', path: '/v2/captures', status: 201 } }),
  progress: ({ id, value }) => ({ msg: 'event=job_progressed', fields: { job_id: id, percent: value } }),
  line: ({ id, text }) => ({ msg: 'event=job_note', fields: { job_id: id, note: text } }),
  moved: ({ id, to }) => ({ msg: 'event=job_rescheduled', fields: { job_id: id, target_state: to } }),
  returned: ({ id, ms }) => ({ msg: 'event=job_handler_finished', fields: { job_id: id, duration_ms: ms } }),
  completed: ({ id }) => ({ msg: 'event=job_completed', fields: { job_id: id } }),
  failed: ({ id, err }) => ({ level: 'error', msg: 'event=job_failed', fields: { job_id: id, error: err.message } }),
  stalled: ({ id }) => ({ level: 'warn', msg: 'event=job_stalled', fields: { job_id: id } }),
  lostLock: ({ ids }) => ({ level: 'warn', msg: 'event=lock_renewal_failed', fields: { job_ids: ids.join(',') } }),
  error: ({ err }) => ({ level: 'error', msg: 'event=worker_error', fields: { error: err.message } }),
  signal: ({ signal }) => ({ msg: 'event=shutdown_requested', fields: { signal } }),
  closed: () => ({ msg: 'event=worker_stopped' }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: 'event=event_loop_blocked', fields: { duration_ms: lagMs } }),
  receipt: ({ id }) => ({ msg: 'event=receipt_requested', fields: { job_id: id } }),
  receiptSent: ({ id }) => ({ msg: 'event=receipt_sent', fields: { job_id: id } }),
  enqueued: ({ id, ref }) => ({ msg: 'event=job_enqueued', fields: { job_id: id, capture: ref } }),
  retried: ({ id, state }) => ({ msg: 'event=job_retried_by_operator', fields: { job_id: id, from_state: state } }),
  outside: ({ id, err }) => ({
    level: 'error',
    msg: 'event=job_close_failed',
    fields: { job_id: id, error: err.message },
  }),
};

/** Errors and progress only: no start, no end. */
const k = {
  tellsReturn: false,
  progress: ({ id, value }) => ({ msg: `${id}: ${value}% of pages rendered` }),
  line: ({ id, text }) => ({ msg: `${id}: ${text}` }),
  failed: ({ id, err }) => ({ level: 'error', msg: `${id} failed: ${err.message}`, err }),
  stalled: ({ id }) => ({ level: 'warn', msg: `${id} stalled` }),
  error: ({ err }) => ({ level: 'error', msg: `Unexpected worker error ${err.message}`, err }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: `Event loop stalled for ${lagMs}ms` }),
  receipt: ({ id }) => ({ msg: `${id}: archiving` }),
  receiptSent: ({ id }) => ({ msg: `${id}: archived` }),
  enqueued: ({ id }) => ({ msg: `${id}: requested` }),
  outside: ({ id, err }) => ({ level: 'error', msg: `${id}: ${err.message}`, err }),
};

const labels = ({ id, name, queue }) => ({ labels: { job_id: id, ...(name ? { job_name: name } : {}), queue } });

/** Sentences of the business, the job in `labels` as the Elastic schema has it. */
const l = {
  tellsReturn: true,
  ready: ({ concurrency }) => ({ msg: `Consumer up with ${concurrency} parallel exports` }),
  start: (job) => ({ msg: 'Export picked up', fields: labels(job) }),
  work: () => ({ msg: '214 rows read from warehouse' }),
  progress: ({ value, ...job }) => ({ msg: `Export at ${value} percent`, fields: labels(job) }),
  line: ({ text, ...job }) => ({ msg: text, fields: labels(job) }),
  moved: (job) => ({ msg: 'Export postponed', fields: labels(job) }),
  returned: ({ ms, ...job }) => ({
    msg: 'Export written',
    fields: { ...labels(job), 'event.duration': ms * 1_000_000 },
  }),
  completed: (job) => ({ msg: 'Export job completed', fields: labels(job) }),
  failed: ({ err, ...job }) => ({ level: 'error', msg: 'Export job failed', fields: labels(job), err }),
  stalled: (job) => ({ level: 'warn', msg: 'Export job stalled', fields: labels(job) }),
  error: ({ err }) => ({ level: 'error', msg: 'Consumer reported an error', err }),
  signal: ({ signal }) => ({ msg: `Stopping on ${signal}` }),
  closed: () => ({ msg: 'Consumer stopped' }),
  lag: ({ lagMs }) => ({ level: 'warn', msg: `Event loop utilisation: blocked for ${lagMs} ms` }),
  receipt: (job) => ({ msg: 'Sending download link', fields: labels(job) }),
  receiptSent: (job) => ({ msg: 'Download link sent', fields: labels(job) }),
  enqueued: ({ ref, ...job }) => ({ msg: `Export ${ref} requested`, fields: labels(job) }),
  retried: ({ state, ...job }) => ({ msg: `Export re-run requested from ${state}`, fields: labels(job) }),
  outside: ({ err, ...job }) => ({ level: 'error', msg: 'Export could not be closed', fields: labels(job), err }),
};

export const STRANGERS = { g, h, i, j, k, l };
