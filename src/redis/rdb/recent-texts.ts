/** Decodes strings that mostly are among the last few, such as the names, options and workers of a queue's jobs. */
import type { RdbString } from './rdb-string.js';

const MAX_KEPT_BYTES = 1024;
/** A power of two. */
const PLACES = 16;

interface Kept {
  readonly bytes: Uint8Array;
  readonly text: string;
}

export class RecentTexts {
  readonly #maxBytes: number;
  readonly #shape: (text: string) => string;
  readonly #kept: (Kept | undefined)[] = new Array(PLACES).fill(undefined);

  /**
   * @param maxBytes of a string that are of use.
   * @param shape what is kept of their text.
   */
  constructor(maxBytes: number, shape: (text: string) => string = (text) => text) {
    this.#maxBytes = maxBytes;
    this.#shape = shape;
  }

  of(string: RdbString): string {
    const length = string.byteLength;
    if (!string.isPlain || length === 0 || length > MAX_KEPT_BYTES) return this.#decode(string);
    const place = (length + string.byteAt(-1)) & (PLACES - 1);
    const kept = this.#kept[place];
    if (kept !== undefined && string.equals(kept.bytes)) return kept.text;
    const text = this.#decode(string);
    this.#kept[place] = { bytes: Uint8Array.from(string.raw()), text };
    return text;
  }

  #decode(string: RdbString): string {
    return this.#shape(string.textUpTo(this.#maxBytes));
  }
}
