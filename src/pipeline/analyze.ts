/**
 * The main job: evidence in, analysis out.
 *
 * intake → case file → queues → workers, clocks, settings → triage → stories → rules → findings.
 */
import { type CaseFile, openCaseFile } from '../casefile/case-file.js';
import { learnWords } from '../casefile/learn-words.js';
import { resolveQueues } from '../casefile/queues.js';
import { readJobs } from '../casefile/read-jobs.js';
import { readSources } from '../casefile/read-processes.js';
import { readCounts, readStoredSettings } from '../casefile/read-timing.js';
import { findSuspects, type Suspect, summarizeJobs } from '../casefile/triage.js';
import {
  type ExpandedInputs,
  expandInputs,
  type ForcedFormat,
  type InputProblem,
  type IntakeProgress,
  type Taken,
  takeIn,
} from '../intake/index.js';
import { logReader } from '../logs/index.js';
import { ANALYSIS_SCHEMA, type Analysis, type Finding, type JobStory, type Limit } from '../model/analysis.js';
import type { JobRecord, StoredEvent, StoredSource } from '../model/stored.js';
import { redisReaders } from '../redis/index.js';
import { RULES } from '../rules/index.js';
import { type Judgement, runRules } from '../rules/run-rules.js';
import { buildStory } from '../story/build-story.js';
import { readStream, streamEntries } from '../story/read-stream.js';
import type { Story } from '../story/story.js';
import {
  accountForChecks,
  accountForClocks,
  accountForCoverage,
  accountForExposure,
  accountForSources,
  accountForWorkers,
} from './account.js';
import { type Case, compareFindings, groupCases, toCase, toFinding } from './findings.js';
import { nextEvidence, totalsOf, withEnds } from './outcome.js';
import { ASSUMED_SKEW_MS, readCast, setScene } from './set-scene.js';
import { type SettingName, settingRows, settleSettings } from './settings.js';
import { tellStory } from './tell-story.js';

export interface AnalyzeOptions {
  /** Keep the case file here; add to it when it exists. */
  readonly casePath?: string;
  /** A case file to read as it is, instead of or beside other evidence. */
  readonly openCase?: string;
  readonly given?: Readonly<Partial<Record<SettingName, number>>>;
  readonly assumeTz?: string;
  readonly prefix?: string;
  readonly skewMs?: number;
  readonly formats?: readonly ForcedFormat[];
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  readonly onProgress?: (progress: IntakeProgress) => void;
  readonly signal?: AbortSignal;
  /** Options as they stand in the analysis: canonical order, no paths. */
  readonly optionsText?: readonly string[];
  readonly version: string;
}

export interface AnalyzeResult {
  readonly analysis: Analysis;
  /** Inputs that could not be read, for the user's eyes; the damage of others stands with their source. */
  readonly problems: readonly InputProblem[];
  /** Sources that were read. */
  readonly read: number;
}

/** Jobs whose stories are built at once: memory follows this, not the number of suspects. */
const BATCH = 500;
/** Jobs that are looked at for what they say about settings. */
const MAX_SAMPLED = 100;
/** Stories kept in the analysis; findings list every job. */
const MAX_STORIES = 2000;

/**
 * @throws CaseFileError for a case file that cannot be used. Bad evidence never throws: it is a problem or a damage.
 */
export async function analyze(inputs: readonly string[], options: AnalyzeOptions): Promise<AnalyzeResult> {
  const expanded = await expandInputs(inputs);
  const file = await openCaseFile(options.openCase ?? options.casePath, options.openCase !== undefined);
  try {
    const taken = await takeEvidence(expanded, file, options);
    return { ...(await diagnose(file, options, taken)), problems: taken.problems };
  } finally {
    await file.close();
  }
}

