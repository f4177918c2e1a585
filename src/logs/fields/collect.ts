/** From the object of a JSON record to its `RecordFields`, however deep the application put them. */
import type { RecordError, RecordFields } from '../record.js';
import { asJobId, assign, assignQueue, progressOf, word } from './assign.js';
import { type Role, roleOf } from './roles.js';

/** How deep fields are looked for. */
export const MAX_DEPTH = 4;
/** How many keys of one object are looked at. */
export const MAX_KEYS = 80;
/** Of a job's own payload only what names the job counts: everything else in it is the application's business. */
export const PAYLOAD_ROLES: ReadonlySet<Role> = new Set<Role>([
  'job',
  'jobs',
  'queue',
  'job-name',
  'attempt',
  'token',
  'key',
]);

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Collects what `source` says, outer fields before inner ones: of two spellings of one thing the outermost is the
 * record's own.
 */
export function collectFields(source: JsonObject, fields: RecordFields = {}): RecordFields {
  visit(source, fields, 0, undefined);
  return fields;
}

function visit(source: JsonObject, fields: RecordFields, depth: number, only: ReadonlySet<Role> | undefined): void {
  let inner: string[] | undefined;
  let keys = 0;
  for (const key in source) {
    if (++keys > MAX_KEYS) break;
    const value = source[key];
    const type = typeof value;
    if (type === 'string' || type === 'number') {
      const role = roleOf(key);
      if (role === null || role === 'skip' || (only && !only.has(role))) continue;
      assign(fields, role, key, value as string | number);
    } else if (type === 'object' && value !== null) {
      inner ??= [];
      inner.push(key);
    }
  }
  if (inner === undefined || depth >= MAX_DEPTH) return;
  for (const key of inner) enter(key, source[key], fields, depth, only);
}

function enter(
  key: string,
  value: unknown,
  fields: RecordFields,
  depth: number,
  only: ReadonlySet<Role> | undefined,
): void {
  const role = roleOf(key);
  if (Array.isArray(value)) {
    if (role === 'jobs') fields.jobs ??= jobList(value);
    return;
  }
  if (!isObject(value)) return;
  switch (role) {
    case 'job-object':
      collectJob(value, fields);
      return;
    case 'queue':
      if (typeof value.name === 'string') assignQueue(fields, value.name);
      return;
    case 'worker':
      collectWorker(value, fields);
      return;
    case 'progress':
      fields.progress ??= innerProgress(value);
      return;
    case 'error':
      fields.error ??= errorOf(value);
      return;
    case 'request':
      fields.request = true;
      return;
    case 'job-shape':
      fields.jobShaped = true;
      return;
    case 'payload':
      visit(value, fields, depth + 1, PAYLOAD_ROLES);
      return;
    case 'skip':
      if (key === 'message' || key === 'msg') visit(value, fields, depth + 1, only);
      return;
    default:
      visit(prefixed(key, value), fields, depth + 1, only);
  }
}

/** `host: {hostname}`, `process: {pid}`, `kubernetes: {pod_name}`: the two names together are the spelling. */
function prefixed(key: string, value: JsonObject): JsonObject {
  switch (key) {
    case 'host':
      return { hostname: value.hostname ?? value.name };
    case 'process':
      return { pid: value.pid };
    default:
      return value;
  }
}

/** A job as an object: a BullMQ job as JSON, or what an application keeps of it. */
function collectJob(job: JsonObject, fields: RecordFields): void {
  fields.jobs ??= idOf(job);
  fields.jobName ??= word(job.name) ?? word(job.type);
  const queue = word(job.queueQualifiedName) ?? word(job.queueName) ?? word(job.queue);
  if (queue !== undefined) assignQueue(fields, queue);
  for (const key of ['attempt', 'attemptsMade', 'attempts_made'] as const) {
    const attempt = job[key];
    if (typeof attempt === 'number' || typeof attempt === 'string') assign(fields, 'attempt', 'attempt', attempt);
  }
  const token = job.token ?? job.lockToken;
  if (typeof token === 'string') assign(fields, 'token', 'token', token);
  fields.worker ??= word(job.processedBy);
  fields.progress ??= isObject(job.progress) ? innerProgress(job.progress) : progressOf(job.progress);
  if (typeof job.failedReason === 'string' && job.failedReason !== '') fields.errorText ??= job.failedReason;
  fields.state ??= word(job.state) ?? word(job.status);
}

function idOf(job: JsonObject): string[] | undefined {
  const id = asJobId(job.id) ?? asJobId(job.jobId) ?? asJobId(job.job_id);
  return id === undefined ? undefined : [id];
}

function collectWorker(worker: JsonObject, fields: RecordFields): void {
  fields.worker ??= word(worker.name) ?? word(worker.id);
  for (const key of ['pid', 'hostname', 'host', 'pod', 'container']) {
    const role = roleOf(key);
    const value = worker[key];
    if (role !== null && (typeof value === 'number' || typeof value === 'string')) assign(fields, role, key, value);
  }
}

function innerProgress(value: JsonObject): number | string | undefined {
  for (const key of ['percent', 'percentage', 'pct', 'progress', 'value', 'step', 'current', 'stage', 'done']) {
    const inner = progressOf(value[key]);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** An error as loggers serialise it: pino and bunyan, ECS, GCP, tslog with its frames in a list. */
function errorOf(value: JsonObject): RecordError | undefined {
  const message = textOf(value.message) ?? textOf(value.msg) ?? textOf(value.reason) ?? textOf(value.description);
  const stack =
    textOf(value.stack) ??
    textOf(value.stack_trace) ??
    textOf(value.stacktrace) ??
    textOf(value.stackTrace) ??
    frames(value.stack);
  if (message === undefined && stack === undefined) return undefined;
  const text = message ?? firstLine(stack ?? '');
  return stack === undefined ? { message: text } : { message: text, stack };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function frames(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const lines = value.slice(0, 60).map((frame: unknown) => {
    if (!isObject(frame)) return String(frame);
    const path = textOf(frame.filePath) ?? textOf(frame.path) ?? textOf(frame.fullFilePath) ?? textOf(frame.file) ?? '';
    return `    at ${textOf(frame.method) ?? textOf(frame.function) ?? ''} (${path})`;
  });
  return lines.join('\n');
}

/** `Error: boom` from a stack, without the name of the error. */
export function firstLine(stack: string): string {
  const end = stack.indexOf('\n');
  const line = (end < 0 ? stack : stack.slice(0, end)).trim();
  return line.replace(/^(?:Uncaught )?[A-Z]\w{0,60}(?:Error|Exception)?: /, '');
}

function jobList(values: readonly unknown[]): string[] | undefined {
  const ids: string[] = [];
  for (const value of values.slice(0, 1000)) {
    const id = isObject(value) ? (asJobId(value.id) ?? asJobId(value.jobId)) : asJobId(value);
    if (id !== undefined) ids.push(id);
  }
  return ids.length > 0 ? ids : undefined;
}
