/**
 * The journal's export format (systemd, JOURNAL_EXPORT_FORMATS): `KEY=value` lines up to an empty one are an entry; a value
 * that is not plain text follows its key as a length (64 bits, little-endian) and so many bytes. An entry goes on as the
 * JSON that `journalctl -o json` would have printed.
 */
import type { Damage } from '../../model/evidence.js';
import { MAX_LINE_BYTES } from '../lines.js';
import { ByteWindow } from './byte-window.js';
import { type Frame, many, type OnEntry } from './frame.js';

const NEWLINE = 10;
const EQUALS = 61;
const LENGTH_BYTES = 8;
const NAME = /^[A-Z_][A-Z0-9_]{0,63}$/;

export function createJournalFrame(onEntry: OnEntry): Frame {
  const window = new ByteWindow();
  let fields = new Map<string, string>();
  let fieldBytes = 0;
  let entryStart = 0;
  let entryLine = 0;
  let at = 0;
  /** Bytes of a value that is too long, still to be passed over. */
  let toSkip = 0;
  const odd = { fields: 0, firstOffset: 0 };

  function note(): void {
    if (odd.fields++ === 0) odd.firstOffset = at;
  }

  /** Reads one field or the end of an entry. False: not all of it is there. */
  function step(isLast: boolean): boolean {
    if (toSkip > 0) {
      const passed = Math.min(toSkip, window.end - at);
      at += passed;
      toSkip -= passed;
      return passed > 0;
    }
    const ahead = window.slice(at, window.end);
    const newline = ahead.indexOf(NEWLINE);
    if (newline < 0 && !isLast) return false;
    const end = newline < 0 ? ahead.length : newline;
    const next = newline < 0 ? ahead.length : newline + 1;
    if (ahead.length === 0) return false;
    if (end === 0 || (end === 1 && ahead[0] === 13)) {
      finish();
      at += next;
      return true;
    }
    if (fields.size === 0 && fieldBytes === 0) {
      entryStart = at;
      entryLine = window.lineAt(at);
    }
    const equals = ahead.subarray(0, end).indexOf(EQUALS);
    if (equals >= 0) {
      keep(ahead.subarray(0, equals).toString('latin1'), ahead.subarray(equals + 1, end));
      at += next;
      return true;
    }
    return binary(ahead, end, next, isLast);
  }

  function binary(ahead: Buffer, end: number, next: number, isLast: boolean): boolean {
    const name = ahead.subarray(0, end).toString('latin1');
    if (!NAME.test(name)) {
      note();
      at += next;
      return true;
    }
    if (ahead.length < next + LENGTH_BYTES) {
      if (!isLast) return false;
      note();
      at = window.end;
      return true;
    }
    const length = Number(ahead.readBigUInt64LE(next));
    const start = next + LENGTH_BYTES;
    if (length > MAX_LINE_BYTES) {
      note();
      fieldBytes++;
      at += start;
      toSkip = length + 1;
      return true;
    }
    if (ahead.length < start + length + 1 && !isLast) return false;
    keep(name, ahead.subarray(start, start + length));
    at = Math.min(window.end, at + start + length + 1);
    return true;
  }

  function keep(name: string, value: Buffer): void {
    fieldBytes += name.length + value.length + 1;
    if (fieldBytes > 2 * MAX_LINE_BYTES || fields.has(name)) return;
    const text = value.at(-1) === 13 ? value.subarray(0, -1) : value;
    fields.set(name, text.toString('utf8'));
  }

  function finish(): void {
    if (fields.size > 0) onEntry(JSON.stringify(Object.fromEntries(fields)), entryLine, entryStart);
    fields = new Map();
    fieldBytes = 0;
  }

  return {
    push(block) {
      window.append(block);
      while (step(false));
      window.drop(at);
    },
    end() {
      while (step(true));
      finish();
    },
    damage(): Damage[] {
      if (odd.fields === 0) return [];
      return [{ what: `${many(odd.fields, 'field')} cut or not of a journal: left out`, offset: odd.firstOffset }];
    },
  };
}
