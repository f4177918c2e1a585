/**
 * Idempotency records against an analysis: which keys were worked on twice, and what the evidence says of their jobs. Adds to
 * the analysis what it finds; needs the case file that the analysis was made from.
 */
import {
  countKeys,
  createRecordTables,
  findDoubleEnqueues,
  findInteresting,
  findUnrecorded,
  joinEvidence,
  judgeRecords,
  keepRecords,
  pairQueues,
  readEvidenceQueues,
  readHabits,
  readKeys,
  readRecordQueues,
  readTotals,
  weighEvidence,
} from '../audit/index.js';
import type { CaseFile } from '../casefile/case-file.js';
import { readSources } from '../casefile/read-processes.js';
import type { Analysis, JobStory } from '../model/analysis.js';
import type { RecordKey } from '../model/records-audit.js';
import { accountForRecords, auditLimits } from './account-records.js';
import { compareFindings, findingId } from './findings.js';
import { totalsOf } from './outcome.js';
import { ASSUMED_SKEW_MS } from './settings.js';
import type { RecordInput } from './sort-inputs.js';
import { takeRecords } from './take-records.js';
import type { TakenRecords, TakeRecordsOptions } from './taken-records.js';

/** Keys listed in the analysis; `onKey` is told all of them. */
const MOST_KEYS = 2000;

export interface AuditRecordsOptions extends Omit<TakeRecordsOptions, 'hasEvidence'> {
  readonly skewMs?: number;
  /** Told every key with a verdict, in the order of the list. */
  readonly onKey?: (key: RecordKey) => void;
}

export async function auditRecords(
  file: CaseFile,
  analysis: Analysis,
  inputs: readonly RecordInput[],
  options: AuditRecordsOptions,
): Promise<Analysis> {
  const skewMs = options.skewMs ?? ASSUMED_SKEW_MS;
  await createRecordTables(file);
  const keeper = await keepRecords(file);
  try {
    const kept = { file, keeper };
    let taken: TakenRecords[] = [];
    for (const [i, input] of inputs.entries()) {
      taken.push(await takeRecords(kept, i + 1, input, { ...options, hasEvidence: analysis.sources.length > 0 }));
    }
    let unfinishedLeftOut = 0;
    let hasEvidence = false;
    for (;;) {
      hasEvidence = await pairAndJoin(file, taken, analysis, skewMs);
      ({ unfinishedLeftOut } = await findInteresting(file, hasEvidence));
      const again = await fetchAll(taken);
      if (again === undefined) break;
      // What was read by other numbers than DuckDB's is forgotten, and the keys are compared once more.
      await file.run('DELETE FROM record_rows WHERE nr > 0');
      taken = again;
    }
    const { repeated } = await judgeRecords(file, skewMs);
    const counts = { repeated, unfinishedLeftOut, hasEvidence };
    return await tell(file, analysis, taken, counts, options, skewMs);
  } finally {
    keeper.close();
  }
}

/** Undefined where all rows worth a look were read; else the sources, those that DuckDB read otherwise read whole. */
async function fetchAll(taken: readonly TakenRecords[]): Promise<TakenRecords[] | undefined> {
  const agreed = new Map<TakenRecords, boolean>();
  for (const one of taken) agreed.set(one, (await one.fetch?.()) ?? true);
  if ([...agreed.values()].every(Boolean)) return undefined;
  const again: TakenRecords[] = [];
  for (const one of taken) again.push(agreed.get(one) ? one : ((await one.readWhole?.()) ?? one));
  return again;
}

/** Whether any queue of the records is known to the evidence. */
async function pairAndJoin(
  file: CaseFile,
  taken: readonly TakenRecords[],
  analysis: Analysis,
  skewMs: number,
): Promise<boolean> {
  const known = await readEvidenceQueues(file);
  const named = taken.flatMap((one) => one.queues);
  const parts = known.map((name) => name.slice(name.lastIndexOf(':') + 1));
  const candidates = [...new Set([...named, ...known, ...parts])].sort();
  const pairs = known.length === 0 ? [] : pairQueues(await readRecordQueues(file, candidates), known);
  await joinEvidence(file, pairs, analysis.findings, skewMs);
  return pairs.length > 0;
}

async function tell(
  file: CaseFile,
  analysis: Analysis,
  taken: readonly TakenRecords[],
  counts: { readonly repeated: number; readonly unfinishedLeftOut: number; readonly hasEvidence: boolean },
  options: AuditRecordsOptions,
  skewMs: number,
): Promise<Analysis> {
  const pathOf = (source: number): string => taken.find((one) => one.source === source)?.input.input.path ?? '';
  const evidence = await readSources(file);
  const made = await findDoubleEnqueues(file, pathOf, (source) => evidence.get(source)?.path, findingId);
  const known = new Set(analysis.findings.map((finding) => finding.id));
  const added = made.filter((finding) => !known.has(finding.id));
  const findings = [...analysis.findings, ...added].sort(compareFindings);
  if (added.length > 0) await pairAndJoin(file, taken, { ...analysis, findings }, skewMs);
  await weighEvidence(file, skewMs);
  if (counts.hasEvidence) await findUnrecorded(file);

  const stories = new Map(analysis.stories.map((story) => [jobName(story.queue, story.id), story]));
  const onlyQueue = onlyOf(analysis.stories);
  const lookups = {
    pathOf,
    storyOf: (queue: string | undefined, job: string) => stories.get(jobName(queue ?? onlyQueue, job)),
  };
  const keys: RecordKey[] = [];
  const take = (key: RecordKey): void => {
    if (keys.length < MOST_KEYS) keys.push(key);
    options.onKey?.(key);
  };
  await readKeys(file, lookups, take, options.onKey === undefined ? MOST_KEYS : undefined);
  const account = await accountForRecords(analysis, taken, await readHabits(file));
  return {
    ...analysis,
    ...account.analysis,
    findings,
    totals: { ...analysis.totals, ...totalsOf(findings) },
    records: {
      stores: account.stores,
      ...(await readTotals(file, counts.repeated, counts.unfinishedLeftOut, counts.hasEvidence)),
      keys,
      keysLeftOut: Math.max(0, (await countKeys(file)) - keys.length),
    },
    limits: [...auditLimits(taken, counts.unfinishedLeftOut), ...analysis.limits],
  };
}

const jobName = (queue: string | undefined, job: string): string => JSON.stringify([queue ?? null, job]);

/** Records that name no queue are of the only one, if there is only one. */
function onlyOf(stories: readonly JobStory[]): string | undefined {
  const queues = new Set(stories.map((story) => story.queue));
  return queues.size === 1 ? [...queues][0] : undefined;
}
