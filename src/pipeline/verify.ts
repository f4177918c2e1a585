/** Re-opens every cited record of an analysis in the evidence: is it there, and is it what it was. */
import { expandInputs, type InputProblem } from '../intake/index.js';
import type { Analysis, Ref, Source } from '../model/analysis.js';
import type { FailedRecord, Verification, VerifiedSource } from '../model/verification.js';
import { openAgain, readAgain } from './verify-inputs.js';
import { type Matched, matchSources } from './verify-match.js';
import { type FoundRecord, hasPlace, placeKey } from './verify-place.js';
import { type FoundRecords, readCited } from './verify-records.js';
import { type Citation, citationsOf } from './verify-refs.js';

export interface VerifyOptions {
  /** The digest as the analysis has it, from that of the record: undefined where that is not known. Absent: they are the same. */
  readonly keyed?: (digest: string) => string | undefined;
}

export interface VerifyResult {
  readonly verification: Verification;
  readonly problems: readonly InputProblem[];
}

/** Bad input never throws: it is a problem. */
export async function verify(
  analysis: Analysis,
  inputs: readonly string[],
  options: VerifyOptions = {},
): Promise<VerifyResult> {
  const expanded = await expandInputs(inputs);
  const given = await openAgain(expanded, async () => undefined);
  const cited = citationsBySource(analysis);
  const matched = matchSources(
    analysis.sources.filter((source) => isEvidence(source) || cited.has(source.path)),
    given.sources,
  );
  const found = new Map<Source, FoundRecords>();
  const wanted = new Map<string, Matched[]>();
  for (const one of matched) {
    if (one.given === undefined || !cited.has(one.source.path)) continue;
    wanted.set(one.given.path, [...(wanted.get(one.given.path) ?? []), one]);
  }
  const isPacked = new Set(given.sources.flatMap(({ path, report }) => (report.packing === undefined ? [] : [path])));
  const files = expanded.files.filter(({ path }) => [...wanted.keys()].some((one) => isIn(one, path)));
  await readAgain(
    files,
    // Two sources of one file are read one after the other, which only a file on the disk allows.
    (path) => !isPacked.has(path) && wanted.has(path),
    async (path, content) => {
      for (const { source } of wanted.get(path) ?? []) {
        const refs = (cited.get(source.path) ?? []).map(({ ref }) => ref);
        found.set(source, await readCited(content, source, refs.filter(hasPlace), true));
      }
    },
  );
  const verdicts = matched.map((one) => judge(one, cited.get(one.source.path) ?? [], found.get(one.source), options));
  const used = matched.flatMap((one) => one.given?.path ?? []);
  const verification: Verification = {
    sources: verdicts.map(({ verified }) => verified),
    failed: verdicts.flatMap(({ failed }) => failed),
    unused: given.sources.flatMap(({ path }) => (used.some((one) => isIn(one, path)) ? [] : [path])),
  };
  return { verification, problems: given.problems };
}

/** What no claim can rest on, a README beside the logs or the archive around them, need not be there. */
const isEvidence = ({ kind }: Source): boolean => ['log', 'redis', 'records'].includes(kind);

const isIn = (path: string, file: string): boolean => path === file || path.startsWith(`${file}!/`);

/** Citations of each source, each place once. */
interface CitedPlace {
  readonly ref: Ref;
  readonly by: Citation[];
}

function citationsBySource(analysis: Analysis): ReadonlyMap<string, CitedPlace[]> {
  const bySource = new Map<string, Map<string, CitedPlace>>();
  for (const citation of citationsOf(analysis)) {
    const { ref } = citation;
    if (!hasPlace(ref) && ref.entry === undefined) continue;
    const places = bySource.get(ref.source) ?? new Map<string, CitedPlace>();
    bySource.set(ref.source, places);
    const known = places.get(placeKey(ref));
    if (known === undefined) places.set(placeKey(ref), { ref, by: [citation] });
    else known.by.push(citation);
  }
  return new Map([...bySource].map(([source, places]) => [source, [...places.values()].sort(byPlace)]));
}

const byPlace = ({ ref: a }: CitedPlace, { ref: b }: CitedPlace): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.offset ?? 0) - (b.offset ?? 0) || ((a.entry ?? '') < (b.entry ?? '') ? -1 : 1);

function judge(
  { source, given, match }: Matched,
  places: readonly CitedPlace[],
  found: FoundRecords | undefined,
  options: VerifyOptions,
): { verified: VerifiedSource; failed: FailedRecord[] } {
  let byHashOnly = 0;
  const failed = places.flatMap((place) => {
    const record = found?.get(placeKey(place.ref));
    const why = given === undefined ? 'source-missing' : compare(place.ref, record, match === 'hash', options);
    if (why === 'holds-by-hash') byHashOnly++;
    return why === 'holds' || why === 'holds-by-hash' ? [] : [failure(place, why, record)];
  });
  return {
    verified: {
      ...{ path: source.path, match, cited: places.length, held: places.length - failed.length, byHashOnly },
      ...(given === undefined ? {} : { foundAs: given.path }),
    },
    failed,
  };
}

function compare(
  { digest, line, offset }: Ref,
  record: FoundRecord | undefined,
  isSameSource: boolean,
  { keyed = (same) => same }: VerifyOptions,
): FailedRecord['why'] | 'holds' | 'holds-by-hash' {
  const now = record === undefined ? undefined : keyed(record.digest);
  if (digest !== undefined && now !== undefined) return now === digest ? 'holds' : 'changed';
  // A source of the very same bytes holds all that it held, even where there is nothing to compare a record with.
  const isThere = record !== undefined || (line ?? offset) === undefined;
  if (isSameSource && isThere) return 'holds-by-hash';
  return record === undefined ? 'gone' : 'not-comparable';
}

function failure({ ref, by }: CitedPlace, why: FailedRecord['why'], record: FoundRecord | undefined): FailedRecord {
  const says = by.find((one) => one.says !== undefined)?.says;
  return {
    ref,
    citedBy: [...new Set(by.map(({ where }) => where))],
    ...(says === undefined ? {} : { says }),
    why,
    ...(record === undefined ? {} : { instead: record.shows }),
  };
}
