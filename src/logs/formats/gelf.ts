import { defineJsonFormat } from './define-format.js';

/** GELF 1.1: time in seconds with a fraction, syslog levels, the application's fields behind an underscore. */
export const gelf = defineJsonFormat({
  name: 'gelf',
  when: (o) => typeof o.short_message === 'string' && typeof o.version === 'string',
  time: ['timestamp'],
  level: ['level'],
  message: ['short_message'],
});
