/**
 * Opens one input read-only: takes gzip and UTF-16 off, refuses other packings with one clear line, hashes the bytes as
 * they are on disk.
 */
import { createHash } from 'node:crypto';
import type { Blocks, Damage } from '../model/evidence.js';
import { type ByteFeed, type FeedOptions, feedFromFile, feedFromStream } from './byte-feed.js';
import { refusedContainer } from './containers.js';
import { type Disk, errorCode, nodeDisk } from './disk.js';
import { type GzipNotes, gunzip } from './gunzip.js';
import { isGzip } from './gzip-header.js';
import type { UnpackLimits } from './inflate-member.js';
import type { InputFile, InputProblem } from './input.js';
import { accessProblem, noStdin, specialFile } from './input-problems.js';
import { type Peeked, peekHead } from './peek.js';
import { detectUtf16, type Utf16, utf16ToUtf8 } from './utf16.js';

export interface OpenOptions extends FeedOptions {
  /** What `-` reads. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  readonly disk?: Disk;
  readonly unpackLimits?: UnpackLimits;
}

export interface OpenedSource {
  /** The first bytes that readers see, up to 64 KiB. */
  readonly head: Uint8Array;
  /** What readers read: unpacked, UTF-8 where it was UTF-16. Each block owns its memory. Never throws. */
  readonly blocks: Blocks;
  /** Why this content is not read although it is known what it is; `blocks` is then empty. */
  readonly refused?: string;
  /** Without the ending that the packing gave it. */
  readonly fileName: string;
  /** Last modification, ms UTC: of the packed file where gzip says it, else of the file. */
  readonly modifiedMs?: number;
  /** Bytes taken from the disk so far. */
  bytesRead(): number;
  /** Reads what is left, closes, and sums up, whether or not `blocks` were read to their end. */
  done(): Promise<SourceSummary>;
  /** Closes without reading on. One of the two must be called. */
  abandon(): Promise<void>;
}

export interface SourceSummary {
  /** Of the bytes as on disk. */
  readonly sha256: string;
  readonly bytes: number;
  /** SHA-256 of the unpacked bytes, where the source is packed: a log and its packed copy are the same evidence. */
  readonly contentSha256?: string;
  readonly compression?: 'gzip';
  readonly encoding?: Utf16;
  readonly damage: readonly Damage[];
}

/** Opens an input, or tells why that cannot be done. Never throws for what the input is. */
export async function openSource(
  file: InputFile,
  options: OpenOptions = {},
): Promise<{ readonly source: OpenedSource } | { readonly problem: InputProblem }> {
  const opened = await openFeed(file, options);
  return 'problem' in opened ? opened : { source: await unwrap(file, opened.feed, options) };
}

async function openFeed(
  file: InputFile,
  { stdin, disk = nodeDisk, ...feedOptions }: OpenOptions,
): Promise<{ feed: ByteFeed } | { problem: InputProblem }> {
  if (file.kind === 'stdin')
    return stdin === undefined ? { problem: noStdin() } : { feed: feedFromStream(stdin, feedOptions) };
  try {
    const handle = await disk.open(file.diskPath);
    const stats = await handle.stat();
    if (stats.isFile()) return { feed: feedFromFile(handle, stats, feedOptions) };
    await handle.close();
    return { problem: specialFile(file.input, stats, file.named) };
  } catch (error) {
    return { problem: accessProblem(file.input, errorCode(error), file.named) };
  }
}

async function unwrap(file: InputFile, feed: ByteFeed, options: OpenOptions): Promise<OpenedSource> {
  const notes: GzipNotes = { damage: [] };
  const contentHash = createHash('sha256');
  let top: Peeked = await peekHead(feed.next);
  let refused = refusedContainer(top.head, 'the file');
  const packed = isGzip(top.head);
  if (packed) {
    const unpacked = gunzip(top.blocks.next, notes, options.unpackLimits);
    top = await peekHead(async () => {
      const { done, value } = await unpacked.next();
      if (done === true) return undefined;
      contentHash.update(value);
      return value;
    });
    refused = isGzip(top.head) ? PACKED_TWICE : refusedContainer(top.head, 'what the gzip file holds');
  }
  const encoding = detectUtf16(top.head);
  if (encoding !== undefined) {
    const text = utf16ToUtf8(top.blocks, encoding);
    top = await peekHead(async () => (await text.next()).value ?? undefined);
  }

  let summary: Promise<SourceSummary> | undefined;
  const finish = async (): Promise<SourceSummary> => {
    // The hash of the content needs all of it; what was refused is only hashed as it is on disk.
    if (packed && refused === undefined) for await (const _ of top.blocks);
    await feed.drain();
    return {
      sha256: feed.sha256(),
      bytes: feed.bytesRead(),
      damage: [...feed.damage, ...notes.damage],
      ...(packed && { compression: 'gzip' }),
      ...(packed && refused === undefined && { contentSha256: contentHash.digest('hex') }),
      ...(encoding !== undefined && { encoding }),
    };
  };
  const modifiedMs = notes.modifiedMs ?? (file.kind === 'file' ? file.modifiedMs : undefined);
  return {
    head: refused === undefined ? top.head : new Uint8Array(0),
    blocks: refused === undefined ? top.blocks : nothing(),
    fileName: packed ? file.fileName.replace(/\.(gz|gzip)$/i, '') : file.fileName,
    ...(refused !== undefined && { refused }),
    ...(modifiedMs !== undefined && { modifiedMs }),
    bytesRead: feed.bytesRead,
    done: () => {
      summary ??= finish();
      return summary;
    },
    abandon: feed.abandon,
  };
}

const PACKED_TWICE = 'what the gzip file holds is gzip again, which is not read; unpack it first (gunzip)';

async function* nothing(): AsyncGenerator<Uint8Array, void> {}
