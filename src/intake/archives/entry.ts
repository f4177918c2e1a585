/** One file in an archive, as the readers of tar and zip give it. Nothing of it is ever written anywhere. */
import type { Damage } from '../../model/evidence.js';

export interface ArchiveEntry {
  /** As the archive has it, whatever it holds: it is a label and never a place. */
  readonly name: string;
  /** ms UTC, where the archive says when the file was last changed. */
  readonly modifiedMs?: number;
  /** Why it is not read although it is there; `next` then gives nothing. */
  readonly refused?: string;
  /** Its next bytes; undefined at the end. Each block owns its memory. Never throws. */
  next(): Promise<Uint8Array | undefined>;
  /** What was wrong with it, as far as it was read. */
  readonly damage: readonly Damage[];
}

/** What is said of the archive as a whole. */
export interface ArchiveNotes {
  readonly damage: Damage[];
  /** Links and devices: what they lead to is not in the archive, or is there under its own name. */
  links: number;
}

const LONGEST = 1000;

/** The name as part of a path in a report: without anything that could lead out of the archive. */
export function innerPath(name: string): string {
  const parts = name.split(/[/\\]/).filter((part) => part !== '' && part !== '.' && part !== '..');
  const path = parts.join('/');
  if (path === '') return '(no name)';
  const points = Array.from(path);
  return points.length <= LONGEST ? path : `${points.slice(0, LONGEST).join('')}…`;
}

/** Leavings of desktops: nobody needs to hear that they were left out. */
const HOUSEKEEPING = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._|Thumbs\.db$|desktop\.ini$)/;

/** Whether a file is left out as one of its name would be in a folder; `said` where the user should know. */
export function leftOut(name: string): 'said' | 'silently' | undefined {
  if (HOUSEKEEPING.test(name)) return 'silently';
  return innerPath(name)
    .split('/')
    .some((part) => part.startsWith('.'))
    ? 'said'
    : undefined;
}
