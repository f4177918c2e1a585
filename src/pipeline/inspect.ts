/** What each input was taken for and what of it was understood: the ground of an analysis, without its verdicts. */
import { createRecordTables, keepRecords } from '../audit/index.js';
import { type CaseFile, openCaseFile } from '../casefile/case-file.js';
import { type LearnedWords, learnWords } from '../casefile/learn-words.js';
import { resolveQueues } from '../casefile/queues.js';
import { readSources } from '../casefile/read-processes.js';
import { summarizeJobs } from '../casefile/triage.js';
import { compareText, expandInputs, type InputProblem } from '../intake/index.js';
import type { Setting, Source } from '../model/analysis.js';
import type { TeamEvent } from '../model/config.js';
import { EVENT_KINDS } from '../model/event.js';
import type { Suggestion } from '../model/evidence.js';
import { INSPECTION_SCHEMA, type InspectedInput, type Inspection } from '../model/inspection.js';
import { lineAt } from '../model/place.js';
import type { WorkerIdentity } from '../story/workers.js';
import { accountForSources, type SourceAccount } from './account.js';
import { sourceOf } from './account-records.js';
import type { AnalyzeOptions } from './analyze.js';
import { createSpool } from './record-source.js';
import { readCast } from './set-scene.js';
import { wordRows } from './settings.js';
import { type RecordInput, sortInputs } from './sort-inputs.js';
import { takeEvidence } from './take-evidence.js';
import { takeRecords } from './take-records.js';
import type { TakeRecordsOptions } from './taken-records.js';

export type InspectOptions = Pick<
  AnalyzeOptions,
  'version' | 'optionsText' | 'config' | 'assumeTz' | 'prefix' | 'formats' | 'stdin' | 'onProgress' | 'signal'
>;

const MAX_SUGGESTIONS = 30;
const MAX_ABOUT = 300;

export interface InspectResult {
  readonly inspection: Inspection;
  readonly problems: readonly InputProblem[];
  /** Inputs that could be read. */
  readonly read: number;
}

/** Bad input never throws: it is a problem or a damage. Nothing is judged. */
export async function inspect(inputs: readonly string[], options: InspectOptions): Promise<InspectResult> {
  const { stdin, assumeTz, formats = [] } = options;
  const spool = createSpool();
  const file = await openCaseFile();
  try {
    const zone = assumeTz === undefined ? {} : { assumeTz };
    const given = {};
    const sorted = await sortInputs(await expandInputs(inputs), spool, {
      ...{ ...zone, given, formats },
      ...(stdin === undefined ? {} : { stdin }),
    });
    const taken = await takeEvidence(sorted.evidence, file, {
      ...options,
      suggest: true,
      ...(sorted.stdin === undefined ? {} : { stdin: sorted.stdin }),
    });
    const records = await takeRecordSources(file, sorted.records, { ...zone, given, hasEvidence: false });
    const inspection = await look(file, records, options);
    const read = inspection.inputs.filter(({ kind }) => ['log', 'redis', 'records'].includes(kind)).length;
    return { inspection, problems: taken.problems, read };
  } finally {
    await file.close();
    spool.remove();
  }
}

async function takeRecordSources(
  file: CaseFile,
  inputs: readonly RecordInput[],
  options: TakeRecordsOptions,
): Promise<UnnumberedSource[]> {
  if (inputs.length === 0) return [];
  await createRecordTables(file);
  const keeper = await keepRecords(file);
  try {
    const sources: UnnumberedSource[] = [];
    for (const [i, input] of inputs.entries())
      sources.push(await sourceOf(await takeRecords({ file, keeper }, i + 1, input, options)));
    return sources;
  } finally {
    keeper.close();
  }
}

