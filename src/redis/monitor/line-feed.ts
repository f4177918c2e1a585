/** Lines of a text, seen in place in the window however the blocks were cut. */
import type { ByteWindow } from '../rdb/window.js';

const LF = 10;
const CR = 13;
/** Of a longer line only the front is handed out. */
const MAX_LINE = 4 * 1024 * 1024;

export class LineFeed {
  /** The line is `[from, to)` of the window's buffer, without its end. */
  from = 0;
  to = 0;
  /** Offset of the line in the source. */
  offset = 0;
  /** Lines handed out. */
  count = 0;
  /** Lines of which only the front was handed out. */
  cutLines = 0;
  readonly #input: ByteWindow;
  /** Bytes from `pos` on that hold no line end. */
  #searched = 0;
  /** The rest of a line that was handed out is still to be passed over. */
  #isSkipping = false;

  constructor(input: ByteWindow) {
    this.#input = input;
  }

  /** Moves to the next line that is there whole. If none is, the window is told to wait for more. */
  next(): boolean {
    const input = this.#input;
    for (;;) {
      const found = input.bytes.indexOf(LF, input.pos + this.#searched);
      const end = found < 0 || found >= input.end ? -1 : found;
      if (this.#isSkipping) {
        input.pos = end < 0 ? input.end : end + 1;
        this.#searched = 0;
        if (end < 0) return this.#wait();
        this.#isSkipping = false;
        continue;
      }
      if (end < 0) {
        this.#searched = input.end - input.pos;
        if (this.#searched <= MAX_LINE) return this.#wait();
        this.#isSkipping = true;
        this.cutLines++;
        this.#hand(input.pos + MAX_LINE, input.end);
        return true;
      }
      if (end - input.pos > MAX_LINE) {
        this.cutLines++;
        this.#hand(input.pos + MAX_LINE, end + 1);
      } else {
        this.#hand(end, end + 1);
      }
      return true;
    }
  }

  /** What stands behind the last line end, once the source has no more. */
  last(): boolean {
    const input = this.#input;
    if (this.#isSkipping || input.pos === input.end) return false;
    this.#hand(input.end, input.end);
    return true;
  }

  #wait(): false {
    this.#input.has(this.#input.end - this.#input.pos + 1);
    return false;
  }

  #hand(to: number, next: number): void {
    const input = this.#input;
    this.count++;
    this.from = input.pos;
    this.offset = input.offset;
    this.to = to > this.from && input.bytes[to - 1] === CR ? to - 1 : to;
    input.pos = next;
    this.#searched = 0;
  }
}
