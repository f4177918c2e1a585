/**
 * One input that holds idempotency records. DuckDB reads files by their path, and the records worth a look are read a second
 * time: what is packed, piped in, UTF-16 or of a name that DuckDB takes for a pattern is first put into a file of its own.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InputFile, type InputProblem, openSource, type SourceSummary } from '../intake/index.js';

/** An input whose beginning was looked at. */
export interface Peeked {
  readonly input: InputFile;
  readonly head: Uint8Array;
  /** The head is all there is. */
  readonly isWhole: boolean;
  readonly modifiedMs?: number;
  /** Hash and size of what is on the disk. */
  summary(): Promise<RecordSummary>;
  /** Where DuckDB finds it. */
  readonly path: string;
  /** From the beginning, as often as it is asked for. */
  blocks(): AsyncIterable<Uint8Array>;
}

export interface RecordSummary {
  readonly sha256: string;
  readonly bytes: number;
  readonly damage: SourceSummary['damage'];
}

export interface Spool {
  /** A new place for a file. */
  next(): string;
  /** Takes away all that was put there. */
  remove(): void;
}

export function createSpool(): Spool {
  let folder: string | undefined;
  let files = 0;
  const remove = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
    process.off('exit', remove);
  };
  return {
    next() {
      if (folder === undefined) {
        folder = mkdtempSync(join(tmpdir(), 'bullmortem-'));
        // Records must not stay behind, however the process ends.
        process.once('exit', remove);
      }
      return join(folder, `records-${++files}`);
    },
    remove,
  };
}

const BLOCK_BYTES = 1 << 20;

/** Two blocks in turn: each is valid until the one after the next. A gigabyte in blocks of its own keeps the collector busy. */
async function* blocksOf(path: string): AsyncGenerator<Uint8Array, void> {
  const file = await open(path, 'r');
  try {
    const memory = [Buffer.allocUnsafe(BLOCK_BYTES), Buffer.allocUnsafe(BLOCK_BYTES)] as const;
    for (let n = 0; ; n ^= 1) {
      const block = memory[n === 0 ? 0 : 1];
      const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, null);
      if (bytesRead === 0) return;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Looks at an input; the problem where it cannot be opened or is packed in a way that is not read. */
export async function peekInput(
  input: InputFile,
  spool: Spool,
  stdin: AsyncIterable<Uint8Array | string> | undefined,
): Promise<Peeked | { readonly problem: InputProblem }> {
  const opened = await openSource(input, stdin === undefined ? {} : { stdin });
  if ('problem' in opened) return opened;
  const { source } = opened;
  try {
    const { head, modifiedMs, archive } = source;
    const refused = source.refused ?? (archive && `is a ${archive}, whose records are not read; unpack it first`);
    if (refused !== undefined)
      return {
        problem: {
          input: input.input,
          what: `not read: ${refused}`,
          hint: 'then name what comes out',
          named: input.named,
        },
      };
    const about = { input, head, ...(modifiedMs === undefined ? {} : { modifiedMs }) };
    if (input.kind === 'file' && (await isPlain(input, source.fileName, head))) {
      const path = await plainPath(input, spool);
      return { ...about, isWhole: head.length >= input.bytes, path, ...hashedOnce(path) };
    }
    const path = spool.next();
    const file = await open(path, 'w', 0o600);
    try {
      for await (const block of source.blocks) await file.write(block);
    } finally {
      await file.close();
    }
    const summary = await source.done();
    const isWhole = head.length < HEAD_BYTES;
    return { ...about, isWhole, path, summary: async () => summary, blocks: () => blocksOf(path) };
  } finally {
    await source.abandon();
  }
}

/** The first pass over a file hashes it; one is made for that where nobody reads the file otherwise. */
function hashedOnce(path: string): Pick<Peeked, 'blocks' | 'summary'> {
  let known: RecordSummary | undefined;
  async function* hashing(): AsyncGenerator<Uint8Array, void> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const block of blocksOf(path)) {
      hash.update(block);
      bytes += block.length;
      yield block;
    }
    known = { sha256: hash.digest('hex'), bytes, damage: [] };
  }
  return {
    blocks: () => (known === undefined ? hashing() : blocksOf(path)),
    async summary() {
      if (known === undefined) for await (const _ of hashing());
      return known ?? { sha256: '', bytes: 0, damage: [] };
    },
  };
}

/** As much as `openSource` shows at most. */
const HEAD_BYTES = 64 * 1024;

/** The file on the disk begins as its head does: nothing was unpacked or translated. */
async function isPlain(
  input: Extract<InputFile, { kind: 'file' }>,
  fileName: string,
  head: Uint8Array,
): Promise<boolean> {
  if (fileName !== input.fileName) return false;
  const file = await open(input.diskPath, 'r');
  try {
    const start = Buffer.alloc(Math.min(head.length, 4096));
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    return bytesRead === start.length && start.equals(Buffer.from(head.subarray(0, start.length)));
  } finally {
    await file.close();
  }
}

/** DuckDB takes some characters for a pattern, and knows text only: a link of a plain name leads to such a file. */
async function plainPath(input: Extract<InputFile, { kind: 'file' }>, spool: Spool): Promise<string> {
  if (typeof input.diskPath === 'string' && !/[*?[\]{}]/.test(input.diskPath)) return input.diskPath;
  const link = spool.next();
  await symlink(input.diskPath, link);
  return link;
}
