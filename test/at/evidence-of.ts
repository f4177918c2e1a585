/** Takes evidence in for some jobs, and asks about them at any number of moments without taking it in again. */
import { openCaseFile } from '../../src/casefile/case-file.js';
import { findJobs } from '../../src/casefile/find-jobs.js';
import { resolveQueues } from '../../src/casefile/queues.js';
import { readSources } from '../../src/casefile/read-processes.js';
import { summarizeJobs } from '../../src/casefile/triage.js';
import { expandInputs, takeIn } from '../../src/intake/index.js';
import type { At } from '../../src/model/analysis.js';
import { readAskedJob } from '../../src/model/asked-job.js';
import { readAsked } from '../../src/pipeline/answer-moment.js';
import { redisReaders } from '../../src/redis/index.js';
import { type AskedEvidence, answerAt } from '../../src/story/at/answer-at.js';

export type Ask = (job: string, atMs: number) => At;

/** `jobs`: as for `--job`. The case is closed when `work` is done. */
export async function withEvidence(
  paths: readonly string[],
  jobs: readonly string[],
  work: (ask: Ask) => void,
): Promise<void> {
  const file = await openCaseFile();
  try {
    const askedJob = jobs.flatMap(readAskedJob);
    await takeIn(await expandInputs(paths), { readers: redisReaders, target: file, options: { askedJob } });
    const sources = await readSources(file);
    await resolveQueues(file);
    await summarizeJobs(file);
    const evidence = new Map<string, AskedEvidence>();
    for (const job of jobs) {
      const [found] = await findJobs(file, readAskedJob(job), true);
      if (found) evidence.set(job, await readAsked(file, sources, found));
    }
    work((job, atMs) => {
      const of = evidence.get(job);
      if (of === undefined) throw new Error(`${job} is not in the evidence`);
      return answerAt(of, atMs);
    });
  } finally {
    await file.close();
  }
}
