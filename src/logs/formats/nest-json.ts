import { defineJsonFormat } from './define-format.js';

/** Nest 11 `new ConsoleLogger({ json: true })`: `level: "log"` means information, `timestamp` is epoch ms. */
export const nestJson = defineJsonFormat({
  name: 'nest-json',
  when: (o) => typeof o.level === 'string' && typeof o.timestamp === 'number' && typeof o.pid === 'number',
  time: ['timestamp'],
  level: ['level'],
  message: ['message'],
});
