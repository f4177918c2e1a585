/** The record that a text begins, whatever its format: a JSON object, or a line. */
import { parseJson } from '../fields/pairs.js';
import type { LogRecord } from '../record.js';
import type { FormatContext } from './define-format.js';
import { jsonFormatOf } from './json-formats.js';
import { readJson } from './read-json.js';
import { readText } from './text-formats.js';

/** A line that is a JSON object on its own; undefined for any other. */
export function jsonRecord(text: string, context: FormatContext): LogRecord | undefined {
  if (text.charCodeAt(0) !== 123) return undefined;
  const last = text.charCodeAt(text.length - 1);
  if (last !== 125 && last > 32) return undefined;
  const object = parseJson(text);
  return object && readJson(jsonFormatOf(object, text), object, text, context);
}

/** Undefined where no format knows it. */
export function recordOf(text: string, context: FormatContext): LogRecord | undefined {
  return jsonRecord(text, context) ?? readText(text, context);
}
