/** Ids of stream entries in a dump: `<ms>-<sequence>`. */
import type { RdbStreamId } from '../rdb/index.js';

const STREAM_ID = /^(\d{1,16})-(\d{1,16})$/;

/** The two parts of an id; undefined for any other text. */
export function parseStreamId(text: string): RdbStreamId | undefined {
  const parts = STREAM_ID.exec(text);
  return parts === null ? undefined : { ms: Number(parts[1]), seq: Number(parts[2]) };
}

/** Whether `a` comes before `b` in a stream. */
export const isBefore = (a: RdbStreamId, b: RdbStreamId): boolean => a.ms < b.ms || (a.ms === b.ms && a.seq < b.seq);
