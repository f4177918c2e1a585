/** The readers of evidence, in the order in which a tie between two is decided. */
import { logReader } from '../logs/index.js';
import { redisReaders } from '../redis/index.js';
import type { IntakeReader } from './detect.js';

export const READERS: readonly IntakeReader[] = [...redisReaders, logReader];
