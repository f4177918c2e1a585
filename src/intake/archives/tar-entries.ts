/**
 * The files of a tar, one after the other. node-tar's parser takes blocks and answers at once, so that every good byte before
 * damage is delivered; behind a broken header it goes on at the next good one.
 */
import type { ReadEntry } from 'tar';
import type { Damage } from '../../model/evidence.js';
import type { ArchiveEntry, ArchiveNotes } from './entry.js';

type Piece = { readonly start: ReadEntry } | { readonly data: Uint8Array } | 'end';

const FILES = new Set(['File', 'OldFile', 'ContiguousFile']);
/** Two blocks of zeros end a tar (POSIX ustar). */
const END_BYTES = 1024;

/** Each entry must be read to its end, or left alone, before the next is asked for. Never throws for what the tar is. */
export async function* tarEntries(
  next: () => Promise<Uint8Array | undefined>,
  notes: ArchiveNotes,
): AsyncGenerator<ArchiveEntry, void> {
  const { Parser } = await import('tar');
  const pieces: Piece[] = [];
  let at = 0;
  let broken = 0;
  let zeros = 0;
  let bytes = 0;
  let isOver = false;
  let cutShort = false;
  const parser = new Parser({
    onReadEntry(entry) {
      pieces.push({ start: entry });
      entry.on('data', (data) => pieces.push({ data }));
      entry.on('end', () => pieces.push('end'));
    },
    onwarn(code) {
      if (code === 'TAR_ENTRY_INVALID') broken++;
      else if (code === 'TAR_BAD_ARCHIVE') cutShort = true;
    },
  });

  const fill = async (): Promise<boolean> => {
    while (at >= pieces.length && !isOver) {
      pieces.length = 0;
      at = 0;
      const block = await next();
      if (block === undefined) {
        isOver = true;
        parser.end();
      } else {
        bytes += block.length;
        zeros = trailingZeros(block) + (isAllZero(block) ? zeros : 0);
        parser.write(Buffer.from(block.buffer, block.byteOffset, block.byteLength));
      }
    }
    return at < pieces.length;
  };
  const take = async (): Promise<Piece | undefined> => ((await fill()) ? pieces[at++] : undefined);

  for (let piece = await take(); piece !== undefined; piece = await take()) {
    if (typeof piece === 'string' || !('start' in piece)) continue;
    const { start } = piece;
    if (start.type === 'Directory') continue;
    if (!FILES.has(start.type)) {
      notes.links++;
      continue;
    }
    const damage: Damage[] = [];
    let given = 0;
    let ended = false;
    const entry: ArchiveEntry = {
      name: start.path,
      ...(start.mtime !== undefined && { modifiedMs: start.mtime.getTime() }),
      damage,
      async next() {
        const more = ended ? undefined : await take();
        if (more === undefined || typeof more === 'string' || !('data' in more)) {
          if (!ended && given < start.size)
            damage.push({
              what: `the archive ends after ${given} of its ${start.size} bytes, what was before it was read`,
            });
          ended = true;
          return undefined;
        }
        given += more.data.length;
        return more.data;
      },
    };
    yield entry;
    while ((await entry.next()) !== undefined);
  }
  if (broken > 0)
    notes.damage.push({
      what: 'a header in the tar is damaged: the file behind it was not read, those before and after were',
    });
  if (cutShort || (zeros < END_BYTES && bytes > 0))
    notes.damage.push({ what: 'the tar has no end mark: it may have been cut short, what is there was read' });
}

function trailingZeros(block: Uint8Array): number {
  let count = 0;
  while (count < Math.min(block.length, END_BYTES) && block[block.length - 1 - count] === 0) count++;
  return count;
}

const isAllZero = (block: Uint8Array): boolean => block.length < END_BYTES && trailingZeros(block) === block.length;
