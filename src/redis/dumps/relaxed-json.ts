/**
 * What dump tools print and JSON forbids, made into JSON: `inf`, `-inf` and `nan` as scores become strings, escapes that
 * JSON does not know (`\x0f`, redis-rdb-cli) keep their backslash, a comma behind the last member (librdb, streams without
 * consumer groups) goes. Everything else passes unchanged, in pieces of any size.
 */
/** What the next piece may still decide. */
const OPEN_END = /(?:,\s*|[A-Za-z+-]{1,9})$/;
const LAST_COMMA = /,(\s*[}\]])/g;
const FORBIDDEN = /(?<![\w."+-])([+-]?(?:inf(?:inity)?|nan))(?![\w."])/gi;
/** Looking for each of the two alone would read the rest of the text again for every string. */
const MARK = /["\\]/g;
const ESCAPES = '"\\/bfnrtu';

export class RelaxedJson {
  #inString = false;
  #escaped = false;
  #held = '';

  /** The next piece; `last`: nothing follows. */
  feed(piece: string, last: boolean): string {
    const text = this.#held + piece;
    this.#held = '';
    let out = '';
    for (let at = 0; at < text.length; ) {
      const end = this.#inString ? this.#stringEnd(text, at) : text.indexOf('"', at);
      const stop = end < 0 ? text.length : end + 1;
      const part = text.slice(at, stop);
      if (this.#inString) out += this.#repairEscapes(part);
      else out += this.#repairWords(part, end < 0 && !last);
      if (end >= 0) this.#inString = !this.#inString;
      at = stop;
    }
    return out;
  }

  /** Index of the quote that closes the string, or -1. */
  #stringEnd(text: string, from: number): number {
    MARK.lastIndex = this.#escaped ? from + 1 : from;
    for (let found = MARK.exec(text); found !== null; found = MARK.exec(text)) {
      if (found[0] === '"') return found.index;
      // The character behind a backslash closes nothing.
      MARK.lastIndex++;
    }
    return -1;
  }

  #repairEscapes(part: string): string {
    if (!this.#escaped && !part.includes('\\')) return part;
    let out = '';
    for (const letter of part) {
      if (this.#escaped) {
        // The backslash before is out already; a second one keeps it as text.
        if (!ESCAPES.includes(letter)) out += '\\';
        this.#escaped = false;
      } else if (letter === '\\') this.#escaped = true;
      out += letter;
    }
    return out;
  }

  #repairWords(part: string, mayGoOn: boolean): string {
    // Mostly what stands between two strings: `:"` and `,"`.
    if (part.length <= 3 && part.endsWith('"')) return part;
    let text = part;
    const open = mayGoOn ? OPEN_END.exec(text) : null;
    if (open !== null) {
      this.#held = open[0];
      text = text.slice(0, open.index);
    }
    return text.replace(FORBIDDEN, (word) => `"${word.toLowerCase()}"`).replace(LAST_COMMA, '$1');
  }
}

/** A whole document as JSON text. */
export const relaxJson = (text: string): string => new RelaxedJson().feed(text, true);
