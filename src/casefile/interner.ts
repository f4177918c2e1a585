/** Text ↔ small integers, so that the hot table holds numbers only. */
import type { Cell, TableWriter } from './table-writer.js';

/** Largest job id stored as itself; DuckDB's INTEGER ends here. */
const MAX_PLAIN_ID = 2_147_483_647;
const PLAIN_ID = /^(?:0|[1-9]\d{0,9})$/;

export interface Interner {
  /** Id of a text, 1 or above; 0 for undefined. */
  id(text: string | undefined): number;
  /** Code of a job id: itself when it is a plain integer, else the negative of its string id; null for undefined. */
  job(id: string | undefined): number | null;
  /** Adopts texts that a kept case file already holds. */
  adopt(id: number, text: string): void;
}

/** `write` takes rows of the `strings` table. */
export function createInterner(write: TableWriter): Interner {
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
      if (PLAIN_ID.test(jobId)) {
        const plain = Number(jobId);
        if (plain <= MAX_PLAIN_ID) return plain;
      }
      return -id(jobId);
    },
    adopt(known, text) {
      ids.set(text, known);
      if (known > last) last = known;
    },
  };
}
