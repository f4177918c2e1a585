/** What each input was taken for and what of it was understood: the ground of an analysis, without its verdicts. */
import type { CaseFile } from '../casefile/case-file.js';
import type { InputProblem } from '../intake/index.js';
import type { Analysis, Source } from '../model/analysis.js';
import type { TeamEvent } from '../model/config.js';
import { EVENT_KINDS } from '../model/event.js';
import type { Suggestion } from '../model/evidence.js';
import { INSPECTION_SCHEMA, type InspectedInput, type Inspection } from '../model/inspection.js';
import { type ReadCaseOptions, readCase } from './read-case.js';

const MAX_SUGGESTIONS = 30;
const MAX_ABOUT = 300;

export interface InspectResult {
  readonly inspection: Inspection;
  readonly problems: readonly InputProblem[];
  /** Inputs that could be read. */
  readonly read: number;
}

/** Bad input never throws: it is a problem or a damage. */
export function inspect(inputs: readonly string[], options: ReadCaseOptions): Promise<InspectResult> {
  return readCase(inputs, { ...options, suggest: true }, async ({ analysis, problems }, file) => {
    const kinds = await readKinds(file);
    const words = analysis.settings.filter(({ name }) => name.startsWith('words for '));
    const learned = new Set(words.map(({ value }) => value));
    const suggestions = (await readSuggestions(file)).filter(({ shape }) => shape === undefined || !learned.has(shape));
    const inspection: Inspection = {
      schema: INSPECTION_SCHEMA,
      tool: analysis.tool,
      run: analysis.run,
      inputs: analysis.sources.map((source) => inputOf(source, analysis, kinds.get(keyOf(source)) ?? [])),
      words,
      notUnderstood: suggestions.map(({ count, example, path, firstLine }) => ({
        records: count,
        example,
        ref: { source: path, line: firstLine },
      })),
      ...(suggestions.length === 0 ? {} : { config: { events: suggestions.map(ruleOf) } }),
    };
    const read = analysis.sources.filter(({ kind }) => ['log', 'redis', 'records'].includes(kind)).length;
    return { inspection, problems, read };
  });
}

const keyOf = ({ path, sha256 }: { readonly path: string; readonly sha256?: string | undefined }): string =>
  JSON.stringify([path, sha256 ?? '']);

function inputOf({ id: _, ...source }: Source, analysis: Analysis, kinds: InspectedInput['kinds']): InspectedInput {
  return {
    ...source,
    assumed: analysis.settings
      .filter(({ scope, refs }) => scope === 'sources' && refs.some((ref) => ref.source === source.path))
      .map(({ name, value }) => ({ name, value: String(value) })),
    kinds,
    workers: analysis.workers.filter(({ sources }) => sources.includes(source.path)).map((worker) => worker.id),
    limits: analysis.limits
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
