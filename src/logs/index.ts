/** Reads worker logs, in whatever format and wrapping, as evidence of what happened to jobs. */
import type { SourceReader } from '../model/evidence.js';
import { detectLog } from './detect.js';
import { readSource } from './read-source.js';

export const logReader: SourceReader = { name: 'log', detect: detectLog, read: readSource };
