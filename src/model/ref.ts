import { z } from 'zod';

/** Where a record stands: a line or byte offset of a text source, a key of a snapshot, an entry (stream id) of a stream. */
export const refSchema = z.strictObject({
  source: z.string(),
  line: z.int().positive().optional(),
  entry: z.string().optional(),
  offset: z.int().nonnegative().optional(),
  key: z.string().optional(),
});

export type Ref = z.infer<typeof refSchema>;
