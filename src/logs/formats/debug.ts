import type { LogRecord } from '../record.js';
import { defineFormat } from './define-format.js';

/**
 * The `debug` package, which ioredis and so BullMQ use: `2024-01-15T10:30:00.123Z ioredis:redis status[…]: wait -> ready`
 * where output is no terminal, `  app:worker Job started +3ms`, without a time, where it is.
 */
const DATED = /^\d{4}-\d\d-\d\dT[\d:.]{8,16}Z ([A-Za-z][\w.-]{0,60}(?::[\w.*-]{1,60}){1,5}) /;
const TERMINAL = /^ {2}([A-Za-z][\w.-]{0,60}(?::[\w.*-]{1,60}){0,5}) (.{0,4000}) \+\d{1,6}(?:ms|s|m|h|d)$/;

export const debug = defineFormat({
  name: 'debug',
  recognise: (line, code) =>
    code === 32 ? isDebugTerminal(line) : code >= 48 && code <= 57 && DATED.test(line.slice(0, 200)),
  parse(line, { time }) {
    const terminal = line.charCodeAt(0) === 32 ? TERMINAL.exec(line) : null;
    if (terminal) return record(terminal[1], terminal[2] ?? '');
    const dated = DATED.exec(line.slice(0, 200));
    const hit = time.at(line, 0);
    if (!dated || !hit) return undefined;
    return { ...record(dated[1], line.slice(dated[0].length)), t: hit.t, precision: hit.precision };
  },
});

/** An indented line that nevertheless begins a record. */
export function isDebugTerminal(line: string): boolean {
  return line.charCodeAt(1) === 32 && line.charCodeAt(2) > 64 && line.length < 4096 && TERMINAL.test(line);
}

function record(namespace: string | undefined, message: string): LogRecord {
  // The namespace says who speaks: `ioredis:` and `bull` matter to the phrases.
  return { format: 'debug', precision: 'none', message: `${namespace}: ${message}`, fields: { label: namespace } };
}
