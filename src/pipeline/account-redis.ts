/** What Redis said of itself where somebody asked, and what follows from it for the evidence. */
import type { CaseFile } from '../casefile/case-file.js';
import { readBullQueues, readLateStreams, readRemovedJobs } from '../casefile/read-checks.js';
import {
  type Connected,
  readAskedMoments,
  readConnected,
  readCounted,
  readServerAnswers,
  type ServerAnswer,
} from '../casefile/read-observations.js';
import type { Limit, Observation } from '../model/analysis.js';
import { durationText } from '../story/moments.js';
import { formatUtc } from '../time/index.js';

/** What Redis must be set to for BullMQ (its documentation, "Going to production"). */
const SAFE_POLICY = 'noeviction';
const SERVER = 'Redis';

export interface RedisAccount {
  readonly observed: Observation[];
  readonly limits: Limit[];
}

export async function accountForRedis(file: CaseFile): Promise<RedisAccount> {
  const answers = await readServerAnswers(file);
  const moments = (await readAskedMoments(file)).map(({ momentMs, ref }) => ({
    name: 'moment of the answers',
    value: momentMs.map((ms) => formatUtc(ms, 'ms')).join(' to '),
    scope: SERVER,
    ref,
  }));
  const counts = (await readCounted(file)).map(({ queue, of, count, ref }) => ({
    name: of === 'events' ? 'entries of the events stream' : `jobs in ${of}`,
    value: String(count),
    scope: queue,
    ref,
  }));
  const connections = (await readConnected(file)).map((connected) => ({
    name: connected.role === 'worker' ? 'connected worker' : 'connected listener',
    value: connectionText(connected),
    scope: connected.queue,
    ref: connected.ref,
  }));
  return {
    observed: [...moments, ...answers.flatMap(toObservations), ...counts, ...connections],
    limits: answers.flatMap((answer) => limitOf(answer, answers)),
  };
}

function connectionText({ name, address, ageSeconds, idleSeconds, command }: Connected): string {
  const parts = [
    name,
    address,
    ageSeconds === undefined ? undefined : `connected for ${durationText(ageSeconds * 1000)}`,
    idleSeconds === undefined ? undefined : `idle for ${durationText(idleSeconds * 1000)}`,
    command,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}

function toObservations({ field, value, momentMs, ref }: ServerAnswer): Observation[] {
  const number = Number(value);
  const row = (name: string, text: string): Observation => ({ name, value: text, scope: SERVER, ref });
  switch (field) {
    case 'rdb_last_save_time':
      return [row(field, number > 0 ? formatUtc(number * 1000, 's') : value)];
    case 'uptime_in_seconds': {
      const since = momentMs?.map((ms) => formatUtc(ms - number * 1000, 's')).join(' to ');
      return [row(field, value), ...(since === undefined ? [] : [row('running since', since)])];
    }
    default:
      return [row(field, value)];
  }
}

function limitOf({ field, value, ref }: ServerAnswer, all: readonly ServerAnswer[]): Limit[] {
  const number = Number(value);
  const limit = (what: string, detail: string): Limit[] => [{ what, detail, source: ref.source, ref }];
  switch (field) {
    case 'maxmemory_policy':
    case 'maxmemory-policy':
      return value === SAFE_POLICY
        ? []
        : limit(
            'Redis may drop keys',
            `maxmemory-policy is ${value}: Redis may drop keys of queues when memory is short, locks among them; BullMQ needs ${SAFE_POLICY}`,
          );
    case 'evicted_keys':
      return number > 0
        ? limit(
            'Redis dropped keys',
            `evicted_keys is ${value}: Redis dropped so many keys since its start because memory was short; which ones it does not say`,
          )
        : [];
    case 'used_memory': {
      const most = Number(all.find((other) => other.field === 'maxmemory' && other.ref.source === ref.source)?.value);
      return most > 0 && number >= most
        ? limit(
            'Redis is out of memory',
            `used_memory (${value}) has reached maxmemory (${most}): writes are refused or keys are dropped`,
          )
        : [];
    }
    case 'role':
      return value === 'slave'
        ? limit(
            'answers of a replica',
            'the Redis that was asked is a replica: it may lag behind its master, and what it shows may be older than its moment',
          )
        : [];
    default:
      return [];
  }
}

/** What retention took away before the evidence was gathered, and what Bull never kept. */
export async function accountForRetention(file: CaseFile): Promise<Limit[]> {
  const removed = (await readRemovedJobs(file)).map(({ queue, source, given, left, offset }) => ({
    what: 'jobs removed before the snapshot',
    detail: `queue ${queue}: its counter gave out ${given} ids and ${left} jobs were left; the others were removed (removeOnComplete, removeOnFail, clean, remove) or never came to be (duplicate ids), and only events and logs can tell of them`,
    count: given - left,
    source,
    ref: { source, ...(offset >= 0 ? { offset } : {}) },
  }));
  const late = (await readLateStreams(file)).map(({ queue, source, firstId }) => ({
    what: 'events stream trimmed',
    detail: `queue ${queue}: its events stream begins at ${firstId}, later than jobs that are still there; what came before can no longer be seen`,
    source,
  }));
  const bull = (await readBullQueues(file)).map(({ queue, source, offset }) => ({
    what: 'queue of Bull',
    detail: `queue ${queue} is one of Bull (3 or 4), which stores no events: when and by whom its jobs were activated, stalled, retried or finished before cannot be seen in Redis; logs of the workers or MONITOR would show it`,
    source,
    ref: { source, ...(offset >= 0 ? { offset } : {}) },
  }));
  return [...bull, ...late, ...removed];
}
