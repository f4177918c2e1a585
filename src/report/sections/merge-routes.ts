/**
 * One thing that happened is often told by several sources: a stream entry stands in the AOF, in the MONITOR log and in the
 * snapshot alike. The timeline shows it once with all references. The analysis joins what Redis told (`also` of a timeline
 * entry); here that is done for the lines of logs that stand in two sources, and for what an older analysis kept apart.
 */
import type { Ref } from '../../model/analysis.js';
import { jobKey } from '../context.js';
import type { TimelineRecord } from './timeline-records.js';

export interface MergedRecord extends TimelineRecord {
  readonly refs: readonly Ref[];
}

interface Growing extends TimelineRecord {
  readonly refs: Ref[];
  finding: TimelineRecord['finding'];
}

/** Two routes may round the same instant differently by this much. */
const SAME_INSTANT_MS = 1;

/** @param records in the order of the common axis */
export function mergeRoutes(records: readonly TimelineRecord[]): MergedRecord[] {
  const merged: Growing[] = [];
  const last = new Map<string, Growing>();
  for (const record of records) {
    const same = JSON.stringify([record.job && jobKey(record.job), record.kind, record.worker, record.text]);
    const before = last.get(same);
    if (before !== undefined && isOneEvent(before, record)) {
      before.refs.push(record.ref, ...record.also);
      before.finding ??= record.finding;
      continue;
    }
    const own: Growing = { ...record, refs: [record.ref, ...record.also] };
    merged.push(own);
    last.set(same, own);
  }
  return merged;
}

/** A source does not tell one event twice, so a second record of the same source is a second event. */
function isOneEvent(before: MergedRecord, record: TimelineRecord): boolean {
  if (before.refs.some((ref) => ref.source === record.ref.source)) return false;
  if (before.finding !== undefined && record.finding !== undefined && before.finding !== record.finding) return false;
  if (before.place === undefined || record.place === undefined) return false;
  return record.place - before.place <= SAME_INSTANT_MS;
}
