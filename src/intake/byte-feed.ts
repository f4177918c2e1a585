/**
 * The bytes of one input exactly as they are on disk, block by block, hashed on the way. Layers above (gzip, UTF-16) may
 * stop early; `drain` then reads the rest, so that the hash is that of the whole file.
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Damage } from '../model/evidence.js';
import { errorCode } from './disk.js';

/** Large enough that a system call costs nothing, small enough to stay in the cache of a core. */
export const BLOCK_BYTES = 512 * 1024;

export interface ByteFeed {
  /** The next bytes; undefined at the end, or where reading failed. Each block owns its memory. Never throws. */
  next(): Promise<Uint8Array | undefined>;
  /** Reads what is left and closes. */
  drain(): Promise<void>;
  /** Closes at once; `next` then gives no more. */
  abandon(): Promise<void>;
  bytesRead(): number;
  /** SHA-256 of the bytes read, once drained. */
  sha256(): string;
  readonly damage: readonly Damage[];
}

export interface FeedOptions {
  /** Called with the bytes read so far, after each block. */
  readonly onBytes?: (bytesRead: number) => void;
  /** Once aborted, the feed ends. */
  readonly signal?: AbortSignal;
}

interface Origin {
  read(): Promise<Uint8Array | undefined>;
  /** A read comes to its end by itself. One of a terminal or a pipe may not. */
  readonly settles: boolean;
  close(): Promise<Damage | undefined>;
}

/** Bytes of an open file, which belongs to the feed from now on. */
export function feedFromFile(
  handle: Pick<FileHandle, 'read' | 'stat' | 'close'>,
  opened: Stats,
  options: FeedOptions = {},
): ByteFeed {
  const size = Math.min(BLOCK_BYTES, Math.max(opened.size + 1, 4096));
  return feed(options, {
    settles: true,
    async read() {
      const buffer = Buffer.allocUnsafeSlow(size);
      const { bytesRead } = await handle.read(buffer, 0, size, null);
      return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
    },
    async close() {
      const now = await handle.stat().catch(() => opened);
      await handle.close().catch(() => undefined);
      if (now.size === opened.size && now.mtimeMs === opened.mtimeMs) return undefined;
      return {
        what: `the file changed while it was read (${opened.size} bytes when opened, ${now.size} at the end); analyze a copy for a result that can be repeated`,
      };
    },
  });
}

/** Bytes of a stream such as the standard input. */
export function feedFromStream(stream: AsyncIterable<Uint8Array | string>, options: FeedOptions = {}): ByteFeed {
  const iterator = stream[Symbol.asyncIterator]();
  return feed(options, {
    settles: false,
    async read() {
      for (;;) {
        const { done, value } = await iterator.next();
        if (done === true) return undefined;
        // An empty chunk is no end.
        if (value.length > 0) return typeof value === 'string' ? new TextEncoder().encode(value) : value;
      }
    },
    async close() {
      // Not waited for: a generator answers only when the read under way has ended.
      void iterator.return?.()?.catch(() => undefined);
      return undefined;
    },
  });
}

function feed({ onBytes, signal }: FeedOptions, origin: Origin): ByteFeed {
  const hash = createHash('sha256');
  const damage: Damage[] = [];
  let bytes = 0;
  let ended = false;
  let digest: string | undefined;
  let closing: Promise<void> | undefined;
  let ahead: Promise<Uint8Array | Error | undefined> | undefined;

  let stopWaiting: () => void = () => undefined;
  const onAbort = (): void => stopWaiting();
  signal?.addEventListener('abort', onAbort);
  const read = (): Promise<Uint8Array | Error | undefined> =>
    origin.read().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

  const next = async (): Promise<Uint8Array | undefined> => {
    if (ended || signal?.aborted === true) return undefined;
    // Not Promise.race: a promise that lives as long as the signal would hold on to every block.
    const block = await new Promise<Uint8Array | Error | undefined>((resolve) => {
      stopWaiting = () => resolve(undefined);
      void (ahead ?? read()).then(resolve);
    });
    if (block === undefined || block instanceof Error) {
      ended = true;
      if (block !== undefined) {
        const what = `could not be read beyond byte ${bytes} (${errorCode(block)}), what was before it was read`;
        damage.push({ what });
      }
      return undefined;
    }
    // The disk works while the block is being understood.
    ahead = read();
    hash.update(block);
    bytes += block.length;
    onBytes?.(bytes);
    return block;
  };

  const close = async (): Promise<void> => {
    ended = true;
    signal?.removeEventListener('abort', onAbort);
    // A read under way must not lose its file.
    if (origin.settles) await ahead;
    const changed = await origin.close();
    if (changed !== undefined) damage.push(changed);
  };

  return {
    next,
    async drain() {
      while (closing === undefined && (await next()) !== undefined);
      closing ??= close();
      await closing;
    },
    abandon() {
      closing ??= close();
      return closing;
    },
    bytesRead: () => bytes,
    sha256: () => {
      digest ??= hash.digest('hex');
      return digest;
    },
    damage,
  };
}
