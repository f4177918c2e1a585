import { isObject } from '../fields/collect.js';
import { defineJsonFormat } from './define-format.js';

/** winston 3 `json()`: a level word and `message`. Without `timestamp()` it has no time at all. */
export const winstonJson = defineJsonFormat({
  name: 'winston',
  when: (o) => typeof o.level === 'string' && typeof o.message === 'string',
  time: ['timestamp', '@timestamp', 'time', 'ts', 'date', 'metadata.timestamp'],
  level: ['level'],
  message: ['message'],
});

/** winston `logstash()`: everything the application gave stands under `@fields`. */
export const winstonLogstash = defineJsonFormat({
  name: 'winston-logstash',
  when: (o) => isObject(o['@fields']),
  time: ['@timestamp'],
  level: ['@fields.level'],
  message: ['@message'],
});
