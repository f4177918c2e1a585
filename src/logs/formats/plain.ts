import { type Level, type LogRecord, levelByName } from '../record.js';
import { defineFormat } from './define-format.js';

/**
 * Text with a time in front, in whatever order its author liked: winston's `printf`, log4js, tslog, Python, nginx and
 * home-made ones. Read by its parts instead of by one pattern a format: a time, then any of level, names in brackets, pid
 * and separators, until something else begins: the message.
 */
const LEVEL = /^(?:\[\s?([A-Za-z]{3,9})\s?\]|<([A-Za-z]{3,9})>|([A-Za-z]{1,9})(?=[\]:|>\s]|$)):?/;
const NAME = /^\[([^\]\n]{1,80})\]:?/;
const PID = /^(?:\((?:pid[ =:]?)?(\d{1,10})\)|(?:pid|PID)[ =:](\d{1,10})|#?(\d{1,10})(?= (?:-|---|\|) ))/;
const SEPARATOR = /^(?:\s+|-{1,3}(?=\s)|\||›|»|:(?=\s)|,(?=\s))+/;
/** A logger name between dashes, as log4js, Python and Java print it: `worker - `. */
const DASHED = /^([A-Za-z][\w.$/-]{0,80})\s+-\s+/;
/** What may stand before a time: a bracket, or the channel letter of supervisord. */
const LEAD = /^(?:\[\s?|\(|[A-Z] (?=\d{4}-))/;
const LEADING_LEVEL = /^(?:\[([A-Za-z]{3,9})\]|([A-Z]{3,9}|[a-z]{3,9}):?)\s+[[(]?(?=\d|[A-Z][a-z]{2} )/;

export const plain = defineFormat({
  name: 'plain',
  recognise: (_line, code) => code > 32,
  parse(line, { time }) {
    const leading = LEADING_LEVEL.exec(line.slice(0, 40));
    const level = leading ? levelByName(leading[1] ?? leading[2] ?? '') : undefined;
    let at = level !== undefined && leading ? leading[0].length : (LEAD.exec(line.slice(0, 8))?.[0].length ?? 0);
    const hit = time.at(line, at);
    if (!hit) return undefined;
    at = hit.end;
    if (/^\s?[\])]/.test(line.slice(at, at + 2))) at += line.charCodeAt(at) === 32 ? 2 : 1;
    // A time that runs on into a word is none: `10:30:00abc`, `2024-01-15 10:30:00x`.
    if (/^[A-Za-z0-9_/]/.test(line.slice(at, at + 1))) return undefined;
    if (line.charCodeAt(at) === 58) at++;
    const record: LogRecord = { format: 'plain', t: hit.t, precision: hit.precision, level, message: '', fields: {} };
    return { ...record, ...readHead(line.slice(at), level, record) };
  },
});

/** A line with a level in front but no time: winston `simple()` and `cli()`, consola, Railway, home-made ones. */
export const levelled = defineFormat({
  name: 'levelled',
  recognise: (line, code) => code > 32 && LEVELLED.test(line.slice(0, 24)),
  parse(line) {
    const match = LEVELLED.exec(line.slice(0, 24));
    const level = match && levelByName(match[1] ?? match[2] ?? match[3] ?? '');
    if (!match || !level) return undefined;
    const record: LogRecord = { format: 'levelled', precision: 'none', level, message: '', fields: {} };
    return { ...record, ...readHead(line.slice(match[0].length), level, record) };
  },
});

const LEVELLED = /^(?:\[([A-Za-z]{3,8})\](?=[\s:])|([a-z]{4,7}):(?=\s)|(?!FATAL ERROR)([A-Z]{4,8})(?=[:\s])):?/;

function readHead(text: string, known: Level | undefined, record: LogRecord): Pick<LogRecord, 'level' | 'message'> {
  let rest = text;
  let level = known;
  for (let steps = 0; steps < 10; steps++) {
    const gap = SEPARATOR.exec(rest);
    if (gap) {
      rest = rest.slice(gap[0].length);
      continue;
    }
    const head = rest.slice(0, 100);
    const pid = PID.exec(head);
    if (pid) {
      record.fields.pid ??= Number(pid[1] ?? pid[2] ?? pid[3]);
      rest = rest.slice(pid[0].length);
      continue;
    }
    if (level === undefined) {
      const word = LEVEL.exec(head);
      const found = word && levelByName(word[1] ?? word[2] ?? word[3] ?? '');
      if (word && found) {
        level = found;
        rest = rest.slice(word[0].length);
        continue;
      }
    }
    const name = NAME.exec(head);
    // `[job 12]` and `[mail:12]` are part of what is said; a bare number is a thread or a process.
    if (name && !/\bjob\b|[:#=]\s?\d/i.test(name[1] ?? '')) {
      if (/^\d{1,10}$/.test(name[1] ?? '')) record.fields.pid ??= Number(name[1]);
      else record.fields.label ??= name[1];
      rest = rest.slice(name[0].length);
      continue;
    }
    const dashed = DASHED.exec(head);
    if (
      dashed &&
      record.fields.label === undefined &&
      /^[\w.$/-]*$/.test(dashed[1] ?? '') &&
      !/^job$/i.test(dashed[1] ?? '')
    ) {
      record.fields.label = dashed[1];
      rest = rest.slice(dashed[0].length);
      continue;
    }
    break;
  }
  return { level, message: rest };
}
