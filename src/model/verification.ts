/** What `verify` found: each source and cited record of an analysis, held against evidence. */
import type { Ref } from './ref.js';

/** How a source of the analysis was found among the evidence. `hash`: the very bytes; `path`, `name`: another content of that name. */
export type SourceMatch = 'hash' | 'path' | 'name' | 'missing';

export interface VerifiedSource {
  /** As in the analysis. */
  readonly path: string;
  readonly match: SourceMatch;
  /** Path among the evidence; absent where it is missing. */
  readonly foundAs?: string;
  readonly cited: number;
  /** Cited records that stand there as they did. */
  readonly held: number;
  /** Of these, those told by the hash of the whole source alone. */
  readonly byHashOnly: number;
}

/** A cited record that is not there as it was. */
export interface FailedRecord {
  readonly ref: Ref;
  /** Where the analysis cites it. */
  readonly citedBy: readonly string[];
  /** What the analysis says of it. */
  readonly says?: string;
  readonly why: 'changed' | 'gone' | 'source-missing' | 'not-comparable';
  /** What stands there instead. */
  readonly instead?: string;
}

export interface Verification {
  readonly sources: readonly VerifiedSource[];
  readonly failed: readonly FailedRecord[];
  /** Evidence that belongs to no source of the analysis. */
  readonly unused: readonly string[];
}
