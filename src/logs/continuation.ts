/** What the lines after the first say: the error with its stack, and the fields that were printed one a line. */
import { collectFields } from './fields/collect.js';
import { takePairs } from './fields/pairs.js';
import { isErrorLine } from './formats/error-text.js';
import { prettyFields } from './formats/pino-pretty.js';
import type { LogRecord } from './record.js';

const MAX_STACK = 16_384;
const ERROR_IN_TEXT = /(?:^|[\s:([{])((?:[A-Z]\w{0,60})?(?:Error|Exception)(?: \[[A-Z_]{1,60}\])?: .{1,2000})/;

/** Adds error and fields of the following lines to the record. */
export function readContinuation(record: LogRecord, rest: readonly string[]): void {
  if (rest.length > 0) {
    const text = rest.join('\n').slice(0, MAX_STACK);
    if (record.format === 'pino-pretty') collectFields(prettyFields(rest), record.fields);
    // Fields of an inspected object or of pino-pretty; a stack's `code: -2` among them.
    if (/[:=]/.test(text)) takePairs(`{\n${text}\n}`, record.fields);
    record.error ??= errorAmong(record, rest, text);
  }
  if (record.error === undefined && isErrorLine(record.message))
    record.error = { message: withoutName(record.message) };
}

function errorAmong(record: LogRecord, rest: readonly string[], text: string): LogRecord['error'] {
  const hasFrames = /^\s{1,40}at |^\s{0,20}at .{1,300}:\d{1,7}:\d{1,7}\)?$|^\s{1,40}File ".{1,600}", line \d/m.test(
    text,
  );
  const line = rest.find((candidate) => isErrorLine(candidate.trim()));
  if (line !== undefined) {
    const message = withoutName(line.trim());
    return hasFrames ? { message, stack: text } : { message };
  }
  // pino-pretty shows the error as an object: `"message": "boom"`.
  const quoted = /"message": "((?:[^"\\]|\\.){1,2000})"/.exec(text)?.[1];
  if (quoted !== undefined) return hasFrames ? { message: quoted, stack: text } : { message: quoted };
  if (!hasFrames) return undefined;
  const inline = ERROR_IN_TEXT.exec(record.message.slice(0, 4096))?.[1];
  return { message: withoutName(inline ?? record.message), stack: `${record.message}\n${text}` };
}

function withoutName(text: string): string {
  return text.replace(/^(?:Uncaught )?(?:[A-Z]\w{0,60})?(?:Error|Exception)(?: \[[A-Z_]{1,60}\])?: /, '');
}
