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
  readonly #kept: (Kept | undefined)[] = new Array(PLACES).fill(undefined);

  /** The string's first `maxBytes` bytes as text; one `RecentTexts` must always be given the same limit. */
  textUpTo(string: RdbString, maxBytes: number): string {
    const length = string.byteLength;
    if (!string.isPlain || length === 0 || length > MAX_KEPT_BYTES) return string.textUpTo(maxBytes);
    const place = (length + string.byteAt(-1)) & (PLACES - 1);
    const kept = this.#kept[place];
    if (kept !== undefined && string.equals(kept.bytes)) return kept.text;
    const text = string.textUpTo(maxBytes);
    this.#kept[place] = { bytes: Uint8Array.from(string.raw()), text };
    return text;
  }
}
