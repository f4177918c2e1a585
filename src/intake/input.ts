/** What the command line named, once looked at: files to read, and what could not be had. */
import type { DiskPath } from './disk.js';

export interface DiskFile {
  readonly kind: 'file';
  /** Relative to the common ancestor of all inputs, with `/` between folders. Never a path of the machine. */
  readonly path: string;
  readonly fileName: string;
  /** As the user named it or the folder it is in: for messages, which should say what was typed. */
  readonly input: string;
  readonly absolutePath: string;
  readonly diskPath: DiskPath;
  readonly bytes: number;
  /** Last modification, ms UTC. */
  readonly modifiedMs: number;
  /** Named on the command line (or matched by a glob), as opposed to found in a named folder. */
  readonly named: boolean;
}

export interface StdinInput {
  readonly kind: 'stdin';
  readonly path: string;
  readonly fileName: 'stdin';
  readonly input: '-';
  readonly named: true;
}

/** A file in an archive. */
export interface EntryInput {
  readonly kind: 'entry';
  /** `logs.zip!/worker-1.log`. */
  readonly path: string;
  readonly fileName: string;
  readonly input: string;
  readonly named: false;
}

export type InputFile = DiskFile | StdinInput;

/** Something that was named, or found in a named folder, and is not read. */
export interface InputProblem {
  /** As named, or the path of what was found. Verbatim. */
  readonly input: string;
  /** What is wrong and where, in one line. */
  readonly what: string;
  /** What to do about it. */
  readonly hint: string;
  /** False for what was only found in a folder: the contract's exit code 4 is about named inputs. */
  readonly named: boolean;
}

export interface ExpandedInputs {
  /** Sorted by path, each file once. */
  readonly files: readonly InputFile[];
  /** Sorted by input. */
  readonly problems: readonly InputProblem[];
}

/** One line for the user: what, where, what to do. */
export function problemLine(problem: InputProblem): string {
  return `${problem.what}; ${problem.hint}`;
}

/** Order by UTF-16 code units: the same on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const LONGEST_NAME = 300;

/** A name fit for one line of text: control and direction characters spelt out, the middle of a very long name left out. */
export function showName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => {
    if (c === '\n') return '\\n';
    if (c === '\t') return '\\t';
    return `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`;
  });
  if (plain.length <= LONGEST_NAME) return plain;
  // By code points: half a surrogate pair would not survive being written out.
  const points = Array.from(plain);
  return [...points.slice(0, LONGEST_NAME / 2), '…', ...points.slice(-LONGEST_NAME / 2)].join('');
}
