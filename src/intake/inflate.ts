/**
 * Node's raw inflate, one portion at a time.
 *
 * Node's own gunzip will not do here: an error in it (garbage after a member, a broken block) takes the output of the same
 * call with it, and it does not tell where a member ends. Raw inflate ends at the end of its data and counts what it used.
 */
import zlib from 'node:zlib';

/** Small, because a portion can unpack to a thousand times its size, and because an error costs the output of one call. */
export const PORTION_BYTES = 16 * 1024;
const OUTPUT_BYTES = 64 * 1024;

export interface Inflated {
  readonly output: readonly Uint8Array[];
  /** Bytes of the portion that belong to the data. */
  readonly used: number;
  /** The data ended inside this portion. */
  readonly ended: boolean;
  /** The data is broken here; what zlib says. */
  readonly error?: string;
}

export interface Inflater {
  push(portion: Uint8Array): Promise<Inflated>;
  close(): void;
}

/** An inflater for one run of deflate data. */
export function createInflater(): Inflater {
  const stream = zlib.createInflateRaw({ chunkSize: OUTPUT_BYTES });
  let output: Uint8Array[] = [];
  let error: string | undefined;
  let settle: () => void = () => undefined;
  // Flowing, and read by this listener at once: a paused stream would lose what it holds when an error destroys it.
  stream.on('data', (chunk: Uint8Array) => output.push(chunk));
  stream.on('error', (e) => {
    error = e.message;
    settle();
  });
  return {
    async push(portion) {
      const before = stream.bytesWritten;
      await new Promise<void>((resolve) => {
        settle = resolve;
        stream.write(portion, () => resolve());
      });
      const used = stream.bytesWritten - before;
      const inflated = { output, used, ended: error === undefined && used < portion.length };
      output = [];
      return error === undefined ? inflated : { ...inflated, error };
    },
    close: () => stream.destroy(),
  };
}
