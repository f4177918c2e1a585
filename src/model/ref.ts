import { z } from 'zod';

/** Where a record stands: a line or byte offset of a text source, a key of a snapshot, an entry (stream id) of a stream. */
export const refSchema = z.strictObject({
  source: z.string(),
  line: z.int().positive().optional(),
  entry: z.string().optional(),
  offset: z.int().nonnegative().optional(),
  key: z.string().optional(),
  /**
   * The start of the SHA-256 of the record that stood there, 16 hex digits, for `verify`: of its bytes in a text source or AOF, of
   * the entry or the key's value in a snapshot. Absent: it could not be read a second time (standard input, a case file alone).
   */
  digest: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  /** How the record begins, verbatim, data of the job included (`--include-data`). */
  quote: z.string().optional(),
});

export type Ref = z.infer<typeof refSchema>;
