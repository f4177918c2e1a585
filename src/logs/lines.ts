/**
 * Bytes to lines. Lines are found in the bytes, so offsets are exact; a block of pure ASCII (nearly every block) is
 * decoded many lines at once, any other line by line, and neither a multi-byte character nor a line may be cut by a block
 * border. A line longer than `MAX_LINE_BYTES` is cut, because one `console.log` of a job's data can be as large as memory.
 */
import { Buffer, isAscii } from 'node:buffer';

export const MAX_LINE_BYTES = 1 << 20;

/** `line` is 1-based, `offset` the byte at which the line starts; `cut` when not all of it was kept. */
export type OnLine = (text: string, line: number, offset: number, cut: boolean) => void;

export interface LineSplitter {
  push(block: Uint8Array): void;
  /** Gives out a last line that has no newline. */
  end(): void;
  /** Lines that were cut, and lines with bytes that are not UTF-8. */
  readonly damage: { cutLines: number; firstCutLine: number; badLines: number; firstBadLine: number };
}

/** Blocks are decoded in pieces: the memory of small texts is used again and again, large ones are paged in each time. */
const PIECE_BYTES = 32 * 1024;
const NEWLINE = 10;
const RETURN = 13;

export function createLineSplitter(onLine: OnLine): LineSplitter {
  const damage = { cutLines: 0, firstCutLine: 0, badLines: 0, firstBadLine: 0 };
  let line = 0;
  /** Offset in the source of the first byte of the block in hand. */
  let blockOffset = 0;
  /** The unfinished line: its kept bytes, how many it has in all, and where it began. */
  let carry: Buffer[] = [];
  let carryKept = 0;
  let carryBytes = 0;
  let carryOffset = 0;

  function push(block: Uint8Array): void {
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
    let start = 0;
    if (carryBytes > 0) {
      const newline = bytes.indexOf(NEWLINE);
      keep(newline < 0 ? bytes : bytes.subarray(0, newline), blockOffset);
      if (newline < 0) {
        blockOffset += bytes.length;
        return;
      }
      flushCarry();
      start = newline + 1;
    }
    const last = bytes.lastIndexOf(NEWLINE);
    if (last >= start) splitWhole(bytes, start, last);
    const rest = Math.max(start, last + 1);
    if (rest < bytes.length) keep(bytes.subarray(rest), blockOffset + rest);
    blockOffset += bytes.length;
  }

  /** All lines between `start` and the newline at `last`. */
  function splitWhole(bytes: Buffer, start: number, last: number): void {
    if (!isAscii(bytes.subarray(start, last + 1))) {
      for (let from = start; from <= last; ) {
        const newline = bytes.indexOf(NEWLINE, from);
        give(bytes.subarray(from, newline), blockOffset + from);
        from = newline + 1;
      }
      return;
    }
    for (let from = start; from <= last; ) {
      const within = bytes.lastIndexOf(NEWLINE, Math.min(from + PIECE_BYTES, last));
      const end = within < from ? bytes.indexOf(NEWLINE, from) : within;
      splitText(bytes.toString('latin1', from, end + 1), blockOffset + from);
      from = end + 1;
    }
  }

  /** Lines of pure ASCII; `offset` is that of the first. */
  function splitText(text: string, offset: number): void {
    for (let from = 0; from < text.length; ) {
      const newline = text.indexOf('\n', from);
      line++;
      if (newline - from > MAX_LINE_BYTES) noteCut();
      const end = text.charCodeAt(newline - 1) === RETURN && newline > from ? newline - 1 : newline;
      const kept = Math.min(end, from + MAX_LINE_BYTES);
      onLine(text.slice(from, kept), line, offset + from, kept < end);
      from = newline + 1;
    }
  }

  function keep(bytes: Buffer, offset: number): void {
    if (carryBytes === 0) carryOffset = offset;
    carryBytes += bytes.length;
    const room = MAX_LINE_BYTES + 1 - carryKept;
    if (room <= 0) return;
    // A copy: the source may reuse the memory of its blocks.
    const piece = Buffer.from(bytes.subarray(0, room));
    carry.push(piece);
    carryKept += piece.length;
  }

  function flushCarry(): void {
    const first = carry[0];
    const bytes = carry.length === 1 && first !== undefined ? first : Buffer.concat(carry);
    const offset = carryOffset;
    const all = carryBytes;
    carry = [];
    carryKept = 0;
    carryBytes = 0;
    give(bytes, offset, all);
  }

  function give(bytes: Buffer, offset: number, all: number = bytes.length): void {
    line++;
    if (all > MAX_LINE_BYTES) noteCut();
    const length = Math.min(bytes.length, MAX_LINE_BYTES);
    const end = all === length && length > 0 && bytes[length - 1] === RETURN ? length - 1 : length;
    const text = bytes.toString('utf8', 0, end);
    if (text.includes('\ufffd') && !bytes.includes('\ufffd')) {
      damage.badLines++;
      damage.firstBadLine ||= line;
    }
    onLine(text, line, offset, all > MAX_LINE_BYTES);
  }

  function noteCut(): void {
    damage.cutLines++;
    damage.firstCutLine ||= line;
  }

  return {
    push,
    end() {
      if (carryBytes > 0) flushCarry();
    },
    damage,
  };
}
