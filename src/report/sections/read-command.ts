/** The shell command that gives the content of a source again, however it is packed. */
import type { Source } from '../../model/analysis.js';

type Layer = NonNullable<Source['packing']>[number];

const UNPACK = { gzip: 'gzip -dc', zstd: 'zstd -dc' } as const;

/** A command without its input, or why no command reaches the content. */
export type ReadCommand =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'none'; readonly why: string };

/** @param outer path of the file on the disk: of the outermost archive where the source is in one */
export function readCommand(outer: string, packing: readonly Layer[]): ReadCommand {
  let command: string | undefined;
  for (const { kind, entry = '', nth = 1 } of packing) {
    if (kind === 'gzip' || kind === 'zstd') {
      command = command === undefined ? `${UNPACK[kind]} ${shellQuoted(outer)}` : `${command} | ${UNPACK[kind]}`;
      continue;
    }
    if (kind === 'tar') {
      const which = nth > 1 ? ` --occurrence=${nth}` : '';
      // GNU tar passes over names that lead out of the folder, unless told that it may not.
      const flags = /^\/|(?:^|\/)\.\.(?:\/|$)/.test(entry) ? '-xOPf' : '-xOf';
      const input = command === undefined ? shellQuoted(outer) : '-';
      const text = `tar ${flags} ${input}${which} -- ${quoted(entry)}`;
      command = command === undefined ? text : `${command} | ${text}`;
      continue;
    }
    if (command !== undefined)
      return { kind: 'none', why: 'unzip reads no zip out of another packing: unpack that first' };
    if (nth > 1) return { kind: 'none', why: `unzip cannot choose the ${nth}. file of that name` };
    command = `unzip -p ${shellQuoted(outer)} ${quoted(entry.replace(/[[\]*?\\]/g, '\\$&'))}`;
  }
  return command === undefined ? { kind: 'file', path: shellQuoted(outer) } : { kind: 'command', text: command };
}

/** A path as one word of a POSIX shell; it cannot be taken for an option. */
const shellQuoted = (path: string): string => quoted(path.startsWith('-') ? `./${path}` : path);

const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
