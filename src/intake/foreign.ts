/**
 * Content of kinds that are surely no evidence. The reader of last resort takes any text, and the beginning of a picture or
 * of a document may pass for text.
 */

const text = (start: string): readonly number[] => [...Buffer.from(start, 'latin1')];

/** Of a DuckDB database, from its byte 8 on. */
const DUCKDB = text('DUCK');

const MAGICS: readonly { readonly at: number; readonly bytes: readonly number[] }[] = [
  { at: 0, bytes: text('\x89PNG') },
  { at: 0, bytes: [0xff, 0xd8, 0xff] }, // JPEG
  { at: 0, bytes: text('GIF8') },
  { at: 0, bytes: text('%PDF-') },
  { at: 0, bytes: text('\x7fELF') },
  { at: 0, bytes: [0xcf, 0xfa, 0xed, 0xfe] }, // Mach-O
  { at: 0, bytes: text('\0asm') },
  { at: 0, bytes: text('SQLite format 3\0') },
  { at: 8, bytes: DUCKDB },
  { at: 0, bytes: text('PAR1') }, // Parquet
  { at: 0, bytes: text('PGDMP') }, // pg_dump -Fc
  { at: 0, bytes: [0xd4, 0xc3, 0xb2, 0xa1] }, // pcap
];

export const isDuckDb = (head: Uint8Array): boolean => DUCKDB.every((byte, i) => head[8 + i] === byte);

/** Whether content begins like one of those kinds. */
export function isForeign(head: Uint8Array): boolean {
  return MAGICS.some(({ at, bytes }) => bytes.every((byte, i) => head[at + i] === byte));
}

/** Control characters that no text holds, or bytes that are no UTF-8. Escape (0x1b) colours logs. */
export function looksBinary(sample: Uint8Array): boolean {
  if (isForeign(sample)) return true;
  if (sample.some((byte) => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return false;
  } catch {
    return true;
  }
}
