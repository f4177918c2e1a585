/** Stories and verdicts of the suspects, in batches: memory follows the batch, not the number of suspects. */
import type { CaseFile } from '../casefile/case-file.js';
import { readJobs, readJobsInBatches } from '../casefile/read-jobs.js';
import type { Suspect } from '../casefile/triage.js';
import type { Finding, JobStory, Limit } from '../model/analysis.js';
import type { JobRecord, StoredEvent, StoredSource } from '../model/stored.js';
import { RULES } from '../rules/index.js';
import { type Judgement, runRules } from '../rules/run-rules.js';
import { buildStory } from '../story/build-story.js';
import type { Scene } from '../story/scene.js';
import type { Story } from '../story/story.js';
import { type Case, compareFindings, groupCases, toCase, toFinding } from './findings.js';
import { type Chosen, isStoryOf } from './selection.js';
import { tellStory } from './tell-story.js';

const BATCH = 500;
/** Stories kept in the analysis; findings list every job. */
const MAX_STORIES = 2000;

export interface JudgedJobs {
  readonly findings: Finding[];
  readonly stories: JobStory[];
  readonly limits: Limit[];
  /** Lock tokens by worker id. */
  readonly tokens: ReadonlyMap<string, ReadonlySet<string>>;
  /** What all verdicts say about workers, also those that were not asked for. */
  readonly verdicts: readonly Pick<Finding, 'worker' | 'status' | 'cause'>[];
}

/** Judges every suspect. `signal` stops between two batches. */
export async function judgeJobs(
  file: CaseFile,
  suspects: readonly Suspect[],
  sources: ReadonlyMap<number, StoredSource>,
  scene: Scene,
  chosen: Chosen | undefined,
  signal?: AbortSignal,
): Promise<JudgedJobs> {
  const cases: Case[] = [];
  const verdicts = new Map<string, JudgedJobs['verdicts'][number]>();
  const stories: JobStory[] = [];
  const failures = new Map<string, Limit>();
  const limits: Limit[] = [];
  let left = 0;
  const tokens = new Map<string, Set<string>>();
  for await (const { first, records } of readJobsInBatches(file, suspects, sources, BATCH)) {
    signal?.throwIfAborted();
    records.forEach((record, m) => {
      const { story, judgement } = judge(record, scene);
      noteFailures(judgement.limits, failures);
      const mine = judgement.judged.map((one, nth) => toCase({ ...one, story }, first + m, nth, scene));
      const kept = mine.filter((one) => chosen?.keeps(one, story) ?? true);
      left += mine.filter(
        (one, nth) => !kept.includes(one) && judgement.judged[nth]?.verdict.boundary !== 'none',
      ).length;
      cases.push(...kept);
      for (const { verdict } of judgement.judged) noteVerdict(verdict, verdicts);
      noteTokens(record, tokens, scene.workerOf);
      const isAsked = chosen?.job !== undefined && isStoryOf(chosen.job, story);
      if ((kept.length > 0 || isAsked) && stories.length < MAX_STORIES) stories.push(tellStory(story, scene));
    });
  }
  if (cases.length > stories.length && stories.length === MAX_STORIES)
    limits.push({
      what: 'stories left out',
      detail: 'only the first jobs have their story told; findings list every job',
      count: cases.length - stories.length,
    });
  limits.push(...failures.values(), ...(chosen?.limits() ?? []));
  if (left > 0)
    limits.push({
      what: 'verdicts that were not asked for',
      detail: 'on other jobs, queues, workers or times; without the options that select they are told',
      count: left,
    });
  const findings = await tellFindings(file, suspects, sources, scene, cases);
  return { findings, stories, limits, tokens, verdicts: [...verdicts.values()] };
}

/** A rule that fails on every job is told once, with the first of them. */
function noteFailures(limits: readonly Limit[], failures: Map<string, Limit>): void {
  for (const limit of limits) {
    const known = failures.get(limit.what);
    failures.set(limit.what, { ...(known ?? limit), count: (known?.count ?? 0) + 1 });
  }
}

function noteVerdict(
  { run, status, cause }: Judgement['judged'][number]['verdict'],
  verdicts: Map<string, JudgedJobs['verdicts'][number]>,
): void {
  const worker = run?.worker?.id;
  if (worker !== undefined) verdicts.set(JSON.stringify([worker, status, cause]), { worker, status, cause });
}

function judge(record: JobRecord, scene: Scene): { story: Story; judgement: Judgement } {
  const story = buildStory(record, scene);
  return { story, judgement: runRules(RULES, story, scene) };
}

/** Only the jobs that lead a finding are told in full: their stories are built a second time. */
async function tellFindings(
  file: CaseFile,
  suspects: readonly Suspect[],
  sources: ReadonlyMap<number, StoredSource>,
  scene: Scene,
  cases: readonly Case[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const groups = groupCases(cases, scene);
  for (let n = 0; n < groups.length; n += BATCH) {
    const batch = groups.slice(n, n + BATCH);
    const leaders = batch.flatMap((group) => group.slice(0, 1));
    const leading = leaders.flatMap((one) => suspects.slice(one.suspect, one.suspect + 1));
    const records = await readJobs(file, leading, sources);
    records.forEach((record, m) => {
      const { story, judgement } = judge(record, scene);
      const one = judgement.judged[leaders[m]?.nth ?? 0];
      if (one) findings.push(toFinding({ ...one, story }, batch[m] ?? []));
    });
  }
  return findings.sort(compareFindings);
}

function noteTokens(
  record: JobRecord,
  tokens: Map<string, Set<string>>,
  workerOf: (event: StoredEvent) => { readonly id: string } | undefined,
): void {
  for (const event of record.events) {
    const worker = workerOf(event);
    if (event.token === undefined || worker === undefined || event.kind === 'stalled-notice') continue;
    const known = tokens.get(worker.id) ?? new Set();
    tokens.set(worker.id, known.add(event.token));
  }
}