async function takeEvidence(inputs: ExpandedInputs, file: CaseFile, options: AnalyzeOptions): Promise<Taken> {
  if (inputs.files.length === 0) return { sources: [], problems: inputs.problems };
  return takeIn(inputs, {
    readers: [...redisReaders, logReader],
    target: file,
    options: {
      ...(options.assumeTz === undefined ? {} : { assumeTz: options.assumeTz }),
      ...(options.prefix === undefined ? {} : { prefix: options.prefix }),
      ...(options.formats === undefined ? {} : { formats: options.formats }),
    },
    ...(options.stdin ? { stdin: options.stdin } : {}),
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

async function diagnose(
  file: CaseFile,
  options: AnalyzeOptions,
  taken: Taken,
): Promise<Omit<AnalyzeResult, 'problems'>> {
  const sources = await readSources(file);
  const queues = await resolveQueues(file);
  await summarizeJobs(file);
  const words = await learnWords(file);
  if (words.length > 0) await summarizeJobs(file);
  const suspects = await findSuspects(
    file,
    RULES.map((rule) => rule.wakes),
  );
  const cast = await readCast(file, sources);
  const settings = settleSettings(
    options.given ?? {},
    cast.signs,
    await renewalSeries(file, suspects, sources),
    await readStoredSettings(file),
    await quickestStall(file, suspects, sources),
  );
  const { scene, offsets, runTimes } = await setScene(file, cast, settings, options.skewMs ?? ASSUMED_SKEW_MS);

  const cases: Case[] = [];
  const stories: JobStory[] = [];
  const limits: Limit[] = [];
  const tokens = new Map<string, Set<string>>();
  const judge = (record: JobRecord): { story: Story; judgement: Judgement } => {
    const story = buildStory(record, scene);
    return { story, judgement: runRules(RULES, story, scene) };
  };
  for (let n = 0; n < suspects.length; n += BATCH) {
    options.signal?.throwIfAborted();
    const records = await readJobs(file, suspects.slice(n, n + BATCH), sources);
    records.forEach((record, m) => {
      const { story, judgement } = judge(record);
      limits.push(...judgement.limits);
      cases.push(...judgement.judged.map((one, nth) => toCase({ ...one, story }, n + m, nth, scene)));
      noteTokens(record, tokens, scene.workerOf);
      if (judgement.judged.length > 0 && stories.length < MAX_STORIES) stories.push(tellStory(story, scene));
    });
  }

  // Only the jobs that lead a finding are told in full: their stories are built a second time.
  const findings: Finding[] = [];
  const groups = groupCases(cases, scene);
  for (let n = 0; n < groups.length; n += BATCH) {
    const batch = groups.slice(n, n + BATCH);
    const leaders = batch.flatMap((group) => group.slice(0, 1));
    const records = await readJobs(
      file,
      leaders.flatMap((one) => suspects.slice(one.suspect, one.suspect + 1)),
      sources,
    );
    records.forEach((record, m) => {
      const { story, judgement } = judge(record);
      const one = judgement.judged[leaders[m]?.nth ?? 0];
      if (one) findings.push(toFinding({ ...one, story }, batch[m] ?? []));
    });
  }
  findings.sort(compareFindings);
  const account = await accountForSources(file);
  const clocks = accountForClocks(scene, offsets);
  const affected = findings.reduce((sum, finding) => sum + finding.jobs.length, 0);
  if (stories.length < affected && stories.length === MAX_STORIES)
    limits.push({
      what: 'stories left out',
      detail: 'only the first jobs have their story told; findings list every job',
      count: affected - stories.length,
    });
  const workers = accountForWorkers(
    scene,
    tokens,
    await queuesOfWorkers(
      file,
      cast.identities.map((identity) => identity.id),
    ),
  );
  const analysis: Analysis = {
    schema: ANALYSIS_SCHEMA,
    tool: { name: 'bullmortem', version: options.version },
    run: { options: [...(options.optionsText ?? [])] },
    settings: [
      ...settingRows(settings),
      {
        name: 'clockSkew',
        value: options.skewMs ?? ASSUMED_SKEW_MS,
        basis: options.skewMs === undefined ? 'assumed' : 'given',
        scope: 'workers without clock pairs',
        refs: [],
      },
      ...(queues.assumedOnly === undefined
        ? []
        : [
            {
              name: 'queue of records that name none',
              value: queues.assumedOnly,
              basis: 'assumed' as const,
              scope: 'the only queue in the evidence',
              refs: [],
            },
          ]),
      ...words.map(({ kind, shape, jobs, example }) => ({
        name: `words for ${kind}`,
        value: shape,
        basis: 'evidence' as const,
        scope: `by their place in ${jobs} jobs that went well`,
        refs: [example],
      })),
      ...account.assumptions,
    ],
    sources: account.sources,
    coverage: accountForCoverage(account.sources, scene),
    clocks: clocks.clocks,
    workers: withEnds(workers, findings),
    totals: { ...(await readCounts(file)), ...totalsOf(findings) },
    exposure: accountForExposure(runTimes, settings.lockDuration.value),
    findings,
    stories,
    nextEvidence: nextEvidence(findings, account.sources),
    limits: [
      ...limits,
      ...clocks.limits,
      ...skippedLimits(taken),
      ...(queues.twice > 0
        ? [
            {
              what: 'records that stand in two sources',
              detail: 'the same record of the same process; counted once',
              count: queues.twice,
            },
          ]
        : []),
      ...(await accountForChecks(file)),
      ...account.limits,
    ],
  };
  return {
    analysis,
    read: account.sources.filter((source) => source.events > 0 || (source.kind === 'redis' && source.records > 0))
      .length,
  };
}

/** The same content twice is evidence once; the analysis says so. */
const skippedLimits = (taken: Taken): Limit[] =>
  taken.sources
    .filter((source) => source.skipped !== undefined)
    .map((source) => ({
      what: 'source read once',
      detail: `its content is the same as ${source.sameAs ?? 'a source already in the case'}`,
      source: source.path,
    }));

/** Renewal errors of each suspect, in order: their spacing tells the renewal timer. */
async function renewalSeries(
  file: CaseFile,
  suspects: readonly Suspect[],
  sources: ReadonlyMap<number, StoredSource>,
): Promise<StoredEvent[][]> {
  const repeated = suspects.filter((suspect) => suspect.summary.renewal_errors > 3).slice(0, MAX_SAMPLED);
  const records = await readJobs(file, repeated, sources);
  return records.flatMap((record) => {
    const errors = record.events.filter((event) => event.kind === 'renewal-failed');
    const processes = new Set(errors.map((event) => event.process));
    return [...processes].map((process) => errors.filter((event) => event.process === process));
  });
}

/** The activation and the sweep that followed it soonest: the lock lived no longer than the time between the two. */
async function quickestStall(
  file: CaseFile,
  suspects: readonly Suspect[],
  sources: ReadonlyMap<number, StoredSource>,
): Promise<{ active: StoredEvent; stalled: StoredEvent } | undefined> {
  const stalled = suspects.filter((suspect) => suspect.summary.stalls > 0).slice(0, MAX_SAMPLED);
  const pairs = (await readJobs(file, stalled, sources)).flatMap((record) =>
    readStream(streamEntries(record.events)).activations.flatMap(({ active, stalled: sweep }) =>
      sweep ? [{ active, stalled: sweep }] : [],
    ),
  );
  const lasted = (pair: { active: StoredEvent; stalled: StoredEvent }): number =>
    (pair.stalled.t ?? 0) - (pair.active.t ?? 0);
  return pairs.sort((a, b) => lasted(a) - lasted(b))[0];
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

async function queuesOfWorkers(file: CaseFile, ids: readonly string[]): Promise<Map<string, Set<string>>> {
  const rows = await file.query(`
    SELECT DISTINCT w.worker, s.text FROM ev e JOIN strings s ON s.id = e.q AND e.q <> 0
    JOIN worker_of w ON w.process = e.process AND e.line >= w.from_line AND e.line < w.to_line`);
  const queues = new Map<string, Set<string>>();
  for (const row of rows) {
    const id = ids[Number(row.worker)];
    if (id !== undefined) queues.set(id, (queues.get(id) ?? new Set()).add(String(row.text)));
  }
  return queues;
}
