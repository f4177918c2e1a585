/** The one place that decides how a reference to evidence is written. */
import type { Ref } from '../model/analysis.js';

/**
 * `path:line`, `path @ stream id`, `path key`, `path +byte offset`: the most exact of what the reference carries, the same
 * in every output, so that it can be searched for.
 * @param path the source's path as the report prints it
 */
export function refText(ref: Ref, path: string): string {
  if (ref.line !== undefined) return `${path}:${ref.line}`;
  if (ref.entry !== undefined) return `${path} @ ${ref.entry}`;
  if (ref.key !== undefined) return `${path} ${ref.key}`;
  if (ref.offset !== undefined) return `${path} +${ref.offset}`;
  return path;
}

/** Identity of a reference, to tell whether two statements rest on the same record. */
export function refKey(ref: Ref): string {
  return JSON.stringify([ref.source, ref.line ?? null, ref.entry ?? null, ref.key ?? null, ref.offset ?? null]);
}
