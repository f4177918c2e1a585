import { stripColours } from '../clean-line.js';
import { assign } from '../fields/assign.js';
import { unquote } from '../fields/pairs.js';
import { roleOf } from '../fields/roles.js';
import { type LogRecord, levelOf } from '../record.js';
import { defineFormat } from './define-format.js';

/**
 * A JSON record cut off by a size limit on its way (16 KiB, 10,000 bytes, 48 KiB, by transport). It no longer parses; what
 * stands before the cut is read pair by pair, without regard to nesting.
 */
const PAIR = /"([\w.@-]{1,64})": ?(?:"((?:[^"\\]|\\.){0,4000})"?|(-?\d{1,20}(?:\.\d{1,10})?)(?=[,}\]\s]))/g;
const MAX_TEXT = 32_768;

export const jsonCut = defineFormat({
  name: 'json-cut',
  recognise: (line, code) => code === 123 && line.charCodeAt(1) === 34,
  parse(line, { time }) {
    const record: LogRecord = { format: 'json-cut', precision: 'none', message: '', fields: {} };
    let message = '';
    let pairs = 0;
    for (const [, key, text, number] of line.slice(0, MAX_TEXT).matchAll(PAIR)) {
      if (key === undefined) continue;
      pairs++;
      const value = text === undefined ? Number(number) : unquote(`"${text}"`);
      if (/^(?:time|timestamp|ts|@timestamp)$/.test(key)) {
        const hit = record.t === undefined ? time.value(value) : undefined;
        if (hit) {
          record.t = hit.t;
          record.precision = hit.precision;
        }
      } else if (/^(?:level|severity|lvl)$/.test(key)) record.level ??= levelOf(value);
      else if (/^(?:msg|message)$/.test(key)) message ||= stripColours(String(value));
      else {
        const role = roleOf(key);
        if (role !== null && role !== 'skip') assign(record.fields, role, key, value);
      }
    }
    return pairs === 0 ? undefined : { ...record, message };
  },
});
