/** The files of this project, as the tests about the project itself see them. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Files under a folder whose name ends so, relative to the project, sorted. */
export function filesUnder(folder: string, ending = ''): string[] {
  return fs
    .readdirSync(path.join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

/** Files that git tracks or would track: the project without what it ignores. */
export function projectFiles(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT })
    .toString()
    .split('\0')
    .filter((file) => file !== '' && fs.existsSync(path.join(ROOT, file)))
    .sort();
}

export const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');
