/**
 * A JSON document cut into pieces that end with a closing bracket (or JSON lines into lines), however the blocks came. The
 * parser's tokens of one call are lost if that call fails; fed up to one bracket at a time, nothing is lost and every piece
 * has its place in the file.
 */
import { StringDecoder } from 'node:string_decoder';
import type { ByteWindow } from '../rdb/window.js';

/** A piece without a bracket is fed in parts of this size. */
const MAX_PIECE = 64 * 1024;

export class JsonPieces {
  readonly #input: ByteWindow;
  readonly #closer: number;
  readonly #decoder = new StringDecoder('utf8');
  #start = 0;
  #length = 0;
  #offset = 0;
  /** Where the last search in the piece at hand ended. */
  #found = 0;

  /** @param closer the byte that ends a piece. */
  constructor(input: ByteWindow, closer: ']' | '}' | '\n') {
    this.#input = input;
    this.#closer = closer.charCodeAt(0);
  }

  /** The next piece as text, if it is in the window; `ended`: nothing will be added to it. */
  next(ended: boolean): string | undefined {
    const input = this.#input;
    if (input.pos === input.end) return undefined;
    const bracket = input.bytes.subarray(input.pos, Math.min(input.end, input.pos + MAX_PIECE)).indexOf(this.#closer);
    let end = input.pos + bracket + 1;
    if (bracket < 0) {
      if (!ended && input.end - input.pos < MAX_PIECE) return undefined;
      end = Math.min(input.end, input.pos + MAX_PIECE);
    }
    this.#start = input.pos;
    this.#length = end - input.pos;
    this.#offset = input.offset;
    this.#found = 0;
    input.pos = end;
    return this.#decoder.write(input.bytes.subarray(this.#start, end));
  }

  /** Offset in the file of the piece at hand. */
  get offset(): number {
    return this.#offset;
  }

  /** Offset in the file of a quoted string of the piece at hand, as it stands there. Asked for in the order of the file. */
  offsetOf(text: string): number {
    const piece = this.#input.bytes.subarray(this.#start, this.#start + this.#length);
    const at = piece.indexOf(`"${text}"`, this.#found);
    if (at < 0) return this.#offset;
    this.#found = at + 1;
    return this.#offset + at;
  }
}
