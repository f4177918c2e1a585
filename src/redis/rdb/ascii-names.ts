/** Finds which of a few known names a string is, without decoding it: most fields of most hashes are of no use. */
import type { RdbString } from './rdb-string.js';

export class AsciiNames {
  readonly #names: readonly string[];
  /** The names of one length. */
  readonly #byLength: readonly (readonly { readonly index: number; readonly bytes: Uint8Array }[])[];

  constructor(names: readonly string[]) {
    this.#names = names;
    const all = names.map((name, index) => ({ index, bytes: Buffer.from(name, 'latin1') }));
    const longest = Math.max(...names.map((name) => name.length));
    this.#byLength = Array.from({ length: longest + 1 }, (_, length) =>
      all.filter(({ bytes }) => bytes.length === length),
    );
  }

  /** Index of the name, or -1. */
  indexOf(string: RdbString): number {
    if (!string.isPlain) return this.#names.indexOf(string.text());
    const candidates = this.#byLength[string.byteLength];
    if (candidates === undefined) return -1;
    for (const { index, bytes } of candidates) if (string.equals(bytes)) return index;
    return -1;
  }
}
