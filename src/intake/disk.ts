/**
 * The few file system calls of the intake, behind one seam: a disk that fails in the middle of a file cannot be had in a
 * test otherwise. Everything here reads; nothing of the evidence is ever written.
 */
import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';

/** A path as the disk knows it. Bytes where a name is no valid UTF-8: as text it could not be opened again. */
export type DiskPath = string | Buffer;

export interface Disk {
  stat(path: DiskPath): Promise<Stats>;
  /** The path without symbolic links, as bytes. */
  realpath(path: DiskPath): Promise<Buffer>;
  readdir(path: DiskPath): Promise<Dirent<Buffer>[]>;
  /** Opens for reading. */
  open(path: DiskPath): Promise<Pick<FileHandle, 'read' | 'stat' | 'close'>>;
}

// Without O_NONBLOCK, opening a named pipe that took a file's place after it was looked at would wait for ever.
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export const nodeDisk: Disk = {
  stat: (path) => stat(path),
  realpath: (path) => realpath(path, { encoding: 'buffer' }),
  readdir: (path) => readdir(path, { withFileTypes: true, encoding: 'buffer' }),
  open: (path) => open(path, READ_ONLY),
};

/** The error code of a failed call, such as `ENOENT`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
}
