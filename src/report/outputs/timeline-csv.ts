/**
 * timeline.csv: every record of the timeline, in the columns that timeline tools (Timesketch, plaso) expect first.
 * Times are UTC as the records told them, whatever zone the report displays.
 */
import type { Analysis } from '../../model/analysis.js';
import { reportContext } from '../context.js';
import { timelineRecords } from '../sections/timeline-records.js';
import { csv } from './escape-csv.js';

const HEADER = [
  'datetime',
  'timestamp_desc',
  'message',
  'precision',
  'clock',
  'redis_ms_low',
  'redis_ms_high',
  'queue',
  'job_id',
  'worker',
  'kind',
  'finding',
  'reference',
  'source',
  'line',
  'entry',
  'key',
  'offset',
  'also_in',
];

export function renderTimelineCsv(analysis: Analysis): string {
  const context = reportContext(analysis);
  const rows = timelineRecords(context).map((record) => [
    record.moment.at,
    describe(record.kind),
    record.text,
    record.moment.precision,
    record.moment.clock,
    record.moment.redisMs?.[0],
    record.moment.redisMs?.[1],
    record.job?.queue,
    record.job?.id,
    record.worker,
    record.kind,
    record.finding && context.findingLabel(record.finding),
    context.ref(record.ref),
    record.ref.source,
    record.ref.line,
    record.ref.entry,
    record.ref.key,
    record.ref.offset,
    record.also.map((ref) => context.ref(ref)).join(' | '),
  ]);
  return csv(HEADER, rows);
}

/** `handler-started` → `Handler started`. */
function describe(kind: string): string {
  const words = kind.replace(/-/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
