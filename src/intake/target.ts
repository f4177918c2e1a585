/** Where the intake puts what it took: implemented by the case file. */
import type { Damage, EvidenceSink, ReadReport } from '../model/evidence.js';

export interface SourceName {
  /** Relative to the common ancestor of the inputs. */
  readonly path: string;
  readonly fileName: string;
  /** Last modification, ms UTC. */
  readonly modifiedMs?: number;
}

/** One source that was gone through, whatever came of it. */
export interface TakenSource {
  readonly path: string;
  /** Of the bytes as on disk. */
  readonly sha256: string;
  readonly bytes: number;
  readonly compression?: 'gzip' | 'zstd';
  /** SHA-256 of the unpacked bytes, where the source is packed. */
  readonly contentSha256?: string;
  readonly report: ReadReport;
  /** Of the opening, the packing and the reading together. */
  readonly damage: readonly Damage[];
  /** The content is that of an earlier source: what was taken since `begin` must be dropped. */
  readonly skipped?: 'same-content';
  /** Path of that earlier source; absent where it was taken into the case in an earlier run. */
  readonly sameAs?: string;
}

/** Calls come in pairs, one source at a time: `begin`, then `finish` of the same source. */
export interface IntakeTarget {
  /** Whether a finished source of this content is there already. */
  has(sha256: string): boolean;
  begin(source: SourceName): Promise<EvidenceSink>;
  finish(result: TakenSource): Promise<void>;
}
