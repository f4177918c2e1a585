/** What Redis would have replied to one question, or why that is not known. */
import type { Ref } from '../../model/analysis.js';

export type Reply<T> =
  | { readonly known: true; readonly value: T; readonly refs: readonly Ref[]; readonly note?: string }
  | { readonly known: false; readonly why: string; readonly refs: readonly Ref[] };

export const known = <T>(value: T, refs: readonly Ref[], note?: string): Reply<T> => ({
  known: true,
  value,
  refs,
  ...(note === undefined ? {} : { note }),
});

export const notKnown = (why: string, refs: readonly Ref[] = []): Reply<never> => ({ known: false, why, refs });

/**
 * One reply of several that may each be the true one: known only where all of them agree.
 * @param why what keeps them apart
 */
export function agreeing<T>(replies: readonly Reply<T>[], why: string, refs: readonly Ref[]): Reply<T> {
  const [first] = replies;
  if (first === undefined) return notKnown(why, refs);
  const unknown = replies.find((reply) => !reply.known);
  if (unknown) return unknown;
  return replies.every((reply) => sameValue(reply, first)) ? first : notKnown(why, refs);
}

export const sameValue = (a: Reply<unknown>, b: Reply<unknown>): boolean =>
  a.known && b.known && JSON.stringify(a.value) === JSON.stringify(b.value);

/** Ends a reason for which nothing is known. */
export const WOULD_SHOW = 'an AOF, or a MONITOR capture of that time, would have shown it';
