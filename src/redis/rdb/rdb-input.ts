/**
 * Lengths and strings of an RDB (Redis rdb.c: rdbLoadLenByRef, rdbGenericLoadStringObject) over a sliding window.
 *
 * Every `try…` either moves on and says true, or leaves `pos` where it was and says false, having noted how many bytes
 * it wants; the caller then yields and asks again.
 */
import { byteAt } from './byte-at.js';
import { CorruptRdb } from './corrupt.js';
import { Crc64 } from './crc64.js';
import { decompressLzf, plausibleLzf } from './lzf.js';
import type { RdbString } from './rdb-string.js';
import { ByteWindow } from './window.js';

const TWO_32 = 4294967296;

/** A string that somebody wants to see must fit into memory; longer ones are skipped, and said to be. */
const MAX_KEPT_STRING = 64 * 1024 * 1024;
const MAX_LOST_NAMED = 20;

const INT8 = 0;
const INT16 = 1;
const INT32 = 2;
const LZF = 3;

export class RdbInput extends ByteWindow {
  /** Result of `tryLength`, NaN before the first. Beyond 2^53 it is rounded: only its size matters then. */
  length = Number.NaN;
  /** Result of `tryLength`: the special encoding of a string, -1 for a plain length. */
  special = -1;
  /** Length of the string that `#shortStringAt` found. Apart from `length`, which is no small integer to V8. */
  #shortLength = 0;
  /** Why `tryString` said false, if waiting for more bytes will not help. */
  unreadable: string | undefined;
  /** Parts of values that could not be read although the rest could; the first ones of `lostCount`. */
  readonly lost: { what: string; offset: number }[] = [];
  lostCount = 0;
  readonly #crc = new Crc64();
  /** The checksum covers every byte before this position in the window. */
  #crcPos = 0;

  /** CRC64 of everything before `pos`, as 16 hex digits. */
  checksum(): string {
    this.#crc.update(this.bytes, this.#crcPos, this.pos);
    this.#crcPos = this.pos;
    return this.#crc.hex();
  }

  protected override beforeMove(): void {
    this.checksum();
    this.#crcPos = 0;
  }

  /** The next byte. The caller has made sure of it with `has`. */
  byte(): number {
    return byteAt(this.bytes, this.pos++);
  }

  /** A length, or the mark of a specially encoded string. */
  tryLength(): boolean {
    if (!this.has(1)) return false;
    const first = byteAt(this.bytes, this.pos);
    this.special = -1;
    if (first < 0x40) {
      this.length = first;
      this.pos += 1;
      return true;
    }
    if (first < 0x80) {
      if (!this.has(2)) return false;
      this.length = ((first & 0x3f) << 8) | byteAt(this.bytes, this.pos + 1);
      this.pos += 2;
      return true;
    }
    if (first === 0x80) {
      if (!this.has(5)) return false;
      this.length = this.bytes.readUInt32BE(this.pos + 1);
      this.pos += 5;
      return true;
    }
    if (first === 0x81) {
      if (!this.has(9)) return false;
      this.length = this.bytes.readUInt32BE(this.pos + 1) * TWO_32 + this.bytes.readUInt32BE(this.pos + 5);
      this.pos += 9;
      return true;
    }
    if (first < 0xc0) throw new CorruptRdb(`0x${first.toString(16)} is not the start of a length`);
    this.special = first & 0x3f;
    if (this.special > LZF) throw new CorruptRdb(`string encoding ${this.special} is unknown`);
    this.pos += 1;
    return true;
  }

  /** A length where a string's special encoding would make no sense. */
  tryPlainLength(): boolean {
    if (!this.tryLength()) return false;
    if (this.special >= 0) throw new CorruptRdb('a string stands where a length belongs');
    return true;
  }

  /**
   * The head of a string: its length or encoding, and for LZF both lengths. Afterwards `pos` is at its bytes, `length` is
   * how many follow, and `special` tells how to read them.
   *
   * @returns length once decompressed, or -1 if the head is not there whole (`pos` is then unchanged).
   */
  tryStringHead(): number {
    const start = this.pos;
    if (!this.tryLength()) return -1;
    switch (this.special) {
      case INT8:
      case INT16:
      case INT32:
        this.length = 1 << this.special;
        return this.length;
      case LZF: {
        if (!this.tryPlainLength()) return this.#headMissing(start);
        const compressed = this.length;
        if (!this.tryPlainLength()) return this.#headMissing(start);
        const original = this.length;
        if (!plausibleLzf(compressed, original)) {
          throw new CorruptRdb(`${compressed} compressed bytes cannot hold the ${original} they claim`);
        }
        this.length = compressed;
        this.special = LZF;
        return original;
      }
      default:
        return this.length;
    }
  }

