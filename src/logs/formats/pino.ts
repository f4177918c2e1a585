import { type LogRecord, levelOf } from '../record.js';
import { defineJsonFormat } from './define-format.js';

/**
 * pino 7 to 10, pino-http, nestjs-pino. Level is a number, time an epoch or ISO text.
 *
 * pino writes child bindings and the logged object after its own keys without looking for repetitions, and `JSON.parse`
 * keeps the last of a repeated key: `log.info({time: 't', level: 'x'})` would lose both. The first occurrence is pino's own,
 * and it stands at a known place.
 */
export const pino = defineJsonFormat({
  name: 'pino',
  when: (o) =>
    typeof o.level === 'number' && o.level >= 10 && o.level < 100 && (o.time !== undefined || o.pid !== undefined),
  time: ['time', 'timestamp', 'ts', '@timestamp'],
  level: ['level'],
  message: ['msg', 'message', 'text'],
  repair,
});

const HEAD = '{"level":';
const TIME = ',"time":';
const TIME_AT = HEAD.length + 2 + TIME.length;

function repair(line: string, record: LogRecord): void {
  if (!line.startsWith(HEAD) || !line.startsWith(TIME, HEAD.length + 2)) return;
  let t = 0;
  for (let at = TIME_AT; at < TIME_AT + 13; at++) {
    const digit = line.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return;
    t = t * 10 + digit;
  }
  if (line.charCodeAt(TIME_AT + 13) !== 44) return;
  record.t = t;
  record.precision = 'ms';
  record.level = levelOf((line.charCodeAt(HEAD.length) - 48) * 10 + line.charCodeAt(HEAD.length + 1) - 48);
  repairProcess(line, TIME_AT + 13, record);
}

const PID = ',"pid":';
const HOST = ',"hostname":"';

function repairProcess(line: string, at: number, record: LogRecord): void {
  if (!line.startsWith(PID, at)) return;
  const end = line.indexOf(',', at + PID.length);
  if (end < 0 || end - at > 20) return;
  const pid = Number(line.slice(at + PID.length, end));
  if (pid === record.fields.pid || !Number.isInteger(pid)) return;
  record.fields.pid = pid;
  if (!line.startsWith(HOST, end)) return;
  const quote = line.indexOf('"', end + HOST.length);
  if (quote > 0 && quote - end < 280) record.fields.host = line.slice(end + HOST.length, quote);
}

/** pino whose `level` or `time` was overwritten by a repeated key, and so no longer looks like pino once parsed. */
export function isShadowedPino(line: string): boolean {
  return /^\{"level":\d{2},"time":\d{13},/.test(line);
}
