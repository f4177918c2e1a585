/**
 * The quoting of MONITOR (Redis sds.c: sdscatrepr): `\\ \" \n \r \t \a \b`, and `\xhh` for every other byte that is not
 * printable ASCII. What comes out are bytes, not yet text.
 */
import { byteAt } from '../rdb/byte-at.js';

const BACKSLASH = 0x5c;
const LETTER_X = 0x78;

/** What a letter behind a backslash stands for; other characters stand for themselves. */
const CONTROL: ReadonlyMap<number, number> = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x61, 0x07],
  [0x62, 0x08],
]);

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The bytes that `[from, to)` stands for, without its quotes; a view where nothing is escaped. */
export function unquote(bytes: Buffer, from: number, to: number): Buffer {
  const first = bytes.subarray(from, to).indexOf(BACKSLASH);
  if (first < 0) return bytes.subarray(from, to);
  const out = Buffer.allocUnsafe(to - from);
  bytes.copy(out, 0, from, from + first);
  let length = first;
  for (let at = from + first; at < to; at++) {
    let byte = byteAt(bytes, at);
    if (byte === BACKSLASH && at + 1 < to) {
      at++;
      byte = byteAt(bytes, at);
      const high = byte === LETTER_X && at + 2 < to ? hexDigit(byteAt(bytes, at + 1)) : -1;
      const low = high < 0 ? -1 : hexDigit(byteAt(bytes, at + 2));
      if (low >= 0) {
        byte = high * 16 + low;
        at += 2;
      } else {
        byte = CONTROL.get(byte) ?? byte;
      }
    }
    out[length++] = byte;
  }
  return out.subarray(0, length);
}
