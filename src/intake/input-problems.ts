/** The wording of everything that can be wrong with an input before a byte of it is read. */
import type { Stats } from 'node:fs';
import { type InputProblem, showName } from './input.js';

const ACCESS: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOENT: ['no such file or folder', 'check the path'],
  ENOTDIR: ['no such file or folder', 'check the path'],
  EACCES: ['no permission to read', 'change its permissions, or run as a user who may read it'],
  EPERM: ['no permission to read', 'change its permissions, or run as a user who may read it'],
  ELOOP: ['a symbolic link that leads back to itself', 'name the file it should lead to'],
  ENAMETOOLONG: ['the name is too long for this system', 'name it by a shorter path'],
  EMFILE: ['too many files are open', 'raise the limit (ulimit -n) and run again'],
};

/** Why `shown` could not be looked at or opened, by the error code of the system. */
export function accessProblem(shown: string, code: string, named: boolean): InputProblem {
  const [what, hint] = ACCESS[code] ?? [`cannot be read (${code})`, 'copy it to a local disk and name the copy'];
  return { input: shown, what: `${what}: ${showName(shown)}`, hint, named };
}

export function brokenLink(shown: string, named: boolean): InputProblem {
  const what = `a symbolic link that leads nowhere: ${showName(shown)}`;
  return { input: shown, what, hint: 'name the file it should lead to', named };
}

/** What is neither file nor folder is refused: a pipe may never end, a device may answer to being read. */
export function specialFile(shown: string, stats: SpecialFile, named: boolean): InputProblem {
  const kind = stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device';
  const hint = stats.isSocket() ? 'leave it out' : 'to read what comes out of it, pipe it in and name -';
  return { input: shown, what: `${kind}, not a file: ${showName(shown)}`, hint, named };
}

type SpecialFile = Pick<Stats, 'isFIFO' | 'isSocket'>;

export function nothingMatches(pattern: string): InputProblem {
  const what = `no file matches: ${showName(pattern)}`;
  return { input: pattern, what, hint: 'check the pattern and the folder it starts from', named: true };
}

export function emptyName(): InputProblem {
  return {
    input: '',
    what: 'an empty name was given',
    hint: 'name a file, a folder, a glob or - for stdin',
    named: true,
  };
}

export function emptyFolder(input: string, hidden: number): InputProblem {
  const what = `no file in the folder: ${showName(input)}`;
  const hint = hidden > 0 ? 'hidden files are left out, name them to read them' : 'check the path';
  return { input, what, hint, named: true };
}

export function hiddenLeftOut(input: string, hidden: number): InputProblem {
  const what = `${hidden} hidden ${hidden === 1 ? 'entry' : 'entries'} left out in the folder: ${showName(input)}`;
  return { input, what, hint: 'name them to read them', named: false };
}

export function noStdin(): InputProblem {
  const what = 'nothing comes in on the standard input';
  return { input: '-', what, hint: 'pipe the evidence in, or name a file instead of -', named: true };
}
