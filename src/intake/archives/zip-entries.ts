/**
 * The files of a zip, in the order of its directory (APPNOTE 6.3). yauzl reads the directory; the data is inflated as gzip's
 * is, so that every good byte before damage is delivered.
 */
import zlib from 'node:zlib';
import type { Entry } from 'yauzl';
import type { Damage } from '../../model/evidence.js';
import { byteCursor } from '../byte-cursor.js';
import { oneLine } from '../detect.js';
import { inflateMember } from '../inflate-member.js';
import type { ArchiveEntry, ArchiveNotes } from './entry.js';
import type { RandomAccess } from './random-access.js';
import { readZipDirectory, type ZipDirectory } from './zip-directory.js';

const PORTION_BYTES = 64 * 1024;
const STORED = 0;
const DEFLATED = 8;
const LINK = 0o120000;
const TYPE_OF_MODE = 0o170000;
const UNBOUNDED = { bytes: Number.POSITIVE_INFINITY, ratio: Number.POSITIVE_INFINITY };

/** Each entry must be read, or left alone, before the next is asked for. Never throws for what the zip is. */
export async function* zipEntries(access: RandomAccess, notes: ArchiveNotes): AsyncGenerator<ArchiveEntry, void> {
  let directory: ZipDirectory;
  try {
    directory = await readZipDirectory(access);
  } catch (error) {
    const what = `the zip has no directory that could be read (${oneLine(error)}): cut short, or damaged; zip -FF may repair a copy of it`;
    notes.damage.push({ what });
    return;
  }
  try {
    for await (const { entry, name } of directory.entries()) {
      if (name.endsWith('/')) continue;
      if (((entry.externalFileAttributes >>> 16) & TYPE_OF_MODE) === LINK) notes.links++;
      else yield fileOf(entry, name, access, directory);
    }
  } catch (error) {
    notes.damage.push({
      what: `the directory of the zip is damaged (${oneLine(error)}): files after this were not read`,
    });
  }
}

function fileOf(entry: Entry, name: string, access: RandomAccess, directory: ZipDirectory): ArchiveEntry {
  const damage: Damage[] = [];
  const refused = entry.isEncrypted()
    ? 'is encrypted; unpack it with its password first (unzip)'
    : entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED
      ? undefined
      : `is packed by method ${entry.compressionMethod} of zip, which is not read; unpack it first (7z x)`;
  const blocks = refused === undefined ? dataOf(entry, access, directory, damage) : undefined;
  return {
    name,
    modifiedMs: entry.getLastModDate({ timezone: 'UTC' }).getTime(),
    ...(refused !== undefined && { refused }),
    damage,
    next: async () => (await blocks?.next())?.value ?? undefined,
  };
}

/** The unpacked data, checked against the directory. */
async function* dataOf(
  entry: Entry,
  access: RandomAccess,
  directory: ZipDirectory,
  damage: Damage[],
): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  let crc: number | undefined = 0;
  try {
    const raw = rawData(access, await directory.dataStart(entry), entry.compressedSize);
    const blocks = entry.compressionMethod === STORED ? stored(raw) : inflateMember(byteCursor(raw), 0, UNBOUNDED);
    for (let step = await blocks.next(); ; step = await blocks.next()) {
      if (step.done === true) {
        const end = step.value;
        // Deflate that ends with its last portion cannot be told from one that goes on: the size decides.
        if (end?.how === 'ends-early' && size < entry.uncompressedSize)
          damage.push({ what: `zip: its data ends early after ${size} bytes`, offset: size });
        if (end?.how === 'broken')
          damage.push({ what: `zip: its data is damaged (${end.error}), what was before it was read`, offset: size });
        break;
      }
      size += step.value.length;
      crc = crc === undefined || typeof zlib.crc32 !== 'function' ? undefined : zlib.crc32(step.value, crc);
      yield step.value;
    }
  } catch (error) {
    damage.push({ what: `zip: its data could not be read (${oneLine(error)})`, offset: size });
    return;
  }
  if (damage.length === 0 && (size !== entry.uncompressedSize || (crc !== undefined && crc !== entry.crc32)))
    damage.push({ what: 'zip: its checksum or size does not fit: some of what was read from it is wrong' });
}

function rawData(access: RandomAccess, start: number, length: number): () => Promise<Uint8Array | undefined> {
  let at = 0;
  return async () => {
    if (at >= length) return undefined;
    const portion = await access.read(start + at, Math.min(PORTION_BYTES, length - at));
    at += portion.length;
    return portion.length === 0 ? undefined : portion;
  };
}

async function* stored(next: () => Promise<Uint8Array | undefined>): AsyncGenerator<Uint8Array, undefined> {
  for (let block = await next(); block !== undefined; block = await next()) yield block;
  return undefined;
}
