import type { TimeReader } from '../../time/index.js';
import { defineEnvelope, type Peeled } from './define-envelope.js';
import { program } from './program.js';

/**
 * Syslog in its three written forms: RFC 5424 with its structured data, RFC 3164 (also as `journalctl` and rsyslog print
 * it: without priority, with an ISO time, a weekday, seconds since the epoch or since the boot), and the short form of
 * Papertrail and Heroku drains, where the program is `app/worker.2`.
 */
const PRIORITY = /^(?:\d{1,6} )?<\d{1,3}>/;
const RFC5424 =
  /^(?:\d{1,6} )?<\d{1,3}>1 (\S{1,40}) (\S{1,255}) (\S{1,48}) (\S{1,128}) \S{1,32} (?:-|(?:\[(?:[^\]\\]|\\.){0,2000}\]){1,10}) ?\ufeff?/;
const TAG = /^(?:([\w.:-]{1,255}) )?([\w./@-]{1,80})(?:\[([\w.-]{1,40})\])?: {1,2}/;
const MONTH = /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d/;
/** `journalctl -o short-full`: `Mon 2024-01-15 05:30:00 EST`. */
const WEEKDAY =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})? [A-Z+-][\w:+-]{0,6} [\w.-]{1,255} /;
/** `short-iso`, `short-unix` and rsyslog's files: only with a program behind, because other lines begin so too. */
const NUMERIC_HOST =
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)|\d{10}\.\d{6}) [\w.-]{1,255} [\w./@-]{1,80}(?:\[\d{1,10}\])?: /;
/** `short-monotonic`: seconds since the boot say nothing of the time. */
const SINCE_BOOT = /^\[ {0,8}\d{1,10}\.\d{6}\] (?=[\w.-]{1,255} [\w./@-]{1,80}\[\d{1,10}\]: )/;

export const syslog = defineEnvelope({
  name: 'syslog',
  firstLineOnly: true,
  recognise: (line, code) =>
    (code === 60 && PRIORITY.test(line.slice(0, 12))) ||
    (code === 91 && SINCE_BOOT.test(line.slice(0, 400))) ||
    (code >= 65 &&
      code <= 90 &&
      line.charCodeAt(3) === 32 &&
      (MONTH.test(line.slice(0, 16)) || WEEKDAY.test(line.slice(0, 320)))) ||
    (code >= 48 && code <= 57 && (PRIORITY.test(line.slice(0, 12)) || NUMERIC_HOST.test(line.slice(0, 400)))),
  peel(line, { time }) {
    const full = RFC5424.exec(line.slice(0, 4096));
    if (full) return fromRfc5424(full, line, time);
    const at = PRIORITY.exec(line.slice(0, 12))?.[0].length ?? 0;
    const boot = SINCE_BOOT.exec(line.slice(0, 400))?.[0].length;
    const hit = boot === undefined ? time.at(line, at) : undefined;
    // A yearless time without any date to go by is still a header.
    const end = hit?.end ?? (boot === undefined ? monthEnd(line, at) : boot - 1);
    if (end === undefined || line.charCodeAt(end) !== 32) return undefined;
    const tag = TAG.exec(line.slice(end + 1, end + 400));
    if (!tag) return undefined;
    return {
      payload: unescapeControl(line.slice(end + 1 + tag[0].length)),
      time: hit,
      host: tag[1],
      ...program(tag[2], tag[3]),
    };
  },
});

function monthEnd(line: string, at: number): number | undefined {
  return MONTH.test(line.slice(at, at + 16)) ? at + 15 : undefined;
}

function fromRfc5424(match: RegExpExecArray, line: string, time: TimeReader): Peeled {
  const [whole, stamp, host, app, pid] = match;
  return {
    payload: unescapeControl(line.slice(whole.length)),
    time: time.value(stamp),
    host: given(host),
    ...program(given(app), given(pid)),
  };
}

function given(text: string | undefined): string | undefined {
  return text === '-' ? undefined : text;
}

/** rsyslog writes control characters as octal: `#012` is a line break. */
function unescapeControl(text: string): string {
  return text.includes('#0') ? text.replace(/#012/g, '\n').replace(/#011/g, '\t') : text;
}

/** `2024-01-15T10:30:00.123456+00:00 app[worker.1]: line` of `heroku logs`. */
const HEROKU = /^\d{4}-\d\d-\d\dT\S{8,26} (?:app|heroku)\[([^\]\s]{1,80})\]: ?/;

export const heroku = defineEnvelope({
  name: 'heroku',
  firstLineOnly: true,
  recognise: (line, code) => code >= 48 && code <= 57 && line.charCodeAt(10) === 84 && HEROKU.test(line.slice(0, 140)),
  peel(line, { time }) {
    const match = HEROKU.exec(line.slice(0, 140));
    return match ? { payload: line.slice(match[0].length), time: time.at(line, 0), container: match[1] } : undefined;
  },
});
