/**
 * Fields written into text: `attempt=1 event=completed`, a JSON object at the end of a line, the object that
 * `util.inspect` prints. Each goes through the same roles as a field of a JSON record.
 */
import type { RecordFields } from '../record.js';
import { assign } from './assign.js';
import { collectFields, isObject } from './collect.js';
import { roleOf } from './roles.js';

const MAX_TEXT = 4096;
/** A longer object is read by its first pairs only. */
const MAX_OBJECT = 262_144;
const PAIR =
  /(?<![^\s,;([{|])([A-Za-z_@][\w.@-]{0,63})=("(?:[^"\\]|\\.){0,1000}"|'[^'\n]{0,1000}'|\[[^\]\n]{0,500}\]|[^\s,;)\]}|"']{1,300})/g;
/** `key: 'value'`, `key: 12`, `"key": "value"` inside braces. */
const INSPECTED =
  /(?<![\w"'])["']?([A-Za-z_][\w.-]{0,63})["']?: ?("(?:[^"\\]|\\.){0,1000}"|'(?:[^'\\]|\\.){0,1000}'|-?\d{1,20}(?:\.\d{1,10})?(?=[\s,}\]]|$))/g;

/** Words in front of an object that is the job's own data or result, not the logger's fields. */
const PAYLOAD = /\b(?:data|payload|body|input|args|params|result|returned|value|with|output)[:=,]? ?$/i;

/**
 * Reads the fields in `text` into `fields` and gives back the words that are left, for the phrases.
 */
export function takePairs(text: string, fields: RecordFields): string {
  const brace = text.indexOf('{');
  const whole = brace >= 0 && brace < MAX_TEXT ? takeObject(text, brace, fields) : text;
  const words = whole.length > MAX_TEXT ? whole.slice(0, MAX_TEXT) : whole;
  if (!words.includes('=')) return words;
  return words.replace(PAIR, (pair: string, key: string, value: string) => {
    const role = roleOf(key);
    // Of an unknown field neither name nor value is worded prose.
    if (role !== null && role !== 'skip') assign(fields, role, key, unquote(value));
    else if (key === 'msg' || key === 'message') return unquote(value);
    return pair.length > 0 ? ' ' : pair;
  });
}

function takeObject(text: string, brace: number, fields: RecordFields): string {
  const end = text.lastIndexOf('}');
  if (end < brace) {
    // The object was cut off, or goes on past the window: what is there still counts.
    return takeInspected(text, brace, text.length, fields);
  }
  if (end - brace > MAX_OBJECT) return takeInspected(text, brace, end + 1, fields);
  const inside = text.slice(brace, end + 1);
  if (inside.charCodeAt(1) === 34 || inside.startsWith('{\n') || inside.startsWith('{ "')) {
    const parsed = parseJson(inside);
    if (parsed !== undefined) {
      if (PAYLOAD.test(text.slice(Math.max(0, brace - 24), brace))) fields.payloadJobs ??= collectFields(parsed).jobs;
      else collectFields(parsed, fields);
      return `${text.slice(0, brace)} ${text.slice(end + 1)}`;
    }
  }
  return takeInspected(text, brace, end + 1, fields);
}

function takeInspected(text: string, brace: number, end: number, fields: RecordFields): string {
  let found = false;
  for (const [, key, value] of text.slice(brace, Math.min(end, brace + MAX_TEXT)).matchAll(INSPECTED)) {
    if (key === undefined || value === undefined) continue;
    found = true;
    const role = roleOf(key);
    if (role !== null && role !== 'skip') assign(fields, role, key, unquote(value));
  }
  return found ? `${text.slice(0, brace)} ${text.slice(end)}` : text;
}

/** A JSON object, or undefined for anything else; never throws. */
export function parseJson(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Without surrounding quotes and backslashes. */
export function unquote(value: string): string {
  const quote = value.charCodeAt(0);
  if ((quote !== 34 && quote !== 39) || value.length < 2) return value;
  const inner = value.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  return inner.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char));
}