async function look(
  file: CaseFile,
  records: readonly UnnumberedSource[],
  { version, optionsText }: InspectOptions,
): Promise<Inspection> {
  const stored = await readSources(file);
  await resolveQueues(file);
  await summarizeJobs(file);
  const learned = await learnWords(file);
  const { identities } = await readCast(file, stored);
  const account = await accountForSources(file);
  const kinds = await readKinds(file);
  const known = new Set<string>(learned.map(({ shape }) => shape));
  const suggestions = (await readSuggestions(file)).filter(({ shape }) => shape === undefined || !known.has(shape));
  return {
    schema: INSPECTION_SCHEMA,
    tool: { name: 'bullmortem', version },
    run: { options: [...(optionsText ?? [])] },
    inputs: [...account.sources, ...records]
      .sort((a, b) => compareText(a.path, b.path) || compareText(a.sha256 ?? '', b.sha256 ?? ''))
      .map((source) => inputOf(source, account, identities, kinds.get(keyOf(source)) ?? [])),
    words: settleWords(learned),
    notUnderstood: suggestions.map(({ count, example, path, firstLine }) => ({
      records: count,
      example,
      ref: { source: path, line: firstLine },
    })),
    ...(suggestions.length === 0 ? {} : { config: { events: suggestions.map(ruleOf) } }),
  };
}

/** Learned words with the line of their example instead of its place. */
const settleWords = (learned: readonly LearnedWords[]): Setting[] =>
  wordRows(learned).map((row) => ({
    ...row,
    refs: row.refs.map((ref) => (ref.line === undefined ? ref : { ...ref, line: lineAt(ref.line) })),
  }));

type UnnumberedSource = Omit<Source, 'id'>;

const keyOf = ({ path, sha256 }: { readonly path: string; readonly sha256?: string | undefined }): string =>
  JSON.stringify([path, sha256 ?? '']);

function inputOf(
  source: UnnumberedSource & Partial<Source>,
  { assumptions, limits }: SourceAccount,
  identities: readonly WorkerIdentity[],
  kinds: InspectedInput['kinds'],
): InspectedInput {
  const { id: _, ...rest } = source;
  return {
    ...rest,
    assumed: assumptions
      .filter(({ refs }) => refs.some((ref) => ref.source === source.path))
      .map(({ name, value }) => ({ name, value: String(value) })),
    kinds,
    workers: identities.filter(({ sources }) => sources.includes(source.path)).map((worker) => worker.id),
    limits: limits
      .filter((limit) => limit.source === source.path && !limit.what.startsWith('not understood'))
      .map(({ what, detail, count }) => ({ what, detail, ...(count === undefined ? {} : { count }) })),
  };
}

/** Events of each source by kind, most frequent first. */
async function readKinds(file: CaseFile): Promise<ReadonlyMap<string, InspectedInput['kinds']>> {
  const rows = await file.query(`
    SELECT s.path, s.sha256, e.kind, count(*) AS n FROM ev e JOIN sources s ON s.id = e.source
    GROUP BY s.path, s.sha256, e.kind ORDER BY s.path, s.sha256, n DESC, e.kind`);
  const kinds = new Map<string, InspectedInput['kinds']>();
  for (const row of rows) {
    const key = keyOf({ path: String(row.path), sha256: String(row.sha256) });
    const of = kinds.get(key) ?? [];
    of.push({ kind: EVENT_KINDS[Number(row.kind)] ?? String(row.kind), count: Number(row.n) });
    kinds.set(key, of);
  }
  return kinds;
}

interface PlacedSuggestion extends Suggestion {
  readonly path: string;
}

/** Those of all sources together: the same shape in two logs is one. */
async function readSuggestions(file: CaseFile): Promise<readonly PlacedSuggestion[]> {
  const rows = await file.query(
    "SELECT path, report->'suggestions' AS suggestions FROM sources WHERE complete AND (report->'suggestions') IS NOT NULL ORDER BY path, sha256",
  );
  const all = new Map<string, PlacedSuggestion>();
  for (const row of rows)
    for (const one of JSON.parse(String(row.suggestions)) as readonly Suggestion[]) {
      const key = JSON.stringify([one.kind, one.pattern, one.field, one.is]);
      const known = all.get(key);
      if (known === undefined) all.set(key, { ...one, path: String(row.path) });
      else all.set(key, { ...known, count: known.count + one.count });
    }
  return [...all.values()].sort((a, b) => b.count - a.count).slice(0, MAX_SUGGESTIONS);
}

function ruleOf({ kind, pattern, field, is, count, path, firstLine, example }: PlacedSuggestion): TeamEvent {
  return {
    kind,
    ...(pattern === undefined ? {} : { pattern }),
    ...(field === undefined ? {} : { field }),
    ...(is === undefined ? {} : { is }),
    about: `${count} ${count === 1 ? 'record' : 'records'}, first ${path}:${firstLine}: ${example}`.slice(0, MAX_ABOUT),
  };
}
