/** The text formats, most telling first: a line belongs to the first row that recognises and can parse it. */
import type { LogRecord } from '../record.js';
import { debug } from './debug.js';
import type { FormatContext, TextFormat } from './define-format.js';
import { errorText } from './error-text.js';
import { jsonCut } from './json-cut.js';
import { logfmt } from './logfmt.js';
import { nest } from './nest.js';
import { containerExit, nodeOutput } from './node-output.js';
import { pinoPretty } from './pino-pretty.js';
import { levelled, plain } from './plain.js';
import { taggedJson } from './tagged-json.js';

export const TEXT_FORMATS: readonly TextFormat[] = [
  jsonCut,
  taggedJson,
  nest,
  nodeOutput,
  debug,
  pinoPretty,
  logfmt,
  plain,
  containerExit,
  errorText,
  levelled,
];

/** The record that a line of text begins, or undefined when no format knows it. */
export function readText(line: string, context: FormatContext): LogRecord | undefined {
  const code = line.charCodeAt(0);
  for (const format of TEXT_FORMATS) {
    if (!format.recognise(line, code)) continue;
    const record = format.parse(line, context);
    if (record) return record;
  }
  return undefined;
}
