/** What a reader of evidence gives and gets: the seam between `intake`, the readers and the case file. */
import type { JobReading } from './asked-job.js';
import type { Config } from './config.js';
import type { EvidenceEvent, PresenceSpan } from './event.js';
import type { Fact } from './fact.js';
import type { Parcel } from './parcel.js';

/**
 * Takes what a reader found in one source. Calls are synchronous and cheap; `settle` is awaited by readers between
 * blocks so that a slow store can hold them back.
 */
export interface EvidenceSink {
  event(event: EvidenceEvent): void;
  fact(fact: Fact): void;
  presence(span: PresenceSpan): void;
  settle(): Promise<void>;
  /** Takes rows that were made of this source by another thread; absent where there is no place for them. */
  adopt?(parcel: Parcel): void;
}

/** Something wrong with an input that did not stop the others. */
export interface Damage {
  /** Plain sentence: what is wrong and what was kept. */
  readonly what: string;
  readonly line?: number;
  readonly offset?: number;
}

/** What a source does not tell, though it looks as if it did, and what would have told it. */
export interface ReadLimit {
  /** A short title, the same for all of its kind. */
  readonly what: string;
  readonly detail: string;
  readonly line?: number;
  readonly offset?: number;
}

/** What the analyst told on the command line and readers must honour. */
export interface ReadOptions {
  /** Zone of times that carry none (IANA name or offset). Absent: UTC is assumed and said. */
  readonly assumeTz?: string;
  /** Forces a format by name. */
  readonly format?: string;
  /** Key prefix, `bull` where absent. */
  readonly prefix?: string;
  /** File name without folders: worker names are often only there. */
  readonly fileName: string;
  /** Names of the files beside it, where a manifest asks for them. */
  readonly siblings?: ReadonlySet<string>;
  /** Last modification, ms UTC: helps a year that a log leaves out. */
  readonly modifiedMs?: number;
  /** What the team says of its own logs. */
  readonly config?: Config;
  /** Rules for what was not understood are wanted, too. */
  readonly suggest?: boolean;
  /** The job whose every write is to be told (`job-write`), in all readings of its name. */
  readonly askedJob?: readonly JobReading[];
}

/** An assumption a reader had to make; it becomes a setting with basis `assumed`. */
export interface Assumption {
  readonly name: 'zone' | 'year' | 'day-month-order' | 'date' | 'moment';
  readonly value: string;
}

/** One layer of how a source is packed: what it is, and for an archive which of the files in it. */
export interface Packing {
  readonly kind: 'gzip' | 'zstd' | 'tar' | 'zip';
  /** The file's name as the archive has it. */
  readonly entry?: string;
  /** Which of several of that name, from 1; absent where there is one. */
  readonly nth?: number;
}

/** Records of one shape that could matter and were not understood, as a rule for `bullmortem.config.json`. */
export interface Suggestion {
  readonly kind: 'ignore' | 'handler-line';
  readonly pattern?: string;
  readonly field?: string;
  readonly is?: string;
  readonly count: number;
  readonly firstLine: number;
  /** The first of them, at most 200 characters. */
  readonly example: string;
  /** Shape of a `handler-line`, as its events have it: the place of such lines may tell what they mean. */
  readonly shape?: string;
}

/** What a reader says about one source when it is through. */
export interface ReadReport {
  /** `archive`: holds files that are sources of their own. */
  readonly kind: 'log' | 'redis' | 'records' | 'archive' | 'empty' | 'unknown';
  /** Names of what was recognised, most frequent first, such as `pino`, `nest`, `rdb`, `xrange-json`. */
  readonly format: string;
  /** How that was seen. */
  readonly reason: string;
  /** Records (log records after joining, keys, stream entries). */
  readonly records: number;
  /** Records whose shape was recognised. */
  readonly understood: number;
  readonly damage: readonly Damage[];
  readonly limits?: readonly ReadLimit[];
  /** How it is packed, outermost first; absent where it is not. */
  readonly packing?: readonly Packing[];
  readonly assumptions: readonly Assumption[];
  /** First and last moment it was watching Redis, ms on Redis' clock: what it does not show in between did not happen. */
  readonly windowMs?: readonly [number, number];
  /** Shapes of lines not understood, most frequent first, at most 20. */
  readonly unknownShapes: readonly { readonly shape: string; readonly count: number; readonly firstLine: number }[];
  /** Where they were asked for, most frequent first, at most 20. */
  readonly suggestions?: readonly Suggestion[];
}

/** Decompressed bytes of one source, in blocks of any size. */
export type Blocks = AsyncIterable<Uint8Array>;

/** A reader turns the bytes of one source into events and facts. It never throws on bad input: it reports damage. */
export type Reader = (blocks: Blocks, sink: EvidenceSink, options: ReadOptions) => Promise<ReadReport>;

/** How sure a reader is that a source is its own. */
export interface Detection {
  readonly format: string;
  /** 0 to 1; the reader with the highest score reads the source. Magic bytes: 1. Plain text as a last resort: 0.1. */
  readonly score: number;
  /** What was seen, as a plain phrase: "starts with the bytes REDIS0010". */
  readonly reason: string;
}

/** One kind of source: how it is told from others, and how it is read. */
export interface SourceReader {
  readonly name: string;
  /** Names of formats it tells apart, for `--format`. */
  readonly formats?: readonly string[];
  /** Looks at the first bytes (up to 64 KiB, decompressed) only. */
  detect(head: Uint8Array, fileName: string): Detection | undefined;
  readonly read: Reader;
}
