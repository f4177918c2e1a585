/** Readers of what Redis left behind. To add one: write it, and put it into this list. */
import type { SourceReader } from '../model/evidence.js';
import { aofReader } from './aof/aof-reader.js';
import { redisJsonReader } from './dumps/redis-json/redis-json-reader.js';
import { transcriptReader } from './dumps/transcript/transcript-reader.js';
import { xrangeJsonReader } from './dumps/xrange-json.js';
import { monitorReader } from './monitor/monitor-reader.js';
import { rdbReader } from './rdb-reader.js';

export const redisReaders: readonly SourceReader[] = [
  aofReader,
  rdbReader,
  monitorReader,
  xrangeJsonReader,
  redisJsonReader,
  transcriptReader,
];
