import { defineFormat } from './define-format.js';

/**
 * What `console.error(error)` prints, and BullMQ itself where no `error` listener is attached: no time, no level, and still
 * the most frequent form in which lock errors reach a log.
 */
const ERROR = /^(?:Uncaught )?(?:[A-Z]\w{0,60})?(?:Error|Exception|Rejection)(?: \[[A-Z_]{1,60}\])?(?::|$)/;
/** Where Node stopped: the line above the source line it shows for an uncaught exception. */
const PLACE = /^(?:file:\/\/\/|node:|\/|[A-Za-z]:\\)\S{0,500}:\d{1,7}$/;

export const errorText = defineFormat({
  name: 'error-text',
  recognise: (line, code) => (code >= 65 && code <= 90 ? ERROR.test(line.slice(0, 140)) : isCrashPlace(line)),
  parse: (line) => ({ format: 'error-text', precision: 'none', level: 50, message: line, fields: {} }),
});

export function isErrorLine(line: string): boolean {
  return ERROR.test(line.slice(0, 140));
}

export function isCrashPlace(line: string): boolean {
  return line.length < 520 && PLACE.test(line);
}
