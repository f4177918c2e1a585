/** One file, however many ways lead to it. */
import type { Stats } from 'node:fs';
import type { Place } from './disk-path.js';
import { compareText } from './input.js';

/** A file and the way it was found. */
export interface FoundFile extends Place {
  /** Equal for one file found in several ways. */
  readonly realKey: string;
  /** No symbolic link lies on the way to it. */
  readonly direct: boolean;
  readonly stats: Stats;
  /** As the user named it or the folder it is in. */
  readonly input: string;
  readonly named: boolean;
}

/**
 * Each file once. The way without links is kept, else the one whose path sorts first: a rule that the order of the inputs
 * cannot change.
 */
export function onceEach(found: readonly FoundFile[]): FoundFile[] {
  const best = new Map<string, FoundFile>();
  for (const file of found) {
    const known = best.get(file.realKey);
    if (known === undefined) best.set(file.realKey, file);
    else best.set(file.realKey, { ...better(known, file), named: known.named || file.named });
  }
  return [...best.values()];
}

function better(a: FoundFile, b: FoundFile): FoundFile {
  if (a.direct !== b.direct) return a.direct ? a : b;
  return (compareText(a.absolutePath, b.absolutePath) || compareText(a.input, b.input)) <= 0 ? a : b;
}
