/**
 * The framing of an append-only file (Redis aof.c: loadSingleAppendOnlyFile): `*<n>\r\n`, then n times `$<length>\r\n` and
 * the bytes; and annotation lines `#TS:<seconds>\r\n`.
 *
 * A command is seen in place in the window. One that is longer than `MAX_WHOLE` is taken apart as it arrives: its short
 * arguments are copied, long ones skipped, so that no length a file claims is ever allocated. After damage the reading
 * goes on at the next place that looks like the start of a command.
 */
import { CommandArgs } from '../effects/command-args.js';
import { byteAt } from '../rdb/byte-at.js';
import type { ByteWindow } from '../rdb/window.js';
import { CopiedArgs } from './copied-args.js';

const MAX_WHOLE = 256 * 1024;
const MAX_ANNOTATION = 1024;
/** Redis allows 512 MB by default, and no more than this by any setting. */
const MAX_LENGTH = 2 ** 32;
const MAX_DIGITS = 10;

const CR = 13;
const LF = 10;
const HASH = 0x23;
const STAR = 0x2a;
const DOLLAR = 0x24;
const ZERO = 0x30;

export interface RespHandler {
  /** Valid during the call only. */
  command(args: CommandArgs, offset: number): void;
  /** A line that begins with '#', without it. */
  annotation(text: string, offset: number): void;
  /** What stands at `offset` is no command; `skipped` bytes from there on were not read. */
  damage(what: string, offset: number, skipped: number): void;
}

/** The start of a command, and how many bytes it takes at most to see it. */
const START = /^\*[1-9]\d{0,9}\r\n\$/;
const START_BYTES = 14;

type Step = 'read' | 'wait' | 'long' | { readonly problem: string };
const NO_COUNT: Step = { problem: 'the number of arguments is not a number' };
const badLength = (index: number): string => `the length of argument ${index + 1} is not a number`;
const badEnd = (index: number): string => `argument ${index + 1} does not end where its length says`;

/** What `#number` found instead of a number. */
const INCOMPLETE = -1;
const MALFORMED = -2;

export class RespReader {
  /** Offset of the command being read. */
  commandOffset = 0;
  /** To be set once the source has no more; `read` then goes on once with what is left. */
  sourceEnded = false;
  readonly #input: ByteWindow;
  readonly #handler: RespHandler;
  readonly #args = new CommandArgs();
  /** Where the line after a number begins. */
  #next = 0;

  constructor(input: ByteWindow, handler: RespHandler) {
    this.#input = input;
    this.#handler = handler;
  }

  /** Whether the input ends within a command. To be asked once the source has ended. */
  get isCut(): boolean {
    return this.#input.offset > this.commandOffset || this.#input.pos < this.#input.end;
  }

  /** Reads until the source ends; yields wherever bytes run out. */
  *read(): Generator<undefined, void> {
    const input = this.#input;
    for (;;) {
      this.commandOffset = input.offset;
      while (!input.has(1)) yield;
      const first = byteAt(input.bytes, input.pos);
      let problem: string | undefined;
      if (first === STAR) {
        const step = this.#wholeCommand();
        if (step === 'read') continue;
        if (step === 'wait') {
          if (!this.sourceEnded || !this.#holdsAnotherStart()) {
            yield;
            continue;
          }
          problem = 'it claims more bytes than there are';
        } else problem = step === 'long' ? yield* this.#longCommand() : step.problem;
      } else if (first === HASH) problem = yield* this.#annotation();
      else problem = 'neither a command nor an annotation begins here';
      if (problem !== undefined) yield* this.#resume(problem);
    }
  }