  /** A whole string, into `into`. */
  tryString(into: RdbString): boolean {
    const short = this.#shortStringAt();
    if (short >= 0) {
      this.pos = short + this.#shortLength;
      into.setRaw(this.bytes, short, this.pos);
      return true;
    }
    const start = this.pos;
    const original = this.tryStringHead();
    if (original < 0) return false;
    if (original > MAX_KEPT_STRING || this.length > MAX_KEPT_STRING) {
      this.unreadable = 'a value is longer than 64 MB';
      this.pos = start;
      return false;
    }
    const { length, pos } = this;
    if (!this.has(length)) return this.retryFrom(start);
    const end = (pos + length) | 0;
    this.pos = end;
    switch (this.special) {
      case INT8:
        into.setValue(this.bytes.readInt8(pos));
        break;
      case INT16:
        into.setValue(this.bytes.readInt16LE(pos));
        break;
      case INT32:
        into.setValue(this.bytes.readInt32LE(pos));
        break;
      case LZF: {
        const out = Buffer.allocUnsafe(original);
        if (!decompressLzf(this.bytes, pos, end, out, original)) {
          this.unreadable = 'a compressed string does not decompress to its stated length';
          this.pos = start;
          return false;
        }
        into.setRaw(out, 0, original);
        break;
      }
      default:
        into.setRaw(this.bytes, pos, end);
    }
    return true;
  }

  /** Notes that a part of a value is lost; it is then to be skipped, if it was not yet. */
  giveUp(what: string): void {
    this.unreadable = undefined;
    this.lostCount++;
    if (this.lost.length < MAX_LOST_NAMED) this.lost.push({ what, offset: this.offset });
  }

  /** Moves past a string if it is in the window whole. */
  trySkipString(): boolean {
    const short = this.#shortStringAt();
    if (short >= 0) {
      this.pos = short + this.#shortLength;
      return true;
    }
    const start = this.pos;
    if (this.tryStringHead() < 0) return false;
    if (this.has(this.length)) {
      this.pos = (this.pos + this.length) | 0;
      return true;
    }
    this.pos = start;
    return false;
  }

  /**
   * Where the bytes of the string at hand begin, if it is one of up to 16 KB, stands as it is, and is in the window whole;
   * else -1. `#shortLength` is then its length. Nearly every string of a queue is such, and the inner loop of every key asks.
   */
  #shortStringAt(): number {
    const { pos } = this;
    if (pos + 2 > this.end) return -1;
    const first = byteAt(this.bytes, pos);
    if (first >= 0x80) return -1;
    const isByte = first < 0x40;
    const length = isByte ? first : ((first & 0x3f) << 8) | byteAt(this.bytes, pos + 1);
    const start = pos + (isByte ? 1 : 2);
    if (start + length > this.end) return -1;
    this.#shortLength = length;
    return start;
  }

  #headMissing(start: number): -1 {
    this.retryFrom(start);
    return -1;
  }
}

/**
 * What follows a `tryString` that said false: waits for the string, or skips it where it cannot be read.
 *
 * @returns whether `into` holds it.
 */
export function* awaitString(input: RdbInput, into: RdbString): Generator<undefined, boolean> {
  while (!input.tryString(into)) {
    if (input.unreadable !== undefined) {
      input.giveUp(input.unreadable);
      yield* skipString(input);
      return false;
    }
    yield;
  }
  return true;
}

/** Skips a string of any length without keeping it. */
export function* skipString(input: RdbInput): Generator<undefined, void> {
  if (input.trySkipString()) return;
  while (input.tryStringHead() < 0) yield;
  yield* skipBytes(input, input.length);
}

/** Skips bytes without keeping them. */
export function* skipBytes(input: RdbInput, count: number): Generator<undefined, void> {
  let left = input.skipSome(count);
  while (left > 0) {
    yield;
    left = input.skipSome(left);
  }
}
