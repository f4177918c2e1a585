/** Values of fields, checked and brought to the types the rest of the reader works with. */
import { parseDuration } from '../../time/index.js';
import type { RecordFields } from '../record.js';
import { type Role, settingName } from './roles.js';

const MAX_ID = 256;
const TOKEN = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?::\d{1,10})?/i;
/** What JavaScript prints where there was nothing; seen in the field in place of ids. */
const NO_VALUES = new Set([
  '',
  'undefined',
  'null',
  'none',
  'nan',
  '-',
  '[object object]',
  'n/a',
  'unknown',
  'true',
  'false',
]);

/** A job id as text: a number, or a short text on one line that is not a word for nothing. */
export function asJobId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value !== 'string' || value.length > MAX_ID) return undefined;
  const id = value.trim();
  return NO_VALUES.has(id.toLowerCase()) || /[\n\r]/.test(id) ? undefined : id;
}

/** Puts the value of a field with a scalar role where it belongs. A field that is already known keeps its value. */
export function assign(fields: RecordFields, role: Role, key: string, value: string | number): void {
  switch (role) {
    case 'job':
      fields.jobs ??= toList(asJobId(value));
      return;
    case 'jobs':
      fields.jobs ??= typeof value === 'string' ? listOf(value) : undefined;
      return;
    case 'job-object':
      assignJob(fields, value);
      return;
    case 'bare-id':
      fields.bareId ??= asJobId(value);
      return;
    case 'queue':
    case 'qualified-queue':
      assignQueue(fields, String(value));
      return;
    case 'job-name':
      fields.jobName ??= word(value);
      return;
    case 'attempt':
      fields.attempt ??= attemptOf(value);
      if (key.toLowerCase().includes('made')) fields.jobShaped = true;
      return;
    case 'worker':
      fields.worker ??= word(value);
      return;
    case 'label':
      fields.label ??= word(value);
      return;
    case 'token':
      fields.token ??= tokenOf(value, key);
      return;
    case 'key':
      fields.key ??= word(value);
      return;
    case 'progress':
      fields.progress ??= progressOf(value);
      return;
    case 'duration':
    case 'duration-seconds':
      fields.durationMs ??= durationOf(value, role === 'duration-seconds' ? 1000 : 1);
      return;
    case 'event':
      fields.event ??= word(value);
      return;
    case 'state':
      fields.state ??= word(value);
      return;
    case 'prev':
      fields.prev ??= word(value);
      return;
    case 'host':
      if (value !== 'unknown') fields.host ??= word(value);
      return;
    case 'container':
      fields.container ??= word(value);
      return;
    case 'signal':
      fields.signal ??= word(value);
      return;
    case 'pid':
      fields.pid ??= wholeNumber(value);
      return;
    case 'port':
      fields.port ??= wholeNumber(value);
      return;
    case 'exit-code':
      fields.exitCode ??= wholeNumber(value);
      return;
    case 'lag':
      fields.lagMs ??= durationOf(value, 1);
      return;
    case 'setting':
      assignSetting(fields, key, value);
      return;
    case 'error':
      fields.errorText ??= typeof value === 'string' && value !== '' ? value : undefined;
      return;
    case 'stack':
      if (typeof value === 'string' && /\n\s*at |^\s*at |Error/.test(value.slice(0, 4096))) fields.errorStack ??= value;
      return;
    case 'job-shape':
      fields.jobShaped = true;
      return;
    case 'request':
      fields.request = true;
      return;
    default:
      return;
  }
}

/** `job: 12` is an id, `job: "send-mail"` a name: a name has no digit or has a space. */
function assignJob(fields: RecordFields, value: string | number): void {
  const id = asJobId(value);
  if (id === undefined) return;
  if (typeof value === 'number' || (/\d/.test(id) && !/\s/.test(id))) fields.jobs ??= [id];
  else fields.jobName ??= word(value);
}

/** `mail`, or `bull:mail`, which carries the key prefix. */
export function assignQueue(fields: RecordFields, value: string): void {
  const name = word(value);
  if (fields.queue !== undefined || name === undefined) return;
  const colon = name.lastIndexOf(':');
  if (colon > 0 && colon < name.length - 1) {
    fields.queue = name.slice(colon + 1);
    const prefix = name.slice(0, colon);
    if (prefix !== 'bull') fields.prefix ??= prefix;
  } else fields.queue = name;
}

function assignSetting(fields: RecordFields, key: string, value: string | number): void {
  const name = settingName(key);
  const amount = durationOf(value, 1);
  if (name === undefined || amount === undefined) return;
  fields.settings ??= {};
  fields.settings[name] ??= amount;
}

function toList(id: string | undefined): string[] | undefined {
  return id === undefined ? undefined : [id];
}

/** `1,2,3`, `[1, 2]`, `["a","b"]` as ids; undefined when one of them is none. */
function listOf(value: string): string[] | undefined {
  const ids: string[] = [];
  for (const part of value.replace(/^\[|\]$/g, '').split(',', 1000)) {
    const id = asJobId(part.trim().replace(/^["']|["']$/g, ''));
    if (id === undefined || /\s/.test(id)) return undefined;
    ids.push(id);
  }
  return ids;
}

/** A short text on one line, trimmed; undefined for one that says nothing. */
export function word(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > MAX_ID) return undefined;
  const text = value.trim();
  return text === '' || text === 'undefined' || text === 'null' || text.includes('\n') ? undefined : text;
}

function wholeNumber(value: string | number): number | undefined {
  const number = typeof value === 'number' ? value : /^-?\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  return Number.isInteger(number) ? number : undefined;
}

/** `2`, `2/5`, `#2`. */
function attemptOf(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  const match = /^#?(\d{1,5})(?:\s*(?:\/|of)\s*\d{1,5})?$/.exec(value.trim());
  return match ? Number(match[1]) : undefined;
}

/** `50`, `50%`, `0.5`, or a short text such as the name of a step. */
export function progressOf(value: unknown): number | string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const number = /^(\d{1,5}(?:\.\d{1,4})?)\s*%?$/.exec(value.trim());
  if (number) return Number(number[1]);
  return word(value)?.slice(0, 80);
}

/** A number, or a text with a unit, in ms. */
function durationOf(value: string | number, perUnit: number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value * perUnit : undefined;
  const text = value.trim().replace(/^\+/, '').replace(/\s+/g, '');
  if (text.length > 24 || !/^\d/.test(text)) return undefined;
  try {
    return /^[\d.]+$/.test(text) ? Number(text) * perUnit || undefined : parseDuration(text);
  } catch {
    return undefined;
  }
}

function tokenOf(value: string | number, key: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  const found = TOKEN.exec(value.slice(0, 200));
  if (found) return found[0];
  // A token chosen by the application itself: only a field that can mean nothing else is believed.
  return /lock|job/i.test(key) && value.length <= 100 ? word(value) : undefined;
}

/** A BullMQ lock token (`<uuid>:<n>`) anywhere in a text. */
export function tokenIn(text: string): string | undefined {
  return /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:\d{1,10}/i.exec(text)?.[0];
}
