/** `bullmortem collect`: prints the script that gathers the evidence. Connects to nothing. */
import { z } from 'zod';
import { collectScript } from '../collect/script.js';
import { EXIT, UsageError } from './exit-codes.js';

const rawSchema = z.object({
  queue: z.string(),
  job: z.string().optional(),
  prefix: z.string(),
  cluster: z.boolean().default(false),
});

const LONGEST_NAME = 1000;

/** @throws UsageError with one line that says which option is wrong and what it takes. */
export function runCollect(rawOptions: object): number {
  const { queue, job, prefix, cluster } = rawSchema.parse(rawOptions);
  for (const [flag, name] of [
    ['--queue', queue],
    ['--prefix', prefix],
    ['--job', job],
  ] as const)
    if (name !== undefined && (name === '' || name.length > LONGEST_NAME))
      throw new UsageError(`${flag} takes a name of 1 to ${LONGEST_NAME} characters`);
  process.stdout.write(collectScript({ queue, prefix, cluster, ...(job === undefined ? {} : { job }) }));
  return EXIT.done;
}
