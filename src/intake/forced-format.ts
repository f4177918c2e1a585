/** `--format [GLOB=]NAME`: what the analyst says about a source is not second-guessed. */
import { globPattern } from './glob-pattern.js';

export interface ForcedFormat {
  /** Which sources, by their path where the glob has a `/`, else by their file name. Absent: all. */
  readonly glob?: string;
  readonly name: string;
}

/** Reads the value of the option. Undefined: no format is named. */
export function parseForcedFormat(text: string): ForcedFormat | undefined {
  // The last sign: a file name may hold one, a format's name does not.
  const sign = text.lastIndexOf('=');
  const name = text.slice(sign + 1).trim();
  if (name === '') return undefined;
  return sign > 0 ? { glob: text.slice(0, sign), name } : { name };
}

/** The format a source must have. One that names sources goes before one for all; among equals the later wins. */
export function forcedFormatOf(
  source: { readonly path: string; readonly fileName: string },
  forced: readonly ForcedFormat[],
): string | undefined {
  const concerns = ({ glob }: ForcedFormat): boolean =>
    glob !== undefined && globPattern(glob).test(glob.includes('/') ? source.path : source.fileName);
  const found = forced.findLast(concerns) ?? forced.findLast(({ glob }) => glob === undefined);
  return found?.name;
}
