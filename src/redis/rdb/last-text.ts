/** Decodes strings of which most equal the one before, such as the names and options of a queue's jobs. */
import type { RdbString } from './rdb-string.js';

const MAX_KEPT_BYTES = 1024;

export class LastText {
  #bytes: Uint8Array = Buffer.alloc(0);
  #text = '';

  /** The string's first `maxBytes` bytes as text; always the same limit for one `LastText`. */
  textUpTo(string: RdbString, maxBytes: number): string {
    if (!string.isPlain || string.byteLength > MAX_KEPT_BYTES) return string.textUpTo(maxBytes);
    if (!string.equals(this.#bytes)) {
      this.#bytes = Uint8Array.from(string.raw());
      this.#text = string.textUpTo(maxBytes);
    }
    return this.#text;
  }
}
