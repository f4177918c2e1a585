/**
 * Paths in a report are relative to the deepest folder that holds all inputs: the same evidence named from another working
 * directory, by relative or absolute path, or in another order, is called the same, and no path of the machine shows.
 */
import { parse, relative, sep } from 'node:path';

/** The deepest folder that holds all these folders (absolute paths). Undefined for none, or on different Windows drives. */
export function commonAncestor(folders: readonly string[]): string | undefined {
  let common: readonly string[] | undefined;
  for (const folder of folders) {
    const parts = folderParts(folder);
    if (common === undefined) {
      common = parts;
      continue;
    }
    const known: readonly string[] = common;
    const differs = known.findIndex((part, i) => part !== parts[i]);
    if (differs !== -1) common = known.slice(0, differs);
  }
  const [root, ...rest] = common ?? [];
  return root === undefined ? undefined : root + rest.join(sep);
}

function folderParts(folder: string): readonly string[] {
  const { root } = parse(folder);
  const rest = folder.slice(root.length);
  return [root, ...rest.split(sep).filter((part) => part !== '')];
}

/** The path of a file as it is called everywhere from here on. */
export function pathBelow(ancestor: string | undefined, absolutePath: string): string {
  const below = ancestor === undefined ? absolutePath : relative(ancestor, absolutePath);
  return sep === '/' ? below : below.split(sep).join('/');
}