  *#annotation(): Generator<undefined, string | undefined> {
    const input = this.#input;
    for (;;) {
      const reach = Math.min(input.end, input.pos + MAX_ANNOTATION);
      const line = input.bytes.subarray(input.pos, reach).indexOf(LF);
      if (line >= 0) {
        const text = input.bytes.toString('latin1', input.pos + 1, input.pos + line);
        input.pos += line + 1;
        this.#handler.annotation(text.trimEnd(), this.commandOffset);
        return undefined;
      }
      if (input.end - input.pos >= MAX_ANNOTATION) return 'an annotation has no end';
      input.has(input.end - input.pos + 1);
      yield;
    }
  }

  /** One command in place, if the window holds it; `pos` stays where it is unless it was read. */
  #wholeCommand(): Step {
    const input = this.#input;
    const args = this.#args;
    const start = input.pos;
    const count = this.#number(start + 1);
    if (count === MALFORMED || count === 0) return NO_COUNT;
    if (count === INCOMPLETE) return 'wait';
    args.bytes = input.bytes;
    args.count = 0;
    let at = this.#next;
    for (let i = 0; i < count; i++) {
      const length = this.#length(at);
      if (length === MALFORMED) return { problem: badLength(i) };
      const from = this.#next;
      const end = from + length + 2;
      if (length === INCOMPLETE) return 'wait';
      // By its own claim, not by what the window happens to hold: the same file is to be read the same way in any blocks.
      if (end - start > MAX_WHOLE) return 'long';
      if (end > input.end) {
        input.has(end - start);
        return 'wait';
      }
      if (byteAt(input.bytes, end - 2) !== CR || byteAt(input.bytes, end - 1) !== LF) return { problem: badEnd(i) };
      args.add(from, end - 2);
      at = end;
    }
    input.pos = at;
    this.#handler.command(args, this.commandOffset);
    return 'read';
  }

  /** A command too long to be held whole. Returns what is wrong with it, if anything. */
  *#longCommand(): Generator<undefined, string | undefined> {
    const input = this.#input;
    const args = this.#args;
    const count = this.#number(input.pos + 1);
    input.pos = this.#next;
    const kept = new CopiedArgs();
    for (let i = 0; i < count; i++) {
      let length = this.#length(input.pos);
      while (length === INCOMPLETE) {
        yield;
        length = this.#length(input.pos);
      }
      if (length === MALFORMED) return badLength(i);
      input.pos = this.#next;
      if (kept.hasRoom(length)) {
        while (!input.has(length)) yield;
        kept.add(input.bytes, input.pos, length);
        input.pos += length;
      } else {
        kept.addMissing();
        let left = input.skipSome(length);
        while (left > 0) {
          yield;
          left = input.skipSome(left);
        }
      }
      while (!input.has(2)) yield;
      if (byteAt(input.bytes, input.pos) !== CR || byteAt(input.bytes, input.pos + 1) !== LF) {
        return badEnd(i);
      }
      input.pos += 2;
    }
    kept.into(args);
    this.#handler.command(args, this.commandOffset);
    return undefined;
  }

  /** The length at `at`, which must begin with '$'. Sets `#next` to the byte behind its line. */
  #length(at: number): number {
    const input = this.#input;
    if (at >= input.end) {
      input.has(at - input.pos + 1);
      return INCOMPLETE;
    }
    if (byteAt(input.bytes, at) !== DOLLAR) return MALFORMED;
    return this.#number(at + 1);
  }

  /** The number at `at`, up to its CRLF. */
  #number(at: number): number {
    const { bytes, end, pos } = this.#input;
    let value = 0;
    for (let i = at; i < end; i++) {
      const byte = byteAt(bytes, i);
      if (byte >= ZERO && byte < ZERO + 10 && i - at < MAX_DIGITS) {
        value = value * 10 + byte - ZERO;
        continue;
      }
      if (byte !== CR || i === at) return MALFORMED;
      if (i + 1 === end) break;
      this.#next = i + 2;
      return byteAt(bytes, i + 1) === LF && value < MAX_LENGTH ? value : MALFORMED;
    }
    this.#input.has(end - pos + 1);
    return INCOMPLETE;
  }

  /** Whether commands follow in what is left, so that the one at hand was not cut off but damaged. */
  #holdsAnotherStart(): boolean {
    const { bytes, pos, end } = this.#input;
    for (let star = bytes.indexOf(STAR, pos + 1); star >= 0 && star < end; star = bytes.indexOf(STAR, star + 1)) {
      if (START.test(bytes.toString('latin1', star, Math.min(end, star + START_BYTES)))) return true;
    }
    return false;
  }

  /** Looks for the next `*<n>` line that a `$` follows. */
  *#resume(problem: string): Generator<undefined, void> {
    const input = this.#input;
    const from = this.commandOffset;
    if (input.offset === from && input.pos < input.end) input.pos++;
    try {
      for (;;) {
        const star = input.bytes.indexOf(STAR, input.pos);
        if (star < 0 || star >= input.end) {
          input.pos = input.end;
          input.has(1);
          yield;
          continue;
        }
        input.pos = star;
        while (!input.has(START_BYTES) && !this.sourceEnded) yield;
        if (START.test(input.bytes.toString('latin1', input.pos, Math.min(input.end, input.pos + START_BYTES)))) return;
        input.pos++;
      }
    } finally {
      // Also when the source has ended and the reading is given up here.
      this.#handler.damage(problem, from, input.offset - from);
      this.commandOffset = input.offset;
    }
  }
}
