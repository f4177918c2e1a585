/**
 * What a job scheduler makes its jobs of: two schedulers of one name, schedule and payload make each job twice.
 *
 * Fields of `<queue>:repeat:<id>`: BullMQ 5.10 and later (`addJobScheduler`, `updateJobScheduler`). The payload itself is not
 * kept, only a digest that tells like from unlike.
 */
import { createHash } from 'node:crypto';
import { oneLine } from './to-events.js';

export const SCHEDULER_FIELDS = ['name', 'pattern', 'every', 'tz', 'data'] as const;
export type SchedulerField = (typeof SCHEDULER_FIELDS)[number];

const DIGEST_LENGTH = 16;
/** Payloads that tell nothing of the work. */
const NO_DATA: ReadonlySet<string> = new Set(['', '{}', '[]', 'null', '""']);

/**
 * `<digest> <id>`: the digest is the same for schedulers that make the same jobs. Undefined where name, schedule or payload is
 * not told.
 */
export function schedulerTemplate(id: string, field: (name: SchedulerField) => string | undefined): string | undefined {
  const [name, pattern, every, tz, data] = SCHEDULER_FIELDS.map(field);
  if (name === undefined || (pattern ?? every) === undefined || data === undefined || NO_DATA.has(data.trim()))
    return undefined;
  const text = JSON.stringify([name, pattern ?? '', every ?? '', tz ?? '', data]);
  return `${createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH)} ${oneLine(id)}`;
}
