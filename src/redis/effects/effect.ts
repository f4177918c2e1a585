/**
 * What one command of a log did to a queue. Commands of an append-only file and lines of MONITOR come down to the same
 * effects; what a group of them means is read in `judge.ts`.
 */
import type { EvidenceEvent } from '../../model/event.js';

/** Where a command stands, and when it ran if the log says so. */
export interface Place {
  /** Number of the command in an append-only file, or of the line in a MONITOR capture; from 1. */
  readonly line: number;
  readonly offset: number;
  /** ms on Redis' clock; absent where the log has no time for it. */
  readonly t?: number;
}

export type Effect = Place &
  (
    | {
        readonly what: 'entry';
        /** `<prefix>:<queue>`. */
        readonly base: string;
        readonly event: EvidenceEvent & { readonly t: number };
      }
    /** An entry of an events stream that BullMQ does not write. */
    | { readonly what: 'custom-entry'; readonly name: string; readonly ms: number; readonly seq: number }
    | {
        readonly what: 'lock-set';
        readonly jobKey: string;
        readonly token: string;
        readonly expiresAtMs?: number;
        /** The life it was given, where the command says it. */
        readonly lifeMs?: number;
      }
    | { readonly what: 'lock-expiry'; readonly jobKey: string; readonly expiresAtMs: number }
    /** `verb` as written. `existed`: the command shows that there was such a key. */
    | { readonly what: 'lock-deleted'; readonly jobKey: string; readonly verb: string; readonly existed: boolean }
    /** A client, not a script, deleted a key that may be a job's. */
    | { readonly what: 'job-deleted'; readonly jobKey: string; readonly verb: string }
    | { readonly what: 'left-active'; readonly jobKey: string }
    /** `processedOn` was written: the job was activated. */
    | { readonly what: 'processed'; readonly jobKey: string }
    | {
        readonly what: 'sweep';
        readonly base: string;
        readonly expiresAtMs?: number;
        readonly intervalMs?: number;
        /** It found that another sweep had run less than an interval ago, and did nothing. */
        readonly throttled?: true;
      }
    /** All keys of a database, or of all databases, were deleted. */
    | { readonly what: 'flushed'; readonly verb: string; readonly all: boolean }
    | { readonly what: 'version'; readonly base: string; readonly version: string }
  );
