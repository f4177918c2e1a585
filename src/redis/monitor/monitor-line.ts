/**
 * One line of MONITOR: `<seconds>.<6 digits> [<db> <source>] "command" "argument" …`, where the source is a client's address
 * or `lua` (Redis monitor.c, replication.c: replicationFeedMonitors). A raw capture has a '+' in front of each line.
 *
 * The head is looked at for every line, the arguments only where somebody asks.
 */
import { CommandArgs } from '../effects/command-args.js';
import { byteAt } from '../rdb/byte-at.js';
import { unquote } from './quoted.js';

const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const SPACE = 0x20;
const QUOTE = 0x22;
const OPENING = 0x5b;
const CLOSING = 0x5d;
const BACKSLASH = 0x5c;
/** Seconds since 1970 have this many digits from 2001 to 2286. */
const SECONDS = 10;
const MICROS = 6;
/** A path of a unix socket may stand here. */
const MAX_SOURCE = 256;

const isDigit = (byte: number): boolean => byte >= ZERO && byte < ZERO + 10;

export class MonitorLine extends CommandArgs {
  db = 0;
  /** Called by a script; the client is that of the line before. */
  isScript = false;
  /** Where the name of the command begins, behind its quote. */
  verbAt = 0;
  #timeAt = 0;
  #sourceAt = 0;
  #sourceEnd = 0;
  #end = 0;

  /** Takes the line `[from, to)`. Returns whether it is one of MONITOR. */
  take(bytes: Buffer, from: number, to: number): boolean {
    this.bytes = bytes;
    this.count = 0;
    let at = from;
    if (byteAt(bytes, at) === PLUS) at++;
    const dot = at + SECONDS;
    const bracket = dot + MICROS + 2;
    if (
      bracket + 5 >= to ||
      byteAt(bytes, dot) !== DOT ||
      byteAt(bytes, bracket - 1) !== SPACE ||
      byteAt(bytes, bracket) !== OPENING ||
      !isDigit(byteAt(bytes, at))
    ) {
      return false;
    }
    this.#timeAt = at;
    at = bracket + 1;
    let db = 0;
    while (at < to && isDigit(byteAt(bytes, at))) db = db * 10 + byteAt(bytes, at++) - ZERO;
    if (at === bracket + 1 || byteAt(bytes, at) !== SPACE) return false;
    this.db = db;
    this.#sourceAt = at + 1;
    const limit = Math.min(to, at + MAX_SOURCE) - 2;
    // An IPv6 address has brackets of its own.
    for (at++; at < limit; at++) {
      if (byteAt(bytes, at) === CLOSING && byteAt(bytes, at + 1) === SPACE && byteAt(bytes, at + 2) === QUOTE) break;
    }
    if (at >= limit) return false;
    this.#sourceEnd = at;
    this.isScript =
      at - this.#sourceAt === 3 && byteAt(bytes, this.#sourceAt) === 0x6c && byteAt(bytes, this.#sourceAt + 2) === 0x61;
    this.verbAt = at + 3;
    this.#end = to;
    return true;
  }

  /** ms since 1970 on Redis' clock, to the µs. */
  get t(): number {
    let micros = 0;
    const { bytes } = this;
    for (let at = this.#timeAt; at < this.#timeAt + SECONDS; at++) micros = micros * 10 + byteAt(bytes, at) - ZERO;
    for (let at = this.#timeAt + SECONDS + 1; at <= this.#timeAt + SECONDS + MICROS; at++) {
      micros = micros * 10 + byteAt(bytes, at) - ZERO;
    }
    return micros / 1000;
  }

  /** Address of the client. */
  get source(): string {
    return this.bytes.toString('latin1', this.#sourceAt, this.#sourceEnd);
  }

  /**
   * Finds the arguments, at most `limit` of them.
   *
   * @returns false if the line ends within one, or holds something else between them.
   */
  parse(limit = Number.POSITIVE_INFINITY): boolean {
    const { bytes } = this;
    const end = this.#end;
    this.count = 0;
    for (let at = this.verbAt; ; at += 3) {
      const from = at;
      while (at < end && byteAt(bytes, at) !== QUOTE) at += byteAt(bytes, at) === BACKSLASH ? 2 : 1;
      if (at >= end) return false;
      this.add(from, at);
      if (at + 1 === end || this.count >= limit) return true;
      if (byteAt(bytes, at + 1) !== SPACE || byteAt(bytes, at + 2) !== QUOTE) return false;
    }
  }

  /** Whether these bytes stand before the last argument, which is so long: no argument need be found for that. */
  endsIn(bytes: Buffer, size: number): boolean {
    const at = this.#end - 1 - size - bytes.length;
    return at > this.verbAt && this.bytes.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0;
  }

  /** The bytes of an argument. */
  raw(index: number): Buffer {
    return this.has(index) ? unquote(this.bytes, this.from(index), this.to(index)) : Buffer.alloc(0);
  }

  override text(index: number): string {
    const from = this.from(index);
    const to = this.to(index);
    for (let at = from; at < to; at++) {
      if (byteAt(this.bytes, at) === BACKSLASH) return this.raw(index).toString('utf8');
    }
    return super.text(index);
  }
}
