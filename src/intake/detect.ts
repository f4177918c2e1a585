/** Decides which reader a source belongs to. */
import type { Damage, Detection, SourceReader } from '../model/evidence.js';
import { aofManifestReader } from './aof-manifest.js';
import { isDuckDb, isForeign, looksBinary } from './foreign.js';
import { ownReportReader } from './own-report.js';

/**
 * A reader as the intake sees it. `formats`, where a reader tells them, are the names that `--format` may give for it
 * beside its own name.
 */
export type IntakeReader = SourceReader & { readonly formats?: readonly string[] };

export type Detected =
  | {
      readonly kind: 'known';
      readonly reader: IntakeReader;
      readonly detection: Detection;
      readonly damage: readonly Damage[];
    }
  | { readonly kind: 'empty'; readonly reason: string; readonly damage: readonly Damage[] }
  | { readonly kind: 'unknown'; readonly reason: string; readonly damage: readonly Damage[] };

/** What a reader must score to get content that looks like a picture: more than any text would. */
const SURE = 0.5;

/**
 * The reader for a source that begins with `head` (up to 64 KiB, unpacked). The highest score wins, on a tie the earlier
 * reader. A `forced` format is absolute: no other reader gets the source, and content decides nothing.
 */
export function detect(
  head: Uint8Array,
  fileName: string,
  readers: readonly IntakeReader[],
  forced?: string,
): Detected {
  if (head.length === 0) return { kind: 'empty', reason: 'the file is empty', damage: [] };
  const damage: Damage[] = [];
  const looks = [...readers, aofManifestReader, ownReportReader].map((reader) => {
    try {
      return { reader, detection: reader.detect(head, fileName) };
    } catch (error) {
      damage.push({
        what: `reader ${reader.name} failed to look at it: ${oneLine(error)}; this is a bug, please report`,
      });
      return { reader, detection: undefined };
    }
  });
  if (forced !== undefined) {
    const owner = ownerOf(forced, looks);
    if (owner === undefined)
      return { kind: 'unknown', reason: `no reader knows the format ${forced} given with --format`, damage };
    return {
      kind: 'known',
      reader: owner,
      detection: { format: forced, score: 1, reason: 'given with --format' },
      damage,
    };
  }
  const least = isForeign(head) ? SURE : 0;
  let best: { reader: IntakeReader; detection: Detection } | undefined;
  for (const { reader, detection } of looks) {
    if (detection !== undefined && detection.score >= least && detection.score > (best?.detection.score ?? 0))
      best = { reader, detection };
  }
  return best === undefined
    ? { kind: 'unknown', reason: describeUnknown(head), damage }
    : { kind: 'known', ...best, damage };
}

/** Names that `--format` may give: of readers, and of the formats they tell. */
export function formatNames(readers: readonly IntakeReader[]): readonly string[] {
  return [...new Set(readers.flatMap((reader) => [reader.name, ...(reader.formats ?? [])]))];
}

function ownerOf(
  format: string,
  looks: readonly { reader: IntakeReader; detection: Detection | undefined }[],
): IntakeReader | undefined {
  const found =
    looks.find(({ reader }) => reader.name === format || reader.formats?.includes(format)) ??
    looks.find(({ detection }) => detection?.format === format);
  return found?.reader;
}

/** The first line of an error, short enough to stand in a sentence. */
export function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return (message.split('\n', 1)[0] ?? '').slice(0, 200);
}

const SAMPLE_BYTES = 4096;

/** Why nobody could read it, for the user. */
function describeUnknown(head: Uint8Array): string {
  if (isDuckDb(head)) return 'a DuckDB database; a case file is taken in where it is named itself, not its folder';
  const sample = head.subarray(0, SAMPLE_BYTES);
  if (!looksBinary(sample)) return 'text, not a log or an export that is known';
  const first = Array.from(sample.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return `binary data, not a log, RDB, AOF or known export; first bytes ${first}`;
}
