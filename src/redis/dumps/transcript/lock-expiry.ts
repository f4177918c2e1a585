/** When a lock expires, by what was asked about its life. */
import { formatUtc } from '../../../time/index.js';
import type { Notes } from '../notes.js';
import type { Expiry, HeldKey } from './answer-book.js';
import type { Bounds, Moments } from './moments.js';

const BY: Readonly<Record<Bounds['by'], string>> = {
  redis: "Redis' clock, which the transcript shows later",
  shell: "the shell's clock, which the transcript shows later",
  none: 'the clock that the transcript shows before it',
  file: 'the time at which the file was last written',
};

/** ms on Redis' clock, the latest possible; undefined where it does not expire, or where that is not known. */
export function expiryOf(
  { expiry, value, place }: HeldKey,
  text: string,
  { moments, notes }: { readonly moments: Moments; readonly notes: Notes },
): number | undefined {
  if (expiry === undefined || expiry === 'exists') {
    if (value !== undefined || expiry !== undefined)
      notes.limit(
        'asked in part',
        `when ${text} expires was not asked: PTTL ${text} (or PEXPIRETIME, Redis 7) would have shown it`,
        place,
      );
    return undefined;
  }
  if (typeof expiry === 'string') return undefined;
  if ('atMs' in expiry) return expiry.atMs;
  const bounds = moments.boundsOf(expiry.asked);
  notes.limit(
    'expiry of a lock',
    bounds === undefined
      ? `the time to live of ${text} is relative, and the transcript does not show when it was told: its expiry is unknown; PEXPIRETIME ${text} (Redis 7) would have shown it`
      : `the expiry of ${text} is reckoned from its time to live and ${BY[bounds.by]}: ${spanText(bounds, expiry)}; PEXPIRETIME ${text} (Redis 7) would have shown it`,
    place,
  );
  return bounds && bounds.toMs + expiry.leftMs + expiry.aboutMs;
}

type Relative = Extract<Expiry, { readonly leftMs: number }>;

function spanText({ fromMs, toMs, by }: Bounds, { leftMs, aboutMs }: Relative): string {
  const latest = formatUtc(toMs + leftMs + aboutMs, 'ms');
  if (by === 'none') return `about ${latest}`;
  return fromMs === undefined
    ? `${latest} or before`
    : `between ${formatUtc(fromMs + leftMs - aboutMs, 'ms')} and ${latest}`;
}
