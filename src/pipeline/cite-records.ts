/**
 * The last step of an analysis of evidence: each reference gets the digest of the record it leads to, so that `verify` can tell
 * later whether it still stands there. Only what is cited is read again, and of plain files only those places.
 */
import { expandInputs } from '../intake/index.js';
import type { Analysis, Ref, Source } from '../model/analysis.js';
import { readAgain } from './verify-inputs.js';
import { hasPlace, placeKey } from './verify-place.js';
import { readCited } from './verify-records.js';
import { citationsOf } from './verify-refs.js';

export interface CiteOptions {
  /** References carry the beginning of their record, too: with all the data that may stand in it. */
  readonly quote?: boolean;
}

/**
 * The same analysis with digests. Evidence that cannot be opened a second time (the standard input, what is gone) leaves its
 * references without one.
 *
 * @param inputs as they were given to the analysis
 */
export async function citeRecords(
  analysis: Analysis,
  inputs: readonly string[],
  { quote = false }: CiteOptions = {},
): Promise<Analysis> {
  if (inputs.length === 0) return analysis;
  const cited = refsBySource(analysis);
  const sources = onlyOnes(analysis.sources);
  const expanded = await expandInputs(inputs);
  const files = expanded.files.filter((file) => file.kind === 'file' && isCited(file.path, cited));
  await readAgain(
    files,
    (path) => sources.get(path)?.packing === undefined && sources.get(path)?.kind !== 'archive',
    async (path, content) => {
      const source = sources.get(path);
      const refs = cited.get(path);
      if (source === undefined || refs === undefined) return;
      const found = await readCited(content, source, refs);
      for (const ref of refs) {
        const record = found.get(placeKey(ref));
        if (record === undefined) continue;
        ref.digest = record.digest;
        if (quote) ref.quote = record.shows;
      }
    },
  ).catch((error: unknown) => {
    // What was there a moment ago and is gone: the analysis stands without digests.
    if (!(error instanceof Error && 'code' in error)) throw error;
  });
  return analysis;
}

export function refsBySource(analysis: Analysis): ReadonlyMap<string, Ref[]> {
  const cited = new Map<string, Ref[]>();
  for (const { ref } of citationsOf(analysis)) {
    if (!hasPlace(ref)) continue;
    const known = cited.get(ref.source);
    if (known === undefined) cited.set(ref.source, [ref]);
    else known.push(ref);
  }
  return cited;
}

/** The file itself is cited, or a file in it. */
const isCited = (path: string, cited: ReadonlyMap<string, unknown>): boolean =>
  cited.has(path) || [...cited.keys()].some((one) => one.startsWith(`${path}!/`));

/** Sources by path. A case file that was added to may hold two of one path: which of them was cited is then open. */
function onlyOnes(sources: readonly Source[]): ReadonlyMap<string, Source> {
  const byPath = new Map<string, Source>();
  const twice = new Set<string>();
  for (const source of sources) {
    if (byPath.has(source.path)) twice.add(source.path);
    byPath.set(source.path, source);
  }
  for (const path of twice) byPath.delete(path);
  return byPath;
}
