/**
 * Reports of this program. Written into the folder of the evidence they would be read as evidence of the next run, and tell it
 * everything twice.
 */
import type { SourceReader } from '../model/evidence.js';
import { unreadReport } from './unread-report.js';

export const OWN_REPORT = 'report of bullmortem';

/** How each kind of report begins. */
const BEGINNINGS: readonly RegExp[] = [
  /^\{\s*"schema": "bullmortem\//,
  /^# BullMQ incident: /,
  /^<!doctype html>[\s\S]{0,2000}<title>BullMQ incident: /,
  /^datetime,timestamp_desc,message,precision,clock,redis_ms_low,/,
  /^queue,job_id,job_name,(?:finding,finding_id|duplicate,runs_ended_at_least),/,
];

export const ownReportReader: SourceReader = {
  name: 'own-report',
  detect(head) {
    const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 4096)).toString('utf8');
    return BEGINNINGS.some((beginning) => beginning.test(text))
      ? { format: OWN_REPORT, score: 1, reason: 'was written by bullmortem' }
      : undefined;
  },
  async read(blocks) {
    // Read to its end, for its hash.
    for await (const _ of blocks);
    return unreadReport('empty', OWN_REPORT, 'was written by bullmortem: no evidence');
  },
};
