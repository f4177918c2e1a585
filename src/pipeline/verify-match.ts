/** Which of the given files is which source of an analysis: by content first, then by name. */
import type { TakenSource } from '../intake/index.js';
import type { Source } from '../model/analysis.js';
import type { SourceMatch } from '../model/verification.js';

export interface Matched {
  readonly source: Source;
  /** Absent: missing. */
  readonly given?: TakenSource;
  readonly match: SourceMatch;
}

/**
 * Each source finds at most one file. A file with the same hash is it, whatever its name and folder; of the rest one of the same path,
 * then the only one whose path ends alike, then the only one of that name.
 */
export function matchSources(sources: readonly Source[], given: readonly TakenSource[]): Matched[] {
  const matched = new Map<Source, Matched>();
  const taken = new Set<TakenSource>();
  const pass = (match: SourceMatch, isSame: (source: Source, one: TakenSource) => boolean, mayShare: boolean): void => {
    for (const source of sources) {
      if (matched.has(source)) continue;
      const found = given.filter((one) => (mayShare || !taken.has(one)) && isSame(source, one));
      const [first] = found;
      if (first === undefined || (!mayShare && found.length > 1)) continue;
      matched.set(source, { source, given: first, match });
      taken.add(first);
    }
  };
  // Copies of one content are one piece of evidence.
  pass('hash', ({ sha256 }, one) => sha256 !== undefined && [one.sha256, one.contentSha256].includes(sha256), true);
  pass('path', ({ path }, one) => one.path === path, false);
  pass('path', ({ path }, one) => endsAlike(one.path, path), false);
  pass('name', ({ path }, one) => nameOf(one.path) === nameOf(path), false);
  return sources.map((source) => matched.get(source) ?? { source, match: 'missing' });
}

/** One is the other below a further folder. */
const endsAlike = (a: string, b: string): boolean => a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

/** Without folders, and without what a packing puts behind it. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:gz|gzip|zst|zstd)$/i, '');
