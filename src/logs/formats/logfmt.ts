import { assign } from '../fields/assign.js';
import { unquote } from '../fields/pairs.js';
import { roleOf } from '../fields/roles.js';
import { type LogRecord, levelOf } from '../record.js';
import { valueAt } from '../team/team-fields.js';
import { defineFormat, type FormatContext } from './define-format.js';

/** `ts=2024-01-15T10:30:00.123Z level=info msg="job started" jobId=42`: every word is a pair. */
const START = /^[A-Za-z_@][\w.@-]{0,63}=(?:"|\S)/;
const PAIR = /([A-Za-z_@][\w.@/-]{0,63})(?:=("(?:[^"\\]|\\.){0,4000}"|[^\s"]{0,1000}))?(?:\s+|$)/y;
const KNOWN = /(?:^|\s)(?:ts|time|timestamp|level|lvl|msg|message|severity)=/;

export const logfmt = defineFormat({
  name: 'logfmt',
  recognise: (line) => START.test(line) && KNOWN.test(line.slice(0, 400)),
  parse(line, { time, team }) {
    const text = line.length > 16_384 ? line.slice(0, 16_384) : line;
    const record: LogRecord = { format: 'logfmt', precision: 'none', message: '', fields: {} };
    const object: Record<string, string> = {};
    let message = '';
    let pairs = 0;
    PAIR.lastIndex = 0;
    for (let match = PAIR.exec(text); match; match = PAIR.exec(text)) {
      const key = match[1] ?? '';
      if (match[2] === undefined) continue;
      pairs++;
      const value = unquote(match[2]);
      if (team && !Object.hasOwn(object, key)) object[key] = value;
      switch (key) {
        case 'ts':
        case 'time':
        case 'timestamp':
        case 't':
        case '@timestamp': {
          const hit = record.t === undefined ? time.value(value) : undefined;
          if (hit) {
            record.t = hit.t;
            record.precision = hit.precision;
          }
          break;
        }
        case 'level':
        case 'lvl':
        case 'severity':
          record.level ??= levelOf(value);
          break;
        case 'msg':
        case 'message':
          message ||= value;
          break;
        default: {
          const role = roleOf(key);
          if (role !== null && role !== 'skip') assign(record.fields, role, key, value);
        }
      }
    }
    if (pairs < 2) return undefined;
    return withTeam({ ...record, message }, object, { time, ...(team && { team }) });
  },
});

/** The record with what stands where the team's configuration says. */
function withTeam(
  record: LogRecord,
  object: Readonly<Record<string, string>>,
  { time, team }: FormatContext,
): LogRecord {
  if (team === undefined) return record;
  const { fields } = team;
  fields.collect(object, record.fields);
  const first = (paths: readonly string[]): string | undefined =>
    paths.map((path) => valueAt(object, path)).find((value) => typeof value === 'string');
  const hit = time.value(first(fields.time));
  return {
    ...record,
    ...(hit && { t: hit.t, precision: hit.precision }),
    level: levelOf(first(fields.level)) ?? record.level,
    message: first(fields.message) ?? record.message,
    object,
  };
}
