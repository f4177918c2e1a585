/**
 * How the bytes of a source are cut into entries: a line, an element of a JSON document, a row of a table, an entry of a
 * journal. Everything behind it (envelopes, formats, words) sees one text at a time and does not know which it was.
 */
import type { Damage } from '../../model/evidence.js';

/** `line` is 1-based, `offset` the byte at which the entry starts. */
export type OnEntry = (text: string, line: number, offset: number) => void;

export interface Frame {
  push(block: Uint8Array): void;
  /** Gives out what is left. */
  end(): Promise<void> | void;
  damage(): Damage[];
}

export function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
