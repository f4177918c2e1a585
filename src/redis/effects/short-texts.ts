/** Texts that come again and again (names of events, states, jobs), decoded once: comparing bytes is cheaper. */
import { byteAt } from '../rdb/byte-at.js';
import type { CommandArgs } from './command-args.js';

const SLOTS = 256;
const MAX_SIZE = 24;

export class ShortTexts {
  readonly #slots: string[] = new Array<string>(SLOTS).fill('');

  /** The argument as text. */
  of(args: CommandArgs, index: number): string {
    const size = args.size(index);
    if (size === 0 || size > MAX_SIZE) return args.text(index);
    const from = args.from(index);
    const slot = (size * 31 + byteAt(args.bytes, from) * 7 + byteAt(args.bytes, from + size - 1)) % SLOTS;
    const known = this.#slots[slot] ?? '';
    if (args.is(index, known)) return known;
    const text = args.text(index);
    // What is escaped or not ASCII has another length than its bytes, and would never be found again.
    if (text.length === size && args.is(index, text)) this.#slots[slot] = text;
    return text;
  }
}
