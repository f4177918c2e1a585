import { isObject } from '../fields/collect.js';
import { defineJsonFormat } from './define-format.js';

/** roarr 7: everything the application adds is in `context`, its level too. */
export const roarr = defineJsonFormat({
  name: 'roarr',
  when: (o) => isObject(o.context) && typeof o.message === 'string' && o.sequence !== undefined,
  time: ['time'],
  level: ['context.logLevel'],
  message: ['message'],
});
