/** Text ↔ small integers, so that the hot table holds numbers only. */
import type { Cell, RowWriter } from './row-buffer.js';

/** Largest job id stored as itself; DuckDB's INTEGER ends here. */
const MAX_PLAIN_ID = 2_147_483_647;
const MAX_PLAIN_DIGITS = 10;
const ZERO = 48;

export interface Interner {
  /** Id of a text, 1 or above; 0 for undefined. */
  id(text: string | undefined): number;
  /** Code of a job id: itself when it is a plain integer, else the negative of its string id; null for undefined. */
  job(id: string | undefined): number | null;
  /** Adopts texts that a kept case file already holds. */
  adopt(id: number, text: string): void;
}

/** `write` takes rows of the `strings` table. */
export function createInterner(write: RowWriter): Interner {
  const ids = new Map<string, number>();
  let last = 0;
  const id = (text: string | undefined): number => {
    if (text === undefined) return 0;
    const known = ids.get(text);
    if (known !== undefined) return known;
    const next = ++last;
    ids.set(text, next);
    const row: Cell[] = [next, text];
    write.push(row);
    return next;
  };
  return {
    id,
    job(jobId) {
      if (jobId === undefined) return null;
      const plain = plainId(jobId);
      return plain <= MAX_PLAIN_ID ? plain : -id(jobId);
    },
    adopt(known, text) {
      ids.set(text, known);
      if (known > last) last = known;
    },
  };
}

/** The value of decimal digits without a needless zero in front; infinite for any other text. Every job passes here. */
function plainId(text: string): number {
  const { length } = text;
  if (length === 0 || length > MAX_PLAIN_DIGITS) return Number.POSITIVE_INFINITY;
  if (length > 1 && text.charCodeAt(0) === ZERO) return Number.POSITIVE_INFINITY;
  let value = 0;
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return Number.POSITIVE_INFINITY;
    value = value * 10 + digit;
  }
  return value;
}
