/** The options that select findings and stories: one job and a moment, a queue, a worker, a stretch of time. */
import type { Selection } from '../pipeline/selection.js';
import { formatUtc, parseDuration, parseTimestamp } from '../time/index.js';
import { UsageError } from './exit-codes.js';

/** As commander hands them over. */
export interface RawSelection {
  readonly job?: string | undefined;
  readonly at?: string | undefined;
  readonly queue?: string | undefined;
  readonly worker?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly around?: string | undefined;
  readonly within?: string | undefined;
}

export interface CheckedSelection {
  readonly selection: Selection;
  /** For `run.options`: in the order of the alphabet, times in UTC. */
  readonly optionsText: readonly string[];
  /** Options whose time named no zone, so that UTC was taken. */
  readonly zoneless: readonly string[];
}

const DEFAULT_WITHIN = '5m';
const LONGEST_NAME = 1000;
/** Ids of stream entries: `<ms>-<seq>`. */
const STREAM_ID = /^(\d{13})-\d{1,20}$/;

/** @throws UsageError with one line that says which option is wrong and what it takes. */
export function checkSelection(raw: RawSelection, assumeTz: string | undefined): CheckedSelection {
  const zoneless: string[] = [];
  const time = (flag: string, text: string | undefined): number | undefined => {
    if (text === undefined) return undefined;
    const { ms, isZoneless } = readTime(flag, text, assumeTz);
    if (isZoneless) zoneless.push(`--${flag}`);
    return ms;
  };
  for (const flag of ['job', 'queue', 'worker'] as const) checkName(flag, raw[flag]);
  if (raw.at !== undefined && raw.job === undefined)
    throw new UsageError('--at asks what Redis held of one job: name it with --job QUEUE:ID');
  if (raw.around !== undefined && (raw.from ?? raw.to) !== undefined)
    throw new UsageError('--around names a stretch of time by itself: give it without --from and --to');
  if (raw.within !== undefined && raw.around === undefined)
    throw new UsageError('--within says how far to look before and after --around TIME: give both');
  const [at, from, to, around] = (['at', 'from', 'to', 'around'] as const).map((flag) => time(flag, raw[flag]));
  const within = readWithin(raw.within ?? DEFAULT_WITHIN);
  if (from !== undefined && to !== undefined && from > to)
    throw new UsageError('--from lies after --to: nothing can be between them');
  const windowMs: Selection['windowMs'] =
    around !== undefined
      ? [around - within, around + within]
      : (from ?? to) === undefined
        ? undefined
        : [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
  return {
    selection: {
      ...(raw.job === undefined ? {} : { job: raw.job }),
      ...(at === undefined ? {} : { atMs: at }),
      ...(raw.queue === undefined ? {} : { queue: raw.queue }),
      ...(raw.worker === undefined ? {} : { worker: raw.worker }),
      ...(windowMs === undefined ? {} : { windowMs }),
    },
    optionsText: [
      ...(around === undefined ? [] : [`--around ${formatUtc(around, 'ms')}`]),
      ...(at === undefined ? [] : [`--at ${formatUtc(at, 'ms')}`]),
      ...(from === undefined ? [] : [`--from ${formatUtc(from, 'ms')}`]),
      ...(raw.job === undefined ? [] : [`--job ${raw.job}`]),
      ...(raw.queue === undefined ? [] : [`--queue ${raw.queue}`]),
      ...(to === undefined ? [] : [`--to ${formatUtc(to, 'ms')}`]),
      ...(around === undefined ? [] : [`--within ${within}ms`]),
      ...(raw.worker === undefined ? [] : [`--worker ${raw.worker}`]),
    ],
    zoneless,
  };
}

/** Whole ms: what is finer is cut, as a stream id would. */
function readTime(flag: string, text: string, assumeTz: string | undefined): { ms: number; isZoneless: boolean } {
  const id = STREAM_ID.exec(text.trim())?.[1];
  if (id !== undefined) return { ms: Number(id), isZoneless: false };
  const parsed = parseTimestamp(text.trim(), assumeTz === undefined ? {} : { assumeTz });
  if (parsed === undefined || parsed.assumed?.some((part) => part === 'year' || part === 'date'))
    throw new UsageError(
      `--${flag} ${JSON.stringify(text)} is no moment: write a date and a time such as 2026-11-30T14:10:41.610Z, an epoch in seconds or milliseconds, or a stream id`,
    );
  if (parsed.assumed?.includes('order'))
    throw new UsageError(
      `--${flag} ${JSON.stringify(text)}: which number is the day is open; write it as 2026-11-30T14:10:41`,
    );
  return { ms: Math.floor(parsed.t), isZoneless: parsed.assumed?.includes('zone') === true };
}

function readWithin(text: string): number {
  let ms: number;
  try {
    ms = parseDuration(text);
  } catch (error) {
    throw new UsageError(`--within: ${error instanceof Error ? error.message : 'not a duration'}`);
  }
  if (ms <= 0) throw new UsageError(`--within ${JSON.stringify(text)}: must be longer than nothing`);
  return ms;
}

function checkName(flag: string, text: string | undefined): void {
  if (text === undefined) return;
  if (text.trim() === '' || text.length > LONGEST_NAME || /\p{Cc}/u.test(text))
    throw new UsageError(
      flag === 'job'
        ? '--job names one job: QUEUE:ID, a Redis key such as bull:mail:42, or the id alone'
        : `--${flag} names one ${flag} of the evidence`,
    );
}
