/**
 * Finds the files in the named folders.
 *
 * Symbolic links are followed (Kubernetes keeps container logs behind them), each real folder is entered once, so loops
 * end and a farm of links costs nothing. Real folders are walked before linked ones: which way a file was found must not
 * depend on the order of the inputs.
 */
import type { Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type Disk, errorCode } from './disk.js';
import { nameText, type Place, pathKey, placeIn } from './disk-path.js';
import type { FoundFile } from './found-file.js';
import { compareText, type InputProblem } from './input.js';
import { accessProblem, brokenLink, emptyFolder, hiddenLeftOut, specialFile } from './input-problems.js';

/** A folder that was named, or matched by a glob. */
export interface NamedFolder extends Place {
  readonly input: string;
  /** A glob such as `**` matches folders that hold nothing; that is no mistake. */
  readonly mayBeEmpty: boolean;
}

interface Step {
  readonly place: Place;
  readonly root: NamedFolder;
  readonly realKey: string;
}

/** Leavings of desktops and version control: nobody needs to hear that they were left out. */
const HOUSEKEEPING = /^\.(DS_Store|git|gitignore|gitkeep|gitattributes|keep|_.*)$/;

const byPath = (a: Step, b: Step): number =>
  compareText(a.place.absolutePath, b.place.absolutePath) || compareText(a.root.input, b.root.input);

/** All files below the folders, each once for every way it was found; hidden ones are left out, and that is said. */
export async function walkFolders(
  folders: readonly NamedFolder[],
  disk: Disk,
): Promise<{ files: FoundFile[]; problems: InputProblem[] }> {
  const files: FoundFile[] = [];
  const problems: InputProblem[] = [];
  const entered = new Set<string>();
  const hidden = new Map<NamedFolder, number>();
  const troubled = new Set<NamedFolder>();
  const realKeys = new Map<NamedFolder, string>();
  let direct: Step[] = [];
  let linked: Step[] = [];

  const trouble = (root: NamedFolder, problem: InputProblem): void => {
    troubled.add(root);
    problems.push(problem);
  };

  const lookAt = async (entry: Dirent<Buffer>, { root, ...folder }: Step, viaLink: boolean): Promise<void> => {
    const { text } = nameText(entry.name);
    if (text.startsWith('.')) {
      if (!HOUSEKEEPING.test(text)) hidden.set(root, (hidden.get(root) ?? 0) + 1);
      return;
    }
    const place = placeIn(folder.place, entry.name);
    const shown = join(root.input, relative(root.absolutePath, place.absolutePath));
    const isLink = entry.isSymbolicLink();
    try {
      const stats = await disk.stat(place.diskPath);
      const below = `${folder.realKey === sep ? '' : folder.realKey}${sep}${entry.name.toString('latin1')}`;
      const realKey = isLink ? pathKey(await disk.realpath(place.diskPath)) : below;
      if (stats.isDirectory()) (isLink || viaLink ? linked : direct).push({ place, root, realKey });
      else if (stats.isFile())
        files.push({ ...place, realKey, direct: !isLink && !viaLink, stats, input: shown, named: false });
      else trouble(root, specialFile(shown, stats, false));
    } catch (error) {
      const code = errorCode(error);
      trouble(root, isLink && code === 'ENOENT' ? brokenLink(shown, false) : accessProblem(shown, code, false));
    }
  };

  const enter = async (step: Step, viaLink: boolean): Promise<void> => {
    if (entered.has(step.realKey)) return;
    entered.add(step.realKey);
    const { place, root } = step;
    try {
      // All at once: a network disk makes each look wait. What comes of it is sorted later.
      const entries = await disk.readdir(place.diskPath);
      await Promise.all(entries.map((entry) => lookAt(entry, step, viaLink)));
    } catch (error) {
      const shown = join(root.input, relative(root.absolutePath, place.absolutePath));
      trouble(root, accessProblem(shown, errorCode(error), place === root));
    }
  };

  for (const root of folders) {
    try {
      const realKey = pathKey(await disk.realpath(root.diskPath));
      realKeys.set(root, realKey);
      (realKey === pathKey(root.diskPath) ? direct : linked).push({ place: root, root, realKey });
    } catch (error) {
      trouble(root, accessProblem(root.input, errorCode(error), true));
    }
  }
  while (direct.length + linked.length > 0) {
    const viaLink = direct.length === 0;
    const batch = (viaLink ? linked : direct).sort(byPath);
    if (viaLink) linked = [];
    else direct = [];
    for (const step of batch) await enter(step, viaLink);
  }

  for (const root of folders) {
    const left = hidden.get(root) ?? 0;
    const holds = (file: FoundFile): boolean =>
      file.absolutePath.startsWith(root.absolutePath + sep) || file.realKey.startsWith(realKeys.get(root) + sep);
    if (!root.mayBeEmpty && !troubled.has(root) && !files.some(holds)) problems.push(emptyFolder(root.input, left));
    else if (left > 0) problems.push(hiddenLeftOut(root.input, left));
  }
  return { files, problems };
}
