import { defineJsonFormat } from './define-format.js';

/** bunyan 1 and 2: pino's levels, `v: 0`, and a name that is always there. */
export const bunyan = defineJsonFormat({
  name: 'bunyan',
  when: (o) => o.v === 0 && typeof o.level === 'number' && typeof o.hostname === 'string' && typeof o.time === 'string',
  time: ['time'],
  level: ['level'],
  message: ['msg'],
});
