import { isObject } from '../fields/collect.js';
import { defineJsonFormat } from './define-format.js';

/** Structured logging of Google Cloud, as its loggers print it: `severity`, and time in seconds and nanoseconds. */
export const gcpStructured = defineJsonFormat({
  name: 'gcp-structured',
  when: (o) => typeof o.severity === 'string' && (isObject(o.timestamp) || typeof o.time === 'string'),
  time: ['timestamp', 'time'],
  level: ['severity', 'level'],
  message: ['message', 'msg'],
});

/** CLEF of Serilog and Seq: `@l` is left out for information. */
export const clef = defineJsonFormat({
  name: 'clef',
  when: (o) => o['@t'] !== undefined,
  time: ['@t'],
  level: ['@l'],
  message: ['@m', '@mt', '@x'],
});

/** A JSON object of no known logger, but with a time, level or message under a usual name. */
export const ndjson = defineJsonFormat({
  name: 'ndjson',
  when: () => true,
});
