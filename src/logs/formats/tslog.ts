import { isObject, type JsonObject } from '../fields/collect.js';
import { defineJsonFormat } from './define-format.js';

/** tslog 5: its own data in `_logMeta`. */
export const tslog5 = defineJsonFormat({
  name: 'tslog',
  when: (o) => isObject(o._logMeta),
  time: ['time', '_logMeta.date'],
  level: ['level', '_logMeta.logLevelName'],
  message: ['message'],
});

/** tslog 4: the arguments of the call under `"0"`, `"1"` …, its own data in `_meta`. */
export const tslog4 = defineJsonFormat({
  name: 'tslog',
  when: (o) => isObject(o._meta) && o._meta.logLevelName !== undefined,
  time: ['_meta.date'],
  level: ['_meta.logLevelName'],
  message: ['message', '0'],
  unfold,
});

function unfold(object: JsonObject): JsonObject {
  const flat: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    if (/^\d$/.test(key) && isObject(value)) Object.assign(flat, value);
    else flat[key] = value;
  }
  const list = object.args;
  if (Array.isArray(list)) {
    for (const part of list) if (isObject(part)) Object.assign(flat, part);
    flat.message ??= list.find((part) => typeof part === 'string');
  }
  return flat;
}
