/**
 * The main job: evidence in, analysis out.
 *
 * intake → case file → queues → workers, clocks, settings → triage → stories → rules → findings.
 */
import { type CaseFile, openCaseFile } from '../casefile/case-file.js';
import { learnWords } from '../casefile/learn-words.js';
import { resolveQueues } from '../casefile/queues.js';
import { readQueuesOfWorkers, readSources } from '../casefile/read-processes.js';
import { readCounts } from '../casefile/read-timing.js';
import { findSuspects, summarizeJobs } from '../casefile/triage.js';
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
import { ANALYSIS_SCHEMA, type Analysis } from '../model/analysis.js';
import { redisReaders } from '../redis/index.js';
import { RULES } from '../rules/index.js';
import {
  accountForChecks,
  accountForClocks,
  accountForCoverage,
  accountForExposure,
  accountForRepeats,
  accountForSources,
  accountForWorkers,
} from './account.js';
import { judgeJobs } from './judge-jobs.js';
import { nextEvidence, totalsOf, withEnds } from './outcome.js';
import { readCast, setScene } from './set-scene.js';
import { type SettingName, settingRows } from './settings.js';
import { learnSettings } from './settings-evidence.js';

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
  const settings = await learnSettings(file, cast, suspects, sources, options.given ?? {});
  const { scene, offsets, runTimes } = await setScene(file, cast, settings, options.skewMs);

  const { findings, stories, limits, tokens } = await judgeJobs(file, suspects, sources, scene, options.signal);
  const account = await accountForSources(file);
  const clocks = accountForClocks(scene, offsets);
  const ids = cast.identities.map((identity) => identity.id);
  const workers = accountForWorkers(scene, tokens, await readQueuesOfWorkers(file, ids));
  const analysis: Analysis = {
    schema: ANALYSIS_SCHEMA,
    tool: { name: 'bullmortem', version: options.version },
    run: { options: [...(options.optionsText ?? [])] },
    settings: [...settingRows(settings, options.skewMs, queues.assumedOnly, words), ...account.assumptions],
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
      ...accountForRepeats(taken, queues.twice),
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
