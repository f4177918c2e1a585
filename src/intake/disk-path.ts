/**
 * Joining names that may be no valid UTF-8 (an old archive with Latin-1 names): the bytes lead back to the file, the text
 * is for people.
 */
import { join, sep } from 'node:path';
import type { DiskPath } from './disk.js';

/** A folder or file, as bytes for the disk and as text. */
export interface Place {
  readonly diskPath: DiskPath;
  readonly absolutePath: string;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a name; bytes that are no UTF-8 make the whole name Latin-1 with those bytes spelt `\xE9`. */
export function nameText(name: Buffer): { text: string; valid: boolean } {
  try {
    return { text: decoder.decode(name), valid: true };
  } catch {
    const text = name.toString('latin1').replace(/[\x80-\xff]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`);
    return { text, valid: false };
  }
}

/** The place called `name` in a folder. */
export function placeIn(folder: Place, name: Buffer): Place {
  const { text, valid } = nameText(name);
  const absolutePath = join(folder.absolutePath, text);
  if (valid && typeof folder.diskPath === 'string') return { diskPath: join(folder.diskPath, text), absolutePath };
  return { diskPath: Buffer.concat([Buffer.from(folder.diskPath), Buffer.from(sep), name]), absolutePath };
}

/** A string that is equal for equal bytes of a path. */
export function pathKey(path: DiskPath): string {
  return Buffer.from(path).toString('latin1');
}
