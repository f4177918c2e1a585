/** analysis.json: the analysis itself, byte for byte the same for the same content. */
import { type Analysis, analysisSchema } from '../../model/analysis.js';

/** Characters that act on a terminal or hide from the eye; JSON may write them as escapes without changing the value. */
const UNSEEN = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * JSON in the key order of the schema, two spaces, a newline at the end.
 * @throws when the analysis does not fit its own schema
 */
export function renderJson(analysis: Analysis): string {
  // Parsing rebuilds every object in the order of the schema, whoever built it in whatever order.
  return jsonText(analysisSchema.parse(analysis));
}

/** Any value as JSON that is safe to print. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(UNSEEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
