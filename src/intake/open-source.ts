/**
 * Opens one input read-only: takes gzip, zstd and UTF-16 off, tells archives, refuses other packings with one clear line, hashes the
 * bytes as they are on disk, or in the archive.
 */
import { createHash } from 'node:crypto';
import type { Blocks, Damage } from '../model/evidence.js';
import type { Allowance } from './archives/allowance.js';
import type { ArchiveEntry } from './archives/entry.js';
import { type ByteFeed, type FeedOptions, feedFromFile, feedFromStream } from './byte-feed.js';
import { type ArchiveKind, archiveKind, refusedContainer } from './containers.js';
import { type Disk, errorCode, nodeDisk } from './disk.js';
import { type GzipNotes, gunzip } from './gunzip.js';
import { isGzip } from './gzip-header.js';
import type { UnpackLimits } from './inflate-member.js';
import type { EntryInput, InputFile, InputProblem } from './input.js';
import { accessProblem, noStdin, specialFile } from './input-problems.js';
import { type Peeked, peekHead } from './peek.js';
import { unzstd } from './unzstd.js';
import { detectUtf16, type Utf16, utf16ToUtf8 } from './utf16.js';
import { isZstd } from './zstd-frame.js';

export interface OpenOptions extends FeedOptions {
  /** What `-` reads. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  readonly disk?: Disk;
  readonly unpackLimits?: UnpackLimits;
}

/** What holds for a file in an archive beside. */
export interface EntryOptions extends OpenOptions {
  /** What the archive may still unpack to: the unpacked bytes of a packed file in it count, too. */
  readonly allowance: Allowance;
  /** Why an archive in it is not opened. */
  readonly refuseArchives?: string;
}

export interface OpenedSource {
  /** The first bytes that readers see, up to 64 KiB. */
  readonly head: Uint8Array;
  /** What readers read: unpacked, UTF-8 where it was UTF-16. Each block owns its memory. Never throws. */
  readonly blocks: Blocks;
  /** Why this content is not read although it is known what it is; `blocks` is then empty. */
  readonly refused?: string;
  /** The content is an archive: `blocks` are its bytes, for the reader of its files. */
  readonly archive?: ArchiveKind;
  readonly compression?: 'gzip' | 'zstd';
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
  readonly compression?: 'gzip' | 'zstd';
  readonly encoding?: Utf16;
  readonly damage: readonly Damage[];
}

/** Opens an input, or tells why that cannot be done. Never throws for what the input is. */
export async function openSource(
  file: InputFile,
  options: OpenOptions = {},
): Promise<{ readonly source: OpenedSource } | { readonly problem: InputProblem }> {
  const opened = await openFeed(file, options);
  if ('problem' in opened) return opened;
  const modifiedMs = file.kind === 'file' ? file.modifiedMs : undefined;
  return { source: await unwrap({ fileName: file.fileName, modifiedMs, damage: [] }, opened.feed, options) };
}

/** Opens a file in an archive; what was wrong with it there is among its damage. */
export function openEntry(file: EntryInput, entry: ArchiveEntry, options: EntryOptions): Promise<OpenedSource> {
  const content = async function* (): AsyncGenerator<Uint8Array, void> {
    for (let block = await entry.next(); block !== undefined; block = await entry.next()) yield block;
  };
  const { signal } = options;
  const about: About = {
    fileName: file.fileName,
    modifiedMs: entry.modifiedMs,
    get damage() {
      return entry.damage;
    },
  };
  return unwrap(about, feedFromStream(content(), signal ? { signal } : {}), options);
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

interface About {
  readonly fileName: string;
  readonly modifiedMs: number | undefined;
  readonly damage: readonly Damage[];
}

async function unwrap(
  about: About,
  feed: ByteFeed,
  options: OpenOptions & Partial<EntryOptions>,
): Promise<OpenedSource> {
  const notes: GzipNotes = { damage: [] };
  const contentHash = createHash('sha256');
  let top: Peeked = await peekHead(feed.next);
  let refused = refusedContainer(top.head, 'the file');
  const compression = isGzip(top.head) ? 'gzip' : isZstd(top.head) ? 'zstd' : undefined;
  if (compression !== undefined) {
    const unpacked =
      compression === 'gzip'
        ? gunzip(top.blocks.next, notes, options.unpackLimits)
        : unzstd(top.blocks.next, notes.damage, options.unpackLimits);
    top = await peekHead(async () => {
      const { done, value } = await unpacked.next();
      if (done === true) return undefined;
      if (options.allowance?.spend(value.length) === false) {
        notes.damage.push({ what: `${compression}: not read any further, ${options.allowance.exceeded()}` });
        return undefined;
      }
      contentHash.update(value);
      return value;
    });
    refused = packedTwice(top.head, compression) ?? refusedContainer(top.head, `what the ${compression} file holds`);
  }
  const archive = archiveKind(top.head);
  if (archive !== undefined) refused ??= options.refuseArchives;
  const encoding = archive === undefined ? detectUtf16(top.head) : undefined;
  if (encoding !== undefined) {
    const text = utf16ToUtf8(top.blocks, encoding);
    top = await peekHead(async () => (await text.next()).value ?? undefined);
  }

  let summary: Promise<SourceSummary> | undefined;
  const finish = async (): Promise<SourceSummary> => {
    // The hash of the content needs all of it; what was refused is only hashed as it is on disk.
    if (compression !== undefined && refused === undefined) for await (const _ of top.blocks);
    await feed.drain();
    return {
      sha256: feed.sha256(),
      bytes: feed.bytesRead(),
      damage: [...about.damage, ...feed.damage, ...notes.damage],
      ...(compression !== undefined && { compression }),
      ...(compression !== undefined && refused === undefined && { contentSha256: contentHash.digest('hex') }),
      ...(encoding !== undefined && { encoding }),
    };
  };
  const modifiedMs = notes.modifiedMs ?? about.modifiedMs;
  return {
    head: refused === undefined ? top.head : new Uint8Array(0),
    blocks: refused === undefined ? top.blocks : nothing(),
    fileName: compression === undefined ? about.fileName : about.fileName.replace(/\.(gz|gzip|zst|zstd)$/i, ''),
    ...(archive !== undefined && refused === undefined && { archive }),
    ...(compression !== undefined && { compression }),
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

function packedTwice(head: Uint8Array, outer: 'gzip' | 'zstd'): string | undefined {
  if (!isGzip(head) && !isZstd(head)) return undefined;
  const inner = isGzip(head) ? 'gzip' : 'zstd';
  return `what the ${outer} file holds is ${inner === outer ? `${inner} again` : inner}, which is not read; unpack it first (${outer === 'gzip' ? 'gunzip' : 'zstd -d'})`;
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {}
