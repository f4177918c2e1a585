/**
 * The errors of BullMQ and Bull by their templates (BullMQ `classes/scripts.ts` `finishedErrors`, in 6
 * `finished-errors.ts`; Bull `lib/scripts.js`). Up to early 1.x, and in Bull, no dot stands before the command.
 */
import type { EventKind } from '../../model/event.js';

export interface ErrorReading {
  readonly kind: EventKind;
  readonly job?: string;
  readonly queue?: string;
  readonly prefix?: string;
  readonly command?: string;
}

interface Template {
  readonly kind: EventKind;
  /** Lower case; a text without it is not matched at all. */
  readonly mark: string;
  /** Groups: 1 the job's id, 2 the command. */
  readonly pattern: RegExp;
}

const ID = '["\'`]?([^\\s"\'`]{1,256}?)["\'`]?';
const COMMAND = '(?:\\.?\\s+([A-Za-z]\\w{1,40})(?![\\w:])|[.,;:)\\]}"\'`]{0,4}(?:\\s|$))';
/** Points and colons are of the id unless it ends there; a quote never is. */
const ID_ENDS = '(?:["\'`]|[.,;:)\\]}]{0,4}(?:\\s|$))';

/** What BullMQ writes after the id; with it, the id is everything in between, whatever it holds. */
const KNOWN_COMMAND =
  '(moveToFinished|moveToDelayed|moveToWaitingChildren|moveJobFromActiveToWait|moveToCompleted|moveToFailed|retryJob|reprocessJob|updateProgress|updateData|addLog|changeDelay|changePriority|promote|removeJob|finished|failed|delayed|retry)';
const ANY_ID = '(\\S(?:.{0,510}?\\S)?)';

const TEMPLATES: readonly Template[] = [
  {
    kind: 'lock-missing',
    mark: 'missing lock',
    pattern: template(`missing lock for job ${ANY_ID}\\. ${KNOWN_COMMAND}(?!\\w)`),
  },
  {
    kind: 'lock-mismatch',
    mark: 'lock mismatch',
    pattern: template(`lock mismatch for job ${ANY_ID}\\. Cmd (\\w{1,40}) from \\w+`),
  },
  {
    kind: 'key-missing',
    mark: 'missing key',
    pattern: template(`missing key for job ${ANY_ID}\\. ${KNOWN_COMMAND}(?!\\w)`),
  },
  { kind: 'lock-missing', mark: 'missing lock', pattern: template(`missing lock for job ${ID}${COMMAND}`) },
  {
    kind: 'lock-mismatch',
    mark: 'lock mismatch',
    pattern: template(`lock mismatch for job ${ID}\\.?\\s+cmd (\\w{1,40})(?: from \\w+)?`),
  },
  { kind: 'lock-mismatch', mark: 'lock mismatch', pattern: template(`lock mismatch for job ${ID}${COMMAND}`) },
  {
    kind: 'not-in-state',
    mark: 'is not in the',
    pattern: template(`\\bjob ${ID} is not in the [\\w-]{1,40} state(?:\\.?\\s+([A-Za-z]\\w{1,40}))?`),
  },
  { kind: 'key-missing', mark: 'missing key', pattern: template(`missing key for (?:parent )?job ${ID}${COMMAND}`) },
  // Bull 3, moveToDelayed: the second where the lock is missing or another's.
  {
    kind: 'key-missing',
    mark: 'missing job',
    pattern: template(`missing job ${ID} when trying to move from active to (delayed)`),
  },
  {
    kind: 'lock-missing',
    mark: 'was locked when trying',
    pattern: template(`\\bjob ${ID} was locked when trying to move from active to (delayed)`),
  },
  {
    kind: 'pending-children',
    mark: 'has pending dependencies',
    pattern: template(`\\bjob ${ID} has pending dependencies(?:\\.?\\s+([A-Za-z]\\w{1,40}))?`),
  },
  {
    kind: 'renewal-failed',
    mark: 'renew lock',
    pattern: template(`(?:could not|couldn't|failed to|unable to|cannot|can't) renew lock for job ${ID}${ID_ENDS}`),
  },
  {
    kind: 'renewal-failed',
    mark: 'lock',
    pattern: template(
      `(?:could not|couldn't|failed to|unable to|cannot|can't|error) (?:while )?(?:extend|renew|refresh|extending|renewing|refreshing)(?: the)? lock (?:for|of|on) (?:job )?#?${ID}${ID_ENDS}`,
    ),
  },
];

/** Refusals of calls to a queue: who called is the application, and no run hangs on it (codes -7, -8, -10, -11; Bull). */
const REFUSED_CALL = new RegExp(
  '^(?:\\w*error: ?)*(?:' +
    [
      'the parent job (?:of job )?\\S{1,256} cannot be replaced',
      'cannot create job scheduler iteration',
      'job \\S{1,256} belongs to a job scheduler and cannot be removed',
      'job \\S{1,256} could not be removed because it is locked',
      'could not remove job \\S{1,256}$',
      "couldn't retry job: the job (?:doesn't|is locked|has been)",
      'unknown code -?\\d+ error for \\S',
    ].join('|') +
    ')',
  'i',
);

/** Whether a whole message is such a refusal. The job that it names is not the one whose handler made the call. */
export const isRefusedCall = (message: string): boolean => REFUSED_CALL.test(message.slice(0, 600));

function template(source: string): RegExp {
  return new RegExp(source, 'i');
}

/**
 * The BullMQ error in a text; undefined when it has none. `lower` is the text in lower case, to pass over the many texts
 * that cannot have one without running a pattern.
 */
export function readBullmqError(text: string, lower: string): ErrorReading | undefined {
  if (!lower.includes('job') && !lower.includes('lock')) return undefined;
  for (const { kind, mark, pattern } of TEMPLATES) {
    if (!lower.includes(mark)) continue;
    const match = pattern.exec(text);
    if (!match) continue;
    const command = match[2];
    const isParent = /parent job/i.test(match[0]);
    return { kind, ...jobOf(match[1], isParent), ...(command !== undefined && { command }) };
  }
  return undefined;
}

/**
 * A parent is named by its key, `bull:reports:12`; any other job by its id. An id may look like a key: three parts with colons
 * between are what BullMQ allows in a custom one (`job.ts`, "Custom Id cannot contain :"), so of others only the usual
 * prefixes are taken for one.
 */
function jobOf(id: string | undefined, isParent: boolean): Pick<ErrorReading, 'job' | 'queue' | 'prefix'> {
  if (id === undefined || /^(?:undefined|null)$/.test(id)) return {};
  const [, prefix, queue, job] = (isParent ? ANY_KEY : USUAL_KEY).exec(id) ?? [];
  if (prefix === undefined || queue === undefined || job === undefined) return { job: id };
  return { job, queue, ...(prefix !== 'bull' && { prefix }) };
}

const ANY_KEY = /^([\w{}-]{1,80}):([^:\s]{1,120}):([^\s]{1,200})$/;
const USUAL_KEY = /^(bull|bullmq|\{[\w-]{1,78}\}):([^:\s]{1,120}):([^\s]{1,200})$/;
