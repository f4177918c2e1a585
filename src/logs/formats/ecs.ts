import { defineJsonFormat } from './define-format.js';
import { at } from './read-json.js';

/** Elastic Common Schema: keys dotted as the loggers write them, or nested as Filebeat and Elasticsearch keep them. */
export const ecs = defineJsonFormat({
  name: 'ecs',
  when: (o) => o['ecs.version'] !== undefined || (o['@timestamp'] !== undefined && at(o, 'log.level') !== undefined),
  time: ['@timestamp'],
  level: ['log.level'],
  message: ['message'],
});
