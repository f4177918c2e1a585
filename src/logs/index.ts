/** Reads worker logs, in whatever format and wrapping, as evidence of what happened to jobs. */
import type { SourceReader } from '../model/evidence.js';
import { detectLog } from './detect.js';
import { readSource } from './read-source.js';

export const logReader: SourceReader = {
  name: 'log',
  formats: [
    'text',
    'plain',
    'levelled',
    'pino',
    'pino-pretty',
    'winston',
    'nest',
    'nest-json',
    'logfmt',
    'bunyan',
    'debug',
    'ndjson',
  ],
  detect: detectLog,
  read: readSource,
};
