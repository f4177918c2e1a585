/** The JSON formats, most telling first: an object belongs to the first row that says yes. */
import type { JsonObject } from '../fields/collect.js';
import { bunyan } from './bunyan.js';
import type { JsonFormat } from './define-format.js';
import { ecs } from './ecs.js';
import { gelf } from './gelf.js';
import { nestJson } from './nest-json.js';
import { isShadowedPino, pino } from './pino.js';
import { roarr } from './roarr.js';
import { clef, gcpStructured, ndjson } from './structured-json.js';
import { tslog4, tslog5 } from './tslog.js';
import { winstonJson, winstonLogstash } from './winston-json.js';

export const JSON_FORMATS: readonly JsonFormat[] = [
  bunyan,
  gelf,
  pino,
  tslog5,
  nestJson,
  ecs,
  winstonJson,
  gcpStructured,
  roarr,
  tslog4,
  winstonLogstash,
  clef,
  ndjson,
];

export function jsonFormatOf(object: JsonObject, line: string): JsonFormat {
  for (const format of JSON_FORMATS) {
    if (format.when(object)) return format === ndjson || format === winstonJson ? orPino(format, line) : format;
  }
  return ndjson;
}

function orPino(format: JsonFormat, line: string): JsonFormat {
  return isShadowedPino(line) ? pino : format;
}
