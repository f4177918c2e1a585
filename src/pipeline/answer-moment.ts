/** Gathers what the case holds about the job that was asked for, and lets the story room answer. */
import type { CaseFile } from '../casefile/case-file.js';
import type { FoundJob } from '../casefile/find-jobs.js';
import { readJobs } from '../casefile/read-jobs.js';
import { readWindows } from '../casefile/read-timing.js';
import { readSnapshotMoments, readStreamSpans, readWrites } from '../casefile/read-writes.js';
import type { At } from '../model/analysis.js';
import type { StoredSource } from '../model/stored.js';
import { type AskedEvidence, answerAt } from '../story/at/answer-at.js';

/** The part of the analysis that answers `--at`; empty where nobody asked. `atMs`: whole ms on Redis' clock. */
export async function answerMoment(
  file: CaseFile,
  sources: ReadonlyMap<number, StoredSource>,
  job: FoundJob | undefined,
  atMs: number | undefined,
): Promise<{ at?: At }> {
  if (job === undefined || atMs === undefined) return {};
  return { at: answerAt(await readAsked(file, sources, job), atMs) };
}

/** What answers about this job rest on, whatever the moment. */
export async function readAsked(
  file: CaseFile,
  sources: ReadonlyMap<number, StoredSource>,
  job: FoundJob,
): Promise<AskedEvidence> {
  const [record] = await readJobs(file, [job], sources);
  return {
    record: record ?? {
      ...(job.queue === undefined ? {} : { queue: job.queue }),
      job: job.id,
      summary: job.summary,
      events: [],
      facts: [],
    },
    writes: await readWrites(file, job, sources),
    windows: { logs: await readWindows(file), snapshots: await readSnapshotMoments(file) },
    streams: await readStreamSpans(file, job.q, sources),
  };
}
