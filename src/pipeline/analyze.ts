/**
 * The main job: evidence in, analysis out.
 *
 * intake → case file → queues → workers, clocks, settings → triage → stories → rules → findings.
 */
import { type CaseFile, openCaseFile } from '../casefile/case-file.js';
import { learnWords } from '../casefile/learn-words.js';
import { resolveQueues } from '../casefile/queues.js';
import { readSnapshotSources } from '../casefile/read-coverage.js';
import { readSources } from '../casefile/read-processes.js';
import { readSeenEvents } from '../casefile/read-routes.js';
import { readCounts } from '../casefile/read-timing.js';
import { findSuspects, type Suspect, summarizeJobs } from '../casefile/triage.js';
import { type ExpandedInputs, expandInputs, type InputProblem, type Taken } from '../intake/index.js';
import { ANALYSIS_SCHEMA, type Analysis } from '../model/analysis.js';
import type { GivenColumns } from '../records/index.js';
import { RULES } from '../rules/index.js';
import { unmetNeeds } from '../rules/unmet-needs.js';
import type { Scene } from '../story/scene.js';
import {
  accountForChecks,
  accountForDatabases,
  accountForExposure,
  accountForRepeats,
  accountForSources,
  accountForWorkers,
} from './account.js';
import { accountForClocks } from './account-clocks.js';
import { accountForCoverage } from './account-coverage.js';
import { accountForLiveWorkers } from './account-live.js';
import { accountForRedis, accountForRetention } from './account-redis.js';
import { answerMoment } from './answer-moment.js';
import { auditRecords } from './audit-records.js';
import { citeRecords } from './cite-records.js';
import { judgeJobs } from './judge-jobs.js';
import { nextEvidence, totalsOf, withEnds } from './outcome.js';
import { createSpool, type Spool } from './record-source.js';
import { settingLimits, withOwnRows } from './scoped-settings.js';
import { choose } from './selection.js';
import { readCast, setScene } from './set-scene.js';
import { type SettingName, settingRows, zoneRows } from './settings.js';
import { learnSettings } from './settings-evidence.js';
import { settleLines } from './settle-lines.js';
import { type SortedInputs, sortInputs } from './sort-inputs.js';
import { type TakeEvidenceOptions, takeEvidence, threadFor } from './take-evidence.js';

export interface AnalyzeOptions extends TakeEvidenceOptions {
  /** Keep the case file here; add to it when it exists. */
  readonly casePath?: string;
  /** Case files to take in, instead of or beside other evidence. They stay as they are. */
  readonly openCases?: readonly string[];
  readonly given?: Readonly<Partial<Record<SettingName, number>>>;
  /** Idempotency records to hold against the evidence, and which of their columns tells what. */
  readonly records?: { readonly inputs: readonly string[]; readonly given: GivenColumns };
  readonly skewMs?: number;
  /** Times on the command line that named no zone, as their options are written. UTC was taken for them. */
  readonly zoneless?: readonly string[];
  /** Cited records are quoted, with the data of jobs in them. */
  readonly includeData?: boolean;
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
  /** What was asked for is not in the evidence: a sentence for the user. */
  readonly missing?: string;
}

/**
 * @throws CaseFileError for a case file that cannot be used. Bad evidence never throws: it is a problem or a damage.
 */
export async function analyze(inputs: readonly string[], options: AnalyzeOptions): Promise<AnalyzeResult> {
  const { records: named } = options;
  const expanded = await expandInputs([...inputs, ...(named?.inputs ?? [])]);
  const spool = createSpool();
  const thread = threadFor(expanded);
  const file = await openCaseFile({ path: options.casePath, from: options.openCases });
  try {
    const { evidence, records } =
      named === undefined ? { evidence: expanded, records: [] } : await sortRecords(expanded, spool, named, options);
    const taken = await takeEvidence(evidence, file, options, thread);
    const diagnosed = await diagnose(file, options, taken);
    const analysis =
      named === undefined
        ? diagnosed.analysis
        : await auditRecords(file, diagnosed.analysis, records, { ...options, given: named.given });
    const cited = await citeRecords(analysis, [...inputs, ...(named?.inputs ?? [])], {
      quote: options.includeData === true,
    });
    return { ...diagnosed, analysis: cited, problems: taken.problems };
  } finally {
    await file.close();
    spool.remove();
  }
}

