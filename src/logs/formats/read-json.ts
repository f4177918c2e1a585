/** From a parsed JSON object to a record, by the row of its format. */
import { stripColours } from '../clean-line.js';
import { collectFields, isObject, type JsonObject } from '../fields/collect.js';
import { type Level, type LogRecord, levelOf } from '../record.js';
import type { FormatContext, JsonFormat } from './define-format.js';

const TIME_PATHS = [
  'time',
  'timestamp',
  'ts',
  '@timestamp',
  'datetime',
  'date',
  'dt',
  '@t',
  'eventTime',
  'event_time',
  'logged_at',
  'asctime',
  'created_at',
  't',
  'when',
  'meta.timestamp',
  'metadata.timestamp',
];
const LEVEL_PATHS = [
  'level',
  'severity',
  'log.level',
  'lvl',
  'levelname',
  'logLevel',
  'log_level',
  'loglevel',
  'l',
  'priority',
];
const MESSAGE_PATHS = [
  'msg',
  'message',
  '@message',
  'text',
  'short_message',
  'body',
  'log',
  'm',
  'description',
  'title',
];

export function readJson(format: JsonFormat, parsed: JsonObject, line: string, context: FormatContext): LogRecord {
  const object = format.unfold?.(parsed) ?? parsed;
  const fields = collectFields(object);
  const own = context.team?.fields;
  own?.collect(object, fields);
  const record: LogRecord = { format: format.name, ...readHead(format, object, context), fields };
  if (own) record.object = object;
  format.repair?.(line, record);
  return record;
}

/** Time, level and message of an object. */
export function readHead(
  format: JsonFormat,
  object: JsonObject,
  context: FormatContext,
): Pick<LogRecord, 't' | 'precision' | 'level' | 'message'> {
  const own = context.team?.fields;
  const hit = (own && timeAt(object, own.time, context)) ?? timeAt(object, format.time ?? TIME_PATHS, context);
  return {
    t: hit?.t,
    precision: hit?.precision ?? 'none',
    level: (own && levelAt(object, own.level)) ?? levelAt(object, format.level ?? LEVEL_PATHS),
    message: (own && messageAt(object, own.message)) || messageAt(object, format.message ?? MESSAGE_PATHS),
  };
}

/** Where the time of an object stands. */
export function timePathOf(format: JsonFormat, object: JsonObject, context: FormatContext): string | undefined {
  return (format.time ?? TIME_PATHS).find((path) => timeAt(object, [path], context) !== undefined);
}

function timeAt(
  object: JsonObject,
  paths: readonly string[],
  context: FormatContext,
): ReturnType<FormatContext['time']['value']> {
  for (const path of paths) {
    const value = at(object, path);
    if (value === undefined || value === null) continue;
    const hit = context.time.value(value);
    if (hit) return hit;
  }
  return undefined;
}

function levelAt(object: JsonObject, paths: readonly string[]): Level | undefined {
  for (const path of paths) {
    const level = levelOf(at(object, path));
    if (level !== undefined) return level;
  }
  return undefined;
}

function messageAt(object: JsonObject, paths: readonly string[]): string {
  for (const path of paths) {
    const text = textOf(at(object, path));
    if (text !== undefined) return stripColours(text);
  }
  return '';
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.filter((part) => typeof part === 'string').join(' ');
  if (isObject(value)) return textOf(value.msg ?? value.message ?? value.text);
  return undefined;
}

/** The value at a path, written as one dotted key, as keys in keys, or partly so. */
export function at(object: JsonObject, path: string): unknown {
  const direct = object[path];
  if (direct !== undefined) return direct;
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const inner = object[path.slice(0, dot)];
    if (!isObject(inner)) continue;
    const value = at(inner, path.slice(dot + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}
