/** Two recordings, one before a fix and one after it: is the fix proven. */
import type { CaseFile } from '../casefile/case-file.js';
import { readJobsInBatches } from '../casefile/read-jobs.js';
import { readSources } from '../casefile/read-processes.js';
import { findSuspects } from '../casefile/triage.js';
import type { InputProblem } from '../intake/index.js';
import type { Analysis } from '../model/analysis.js';
import { type Proof, startProof } from '../proof/index.js';
import { buildStory } from '../story/build-story.js';
import type { Scene } from '../story/scene.js';
import { citeRecords } from './cite-records.js';
import { type ReadCaseOptions, readCase } from './read-case.js';
import { settleLines } from './settle-lines.js';

/** One recording: evidence, perhaps with a case file, or what an earlier analysis says of it. */
export interface Recording {
  readonly inputs: readonly string[];
  readonly openCases?: readonly string[];
  readonly analysis?: Analysis;
}

export type ProveOptions = Omit<ReadCaseOptions, 'openCases' | 'casePath' | 'stdin' | 'onKey'>;

export interface ProveResult {
  /** Of the recording after the fix, with the proof. */
  readonly analysis: Analysis;
  readonly before: Analysis;
  readonly problems: readonly InputProblem[];
  /** Sources that were read of each. */
  readonly read: { readonly before: number; readonly after: number };
}

const BATCH = 500;
/** Jobs of the second recording whose stories are told; a proof needs no more of them. */
const MOST_JOBS = 200_000;

/** @throws CaseFileError for a case file that cannot be used. */
export async function prove(before: Recording, after: Recording, options: ProveOptions): Promise<ProveResult> {
  const first =
    before.analysis === undefined
      ? await readCase(before.inputs, withCase(before, options), async (result) => result)
      : { analysis: before.analysis, problems: [], read: before.analysis.sources.length };
  if (after.analysis !== undefined) {
    const checks = startProof(first.analysis, after.analysis).checks(false);
    return {
      analysis: { ...after.analysis, proof: checks },
      before: first.analysis,
      problems: first.problems,
      read: { before: first.read, after: after.analysis.sources.length },
    };
  }
  return readCase(after.inputs, withCase(after, options), async ({ analysis, problems, read }, file, scene) => {
    const proof = startProof(first.analysis, analysis);
    const left = await tellStories(file, scene, proof);
    const limits =
      left === 0
        ? analysis.limits
        : [
            { what: 'jobs left out of the proof', detail: 'only the first were asked', count: left },
            ...analysis.limits,
          ];
    const proven = { ...analysis, limits, proof: settleLines(proof.checks(true)) };
    return {
      analysis: await citeRecords(proven, after.inputs),
      before: first.analysis,
      problems: [...first.problems, ...problems],
      read: { before: first.read, after: read },
    };
  });
}

const withCase = ({ openCases }: Recording, options: ProveOptions): ReadCaseOptions => ({
  ...options,
  ...(openCases === undefined ? {} : { openCases }),
});

/** Every job of the recording, healthy or not: a fix shows in what went well. Returns how many were left out. */
async function tellStories(file: CaseFile, scene: Scene, proof: Proof): Promise<number> {
  const sources = await readSources(file);
  const jobs = await findSuspects(file, ['true']);
  for await (const { records } of readJobsInBatches(file, jobs.slice(0, MOST_JOBS), sources, BATCH))
    for (const record of records) proof.see(buildStory(record, scene), scene);
  return Math.max(0, jobs.length - MOST_JOBS);
}
