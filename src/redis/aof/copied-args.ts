/** Arguments of a command that is too long to be seen in place: the short ones, as far as there is room. */
import { type CommandArgs, MAX_ARGS } from '../effects/command-args.js';

const MAX_ARG = 64 * 1024;
const MAX_TOTAL = 1024 * 1024;
const START_CAPACITY = 4096;

export class CopiedArgs {
  #bytes = Buffer.allocUnsafeSlow(START_CAPACITY);
  #length = 0;
  readonly #spans: [from: number, to: number][] = [];

  hasRoom(length: number): boolean {
    return length <= MAX_ARG && this.#length + length <= MAX_TOTAL && this.#spans.length < MAX_ARGS;
  }

  add(bytes: Buffer, from: number, length: number): void {
    const end = this.#length + length;
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(2 * end);
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    bytes.copy(this.#bytes, this.#length, from, from + length);
    this.#spans.push([this.#length, end]);
    this.#length = end;
  }

  addMissing(): void {
    if (this.#spans.length < MAX_ARGS) this.#spans.push([-1, -1]);
  }

  into(args: CommandArgs): void {
    args.bytes = this.#bytes;
    args.count = 0;
    for (const [from, to] of this.#spans) {
      if (from < 0) args.addMissing();
      else args.add(from, to);
    }
  }
}
