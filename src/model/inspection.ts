/** What `inspect` says of each input: what it was taken for and why, what was understood of it, and what was not. */
import { z } from 'zod';
import { refSchema, settingSchema, sourceSchema } from './analysis.js';
import { configSchema } from './config.js';

export const INSPECTION_SCHEMA = 'bullmortem/inspection/1';

const count = z.int().nonnegative();

export const inspectedInputSchema = sourceSchema.omit({ id: true }).extend({
  /** What its reader had to assume to place its times; none: they name their zone. */
  assumed: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  /** Events by kind, most frequent first. */
  kinds: z.array(z.strictObject({ kind: z.string(), count })),
  /** Ids of the workers that it speaks for. */
  workers: z.array(z.string()),
  /** What it does not tell, though it looks as if it did; what was left out. */
  limits: z.array(z.strictObject({ what: z.string(), detail: z.string(), count: count.optional() })),
});

export const inspectionSchema = z.strictObject({
  schema: z.literal(INSPECTION_SCHEMA),
  tool: z.strictObject({ name: z.literal('bullmortem'), version: z.string() }),
  run: z.strictObject({ options: z.array(z.string()) }),
  inputs: z.array(inspectedInputSchema),
  /** A team's words whose meaning was learned from their place in the jobs that went well. */
  words: z.array(settingSchema),
  /** Shapes of records that could matter and were not understood, most frequent first, each with the first record of it. */
  notUnderstood: z.array(z.strictObject({ records: count, example: z.string(), ref: refSchema })),
  /** The same as rules for bullmortem.config.json, in the same order. As they are they change nothing: each waits for its kind. */
  config: configSchema.optional(),
});

export type Inspection = z.infer<typeof inspectionSchema>;
export type InspectedInput = z.infer<typeof inspectedInputSchema>;
