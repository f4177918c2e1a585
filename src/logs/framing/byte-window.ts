/** The bytes in hand of a source that is read in blocks, with their place in it, and the lines up to any place. */
import { Buffer } from 'node:buffer';

const NEWLINE = 10;

export class ByteWindow {
  #store = Buffer.alloc(0);
  #used = 0;
  #line = 1;
  #counted = 0;
  /** Offset in the source of the first byte in hand. */
  start = 0;

  /** What is in hand. Valid until the next `append` or `drop`. */
  get bytes(): Buffer {
    return this.#store.subarray(0, this.#used);
  }

  get end(): number {
    return this.start + this.#used;
  }

  append(block: Uint8Array): void {
    if (this.#used + block.length > this.#store.length) {
      const grown = Buffer.allocUnsafe(2 * (this.#used + block.length));
      this.#store.copy(grown, 0, 0, this.#used);
      this.#store = grown;
    }
    this.#store.set(block, this.#used);
    this.#used += block.length;
  }

  /** Bytes by their offsets in the source. Valid as long as `bytes`. */
  slice(from: number, to: number): Buffer {
    return this.bytes.subarray(Math.max(0, from - this.start), Math.max(0, to - this.start));
  }

  /** 1-based line of the byte at `offset`, which is in hand. Asked for in the order of the source. */
  lineAt(offset: number): number {
    const passed = this.slice(this.#counted, offset);
    for (let at = passed.indexOf(NEWLINE); at >= 0; at = passed.indexOf(NEWLINE, at + 1)) this.#line++;
    this.#counted = Math.max(this.#counted, offset);
    return this.#line;
  }

  /** Lets go of what is before `offset`. */
  drop(offset: number): void {
    if (offset <= this.start) return;
    this.lineAt(offset);
    this.#store.copyWithin(0, offset - this.start, this.#used);
    this.#used -= offset - this.start;
    this.start = offset;
  }
}
