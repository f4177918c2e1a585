/**
 * The job an analyst asks for. What people type or paste is `queue:id`, a Redis key of the job, or the id alone. Which of
 * these a text is can only be told once it is known which queues there are, so all readings are carried until then.
 */

export interface JobReading {
  /** What stands before the id: a queue, or a prefix and a queue. Absent: the text is the id alone. */
  readonly queue?: string;
  readonly id: string;
}

/** Keys that BullMQ keeps beside a job's hash (BullMQ 1 to 6). */
const BESIDE_JOB = /:(?:lock|logs|dependencies|processed|failed|unsuccessful)$/;

/** Ids and prefixes may hold ':'; a text with more of them than this is no name of a job. */
const MAX_COLONS = 32;

/**
 * Every way to read the text, the ones that use all of it first: `mail:42`, `bull:mail:42:lock`, `{bull}:mail:42`, `42`,
 * `mail:repeat:<hash>:<ms>`. Empty where it can name no job.
 */
export function readAskedJob(text: string): readonly JobReading[] {
  if (text === '' || text.split(':').length > MAX_COLONS) return [];
  const stripped = text.replace(BESIDE_JOB, '');
  const readings = stripped === text ? readingsOf(text) : [...readingsOf(text), ...readingsOf(stripped)];
  // A job may be called `lock`; `42:lock` is a key of job 42.
  return readings.filter(({ id }) => !BESIDE_JOB.test(id));
}

function readingsOf(text: string): JobReading[] {
  const readings: JobReading[] = [];
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    const [queue, id] = [text.slice(0, colon), text.slice(colon + 1)];
    if (queue !== '' && id !== '') readings.push({ queue, id });
  }
  return [...readings, { id: text }];
}