/** The inputs that were named as records apart from the evidence. */
async function sortRecords(
  expanded: ExpandedInputs,
  spool: Spool,
  named: NonNullable<AnalyzeOptions['records']>,
  { assumeTz, formats = [] }: AnalyzeOptions,
): Promise<SortedInputs> {
  const { files } = await expandInputs(named.inputs);
  const paths = new Set(files.flatMap((file) => (file.kind === 'file' ? [file.absolutePath] : [])));
  return sortInputs(expanded, spool, {
    given: named.given,
    formats,
    ...(assumeTz === undefined ? {} : { assumeTz }),
    areRecords: (input) => input.kind === 'file' && paths.has(input.absolutePath),
  });
}

/** A diagnosis with the scene it was made in, for those who have more to ask of the same case. */
export interface Diagnosis extends Omit<AnalyzeResult, 'problems'> {
  readonly scene: Scene;
}

export async function diagnose(file: CaseFile, options: AnalyzeOptions, taken: Taken): Promise<Diagnosis> {
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
  const stage = await setScene(file, sources, cast, settings, options.skewMs);
  const { scene, runTimes } = stage;

  const choice = await choose(file, options.selection ?? {}, queues.queues, scene);
  const chosen = 'missing' in choice ? undefined : choice;
  const asked = chosen?.job && !suspects.some((one) => isSameJob(one, chosen.job)) ? [chosen.job] : [];
  const judged = await judgeJobs(file, [...suspects, ...asked], sources, scene, chosen, options.signal);
  const { findings, stories, limits, tokens, verdicts } = judged;
  const account = await accountForSources(file);
  const redis = await accountForRedis(file);
  const snapshots = await readSnapshotSources(file);
  const coverage = accountForCoverage(account.sources, scene.workers, snapshots, settings.lockDuration.value);
  const clocks = accountForClocks(scene, stage.clocks);
  const workers = withEnds(accountForWorkers(scene, tokens, stage.queuesOf, stage.habits), verdicts);
  const living = accountForLiveWorkers(scene, stage.queuesOf, workers, findings);
  const seen = await readSeenEvents(file);
  const analysis: Analysis = {
    schema: ANALYSIS_SCHEMA,
    tool: { name: 'bullmortem', version: options.version },
    run: { options: [...(options.optionsText ?? [])] },
    settings: [
      ...withOwnRows(settingRows(settings, options.skewMs, queues.assumedOnly, words), scene),
      ...zoneRows(options.zoneless ?? []),
      ...account.assumptions,
    ],
    sources: account.sources,
    coverage,
    ...(seen.routes.length > 0
      ? { routes: seen.routes.map(({ sources: told, events }) => ({ sources: [...told], events })) }
      : {}),
    clocks: clocks.clocks,
    workers,
    liveWorkers: living.live,
    ...(living.scaling.length > 0 ? { scaling: living.scaling } : {}),
    totals: { ...(await readCounts(file)), events: seen.events, ...totalsOf(findings) },
    exposure: accountForExposure(runTimes, scene),
    findings,
    stories,
    ...(redis.observed.length > 0 ? { observed: redis.observed } : {}),
    nextEvidence: nextEvidence(findings, account.sources),
    limits: [
      ...limits,
      ...unmetNeeds(RULES, new Set(coverage.map((row) => row.class))),
      ...clocks.limits,
      ...living.limits,
      ...settingLimits(scene, stage.queuesOf, stage.habits),
      ...accountForRepeats(taken, queues.twice),
      ...accountForDatabases(queues.ambiguous),
      ...redis.limits,
      ...(await accountForChecks(file)),
      ...(await accountForRetention(file)),
      ...account.limits,
    ],
    ...(await answerMoment(file, sources, chosen?.job, options.selection?.atMs)),
  };
  return {
    analysis: settleLines(analysis),
    scene,
    read: account.sources.filter((source) => source.events > 0 || (source.kind === 'redis' && source.records > 0))
      .length,
    ...('missing' in choice ? { missing: choice.missing } : {}),
  };
}

const isSameJob = (a: Suspect, b: Suspect | undefined): boolean => a.q === b?.q && a.job === b.job;
