/** Finds which of a few known names a string is, without decoding it: most fields of most hashes are of no use. */
import { byteAt } from './byte-at.js';
import type { RdbString } from './rdb-string.js';

export class AsciiNames {
  readonly #names: readonly string[];
  /** Indexes of the names of one length. */
  readonly #byLength: readonly (readonly number[])[];
  readonly #bytes: readonly Uint8Array[];

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#bytes = names.map((name) => Buffer.from(name, 'latin1'));
    const longest = Math.max(...names.map((name) => name.length));
    this.#byLength = Array.from({ length: longest + 1 }, (_, length) =>
      names.flatMap((name, index) => (name.length === length ? [index] : [])),
    );
  }

  /** Index of the name, or -1. */
  indexOf(string: RdbString): number {
    if (!string.isPlain) return this.#names.indexOf(string.text());
    const length = string.byteLength;
    const candidates = this.#byLength[length];
    if (candidates === undefined) return -1;
    for (const index of candidates) {
      const bytes = this.#bytes[index];
      if (bytes === undefined) continue;
      let at = 0;
      while (at < length && byteAt(bytes, at) === string.byteAt(at)) at++;
      if (at === length) return index;
    }
    return -1;
  }
}
