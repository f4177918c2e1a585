/** From what the command line names (files, folders, globs, `-`) to the list of files to read. */
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { commonAncestor, pathBelow } from './common-ancestor.js';
import { type Disk, errorCode, nodeDisk } from './disk.js';
import { type Place, pathKey } from './disk-path.js';
import { type FoundFile, onceEach } from './found-file.js';
import { compareText, type DiskFile, type ExpandedInputs, type InputFile, type InputProblem } from './input.js';
import { accessProblem, emptyName, nothingMatches, specialFile } from './input-problems.js';
import { type NamedFolder, walkFolders } from './walk-folders.js';

export interface ExpandOptions {
  /** Folder that relative inputs start from; the working directory where absent. */
  readonly cwd?: string;
  readonly disk?: Disk;
}

/**
 * Looks up every input. A literal path that exists wins over its meaning as a glob; `-` is the standard input.
 * Never throws for what an input is or is not: that comes back in `problems`.
 */
export async function expandInputs(inputs: readonly string[], options: ExpandOptions = {}): Promise<ExpandedInputs> {
  const cwd = options.cwd ?? process.cwd();
  const disk = options.disk ?? nodeDisk;
  const problems: InputProblem[] = [];
  const files: FoundFile[] = [];
  const folders: NamedFolder[] = [];

  const lookAt = async (input: string, fromGlob: boolean): Promise<void> => {
    const place = await canonicalPlace(isAbsolute(input) ? input : cwd + sep + input, disk);
    const stats = await disk.stat(place.diskPath);
    if (stats.isDirectory()) folders.push({ ...place, input, mayBeEmpty: fromGlob });
    else if (stats.isFile()) {
      const realKey = pathKey(await disk.realpath(place.diskPath));
      files.push({ ...place, realKey, direct: realKey === pathKey(place.diskPath), stats, input, named: true });
    } else problems.push(specialFile(input, stats, true));
  };

  for (const input of new Set(inputs)) {
    if (input === '-') continue;
    if (input === '') {
      problems.push(emptyName());
      continue;
    }
    try {
      await lookAt(input, false);
    } catch (error) {
      const code = errorCode(error);
      const matches = isAbsent(code) && isDynamicPattern(input) ? await matchesOf(input, cwd) : undefined;
      if (matches === undefined) problems.push(accessProblem(input, code, true));
      else if (matches.length === 0) problems.push(nothingMatches(input));
      const look = (match: string): Promise<unknown> =>
        lookAt(match, true).catch((e) => problems.push(accessProblem(match, errorCode(e), true)));
      await Promise.all((matches ?? []).map(look));
    }
  }

  const walked = await walkFolders(folders, disk);
  const all = onceEach([...files, ...walked.files]);
  const roots = new Set([...folders.map((f) => f.absolutePath), ...files.map((f) => dirname(f.absolutePath))]);
  const ancestor = commonAncestor([...new Set(all.map((file) => shallowestRoot(file, roots)))]);
  const listed: InputFile[] = all.map((file) => diskFile(file, ancestor));
  if (inputs.includes('-')) listed.push(stdinInput(listed));
  return {
    files: listed.sort((a, b) => compareText(a.path, b.path)),
    problems: eachOnce([...problems, ...walked.problems]),
  };
}

/** What was named and found again in a named folder is told once, as named. */
function eachOnce(problems: readonly InputProblem[]): InputProblem[] {
  const told = new Map<string, InputProblem>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.input, problem.what]);
    if (problem.named || !told.has(key)) told.set(key, problem);
  }
  return [...told.values()].sort((a, b) => compareText(a.input, b.input) || compareText(a.what, b.what));
}

/** A name too long to exist may still be a pattern. */
const isAbsent = (code: string): boolean => code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG';

/** Folders a pattern matches are read whole, as if the shell had put their names there. */
function matchesOf(pattern: string, cwd: string): Promise<string[]> {
  const options = { cwd, absolute: isAbsolute(pattern), onlyFiles: false, expandDirectories: false };
  return glob(pattern, options);
}

/**
 * One spelling for every way to name a place: links, `.` and `..` in the way to it are resolved as the system does (which
 * is not how text does it), its own name is kept, because the name of a link often says more than that of its target.
 */
async function canonicalPlace(path: string, disk: Disk): Promise<Place> {
  const name = basename(path);
  if (name === '' || name === '.' || name === '..') return placeAt((await disk.realpath(path)).toString());
  return placeAt(join((await disk.realpath(dirname(path))).toString(), name));
}

const placeAt = (path: string): Place => ({ diskPath: path, absolutePath: path });

function shallowestRoot(file: FoundFile, roots: ReadonlySet<string>): string {
  let shallowest = dirname(file.absolutePath);
  for (let at = shallowest; ; at = dirname(at)) {
    if (roots.has(at)) shallowest = at;
    if (at === dirname(at)) return shallowest;
  }
}

function diskFile(file: FoundFile, ancestor: string | undefined): DiskFile {
  const { absolutePath, diskPath, stats, input, named } = file;
  const fileName = basename(absolutePath);
  const path = pathBelow(ancestor, absolutePath);
  return {
    kind: 'file',
    path,
    fileName,
    input,
    absolutePath,
    diskPath,
    bytes: stats.size,
    modifiedMs: stats.mtimeMs,
    named,
  };
}

/** A file may be called `stdin` too; two sources of one path could not be told apart in a report. */
function stdinInput(files: readonly InputFile[]): InputFile {
  const taken = files.some((file) => file.path === 'stdin');
  return { kind: 'stdin', path: taken ? '(stdin)' : 'stdin', fileName: 'stdin', input: '-', named: true };
}
