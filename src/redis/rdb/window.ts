/**
 * A sliding window over blocks of bytes.
 *
 * Parsing is synchronous over `bytes[pos, end)`. When something is not there whole, `has` notes how many bytes are wanted
 * and says false; the parser gives way, the driver awaits `fill`, and the parser asks again. So there is no promise per
 * key, and nothing is parsed twice. The buffer grows only with bytes that arrived, never to a length that a file claims.
 */
const START_CAPACITY = 256 * 1024;

export class ByteWindow {
  bytes: Buffer = Buffer.alloc(0);
  /**
   * Always a small integer to V8: a length out of the file, which may be any double, is added to it with `| 0`. After one
   * sum without it, every position of every string would be a number on the heap.
   */
  pos = 0;
  end = 0;
  #base = 0;
  #wanted = 1;
  readonly #source: AsyncIterator<Uint8Array>;
  #ended = false;
  /** Why the source broke off, where it did so by an error of its own (a damaged archive, a failing disk). */
  sourceError: string | undefined;

  constructor(blocks: AsyncIterable<Uint8Array>) {
    this.#source = blocks[Symbol.asyncIterator]();
  }

  /** Offset in the source of the byte at `pos`. */
  get offset(): number {
    return this.#base + this.pos;
  }

  /** Whether `count` bytes stand at `pos`. If not, the next `fill` waits for that many. */
  has(count: number): boolean {
    if (this.end - this.pos >= count) return true;
    this.#wanted = count;
    return false;
  }

  /**
   * Steps back to `start` after a `has` beyond it said no: the next `fill` brings everything from `start` on.
   *
   * @returns false, as the result of the attempt.
   */
  retryFrom(start: number): false {
    this.#wanted += this.pos - start;
    this.pos = start;
    return false;
  }

  /**
   * Moves on by up to `count` bytes, as far as the window reaches.
   *
   * @returns how many are left to skip; the next `fill` waits for one byte.
   */
  skipSome(count: number): number {
    const step = Math.min(count, this.end - this.pos) | 0;
    this.pos += step;
    this.#wanted = 1;
    return count - step;
  }

  /**
   * Reads blocks until the wanted bytes are there.
   *
   * @returns false if the source ended before.
   */
  async fill(): Promise<boolean> {
    while (this.end - this.pos < this.#wanted) {
      if (this.#ended) return false;
      let next: IteratorResult<Uint8Array>;
      try {
        next = await this.#source.next();
      } catch (error) {
        this.sourceError = error instanceof Error ? error.message : String(error);
        this.#ended = true;
        return false;
      }
      if (next.done) {
        this.#ended = true;
        return false;
      }
      this.#append(next.value);
    }
    return true;
  }

  /** Reads the source to its end without keeping anything. Returns how many bytes stood after `pos`. */
  async drain(): Promise<number> {
    const from = this.offset;
    do {
      this.pos = this.end;
      this.#wanted = 1;
    } while (await this.fill());
    return this.offset - from;
  }

  /** Called before the bytes up to `pos` are let go and the rest moves to the start of the buffer. */
  protected beforeMove(): void {}

  #append(block: Uint8Array): void {
    if (this.end + block.length > this.bytes.length) this.#makeRoom(block.length);
    this.bytes.set(block, this.end);
    this.end += block.length;
  }

  #makeRoom(extra: number): void {
    this.beforeMove();
    const kept = this.end - this.pos;
    const from = this.pos;
    this.#base += from;
    if (kept + extra <= this.bytes.length) {
      this.bytes.copyWithin(0, from, this.end);
    } else {
      const grown = Buffer.allocUnsafeSlow(Math.max(START_CAPACITY, 2 * (kept + extra)));
      this.bytes.copy(grown, 0, from, this.end);
      this.bytes = grown;
    }
    this.pos = 0;
    this.end = kept;
  }
}
