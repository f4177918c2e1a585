/** What the analysis says about the records themselves: their sources, what kind of store they are, what could not be told. */
import type { Analysis, Coverage, Limit, Setting, Source } from '../model/analysis.js';
import type { RecordRole, RecordStore } from '../model/records-audit.js';
import type { ReadStore } from '../records/index.js';
import type { TakenRecords } from './taken-records.js';

/** What the rows of a source show of its habits. */
interface Habits {
  readonly repeats: boolean;
  readonly laterAlone: boolean;
}

export interface RecordsAccount {
  readonly stores: RecordStore[];
  readonly analysis: Pick<Analysis, 'sources' | 'settings' | 'coverage'>;
}

export async function accountForRecords(
  analysis: Analysis,
  taken: readonly TakenRecords[],
  habits: ReadonlyMap<number, Habits>,
): Promise<RecordsAccount> {
  const sources: Omit<Source, 'id'>[] = [];
  for (const one of taken) sources.push(await sourceOf(one));
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const all = [...analysis.sources, ...sources]
    .sort((a, b) => compare(a.path, b.path) || compare(a.sha256 ?? '', b.sha256 ?? ''))
    .map((source, n): Source => ({ ...source, id: `S-${n + 1}` }));
  return {
    stores: storesOf(taken, habits),
    analysis: {
      sources: all,
      settings: withAssumptions(analysis.settings, taken),
      coverage: [
        ...analysis.coverage,
        ...taken
          .filter((one) => one.stores.length > 0)
          .map((one): Coverage => ({ class: 'records', source: one.input.input.path, gaps: [] })),
      ],
    },
  };
}

export async function sourceOf({ input, format, stores, damage, rejected }: TakenRecords): Promise<Omit<Source, 'id'>> {
  const summary = await input.summary();
  const rows = stores.reduce((sum, store) => sum + store.rows, 0);
  return {
    path: input.input.path,
    ...(summary.sha256 === '' ? {} : { sha256: summary.sha256 }),
    bytes: summary.bytes,
    kind: 'records',
    format,
    reason: input.detected.reason,
    records: rows + rejected,
    understood: rows,
    events: 0,
    damage: [...summary.damage, ...damage].map(({ what, line, offset }) => ({
      what,
      ...(line === undefined || line < 1 ? {} : { line }),
      ...(offset === undefined || offset < 0 ? {} : { offset }),
    })),
  };
}

/** Sources of one layout are one store: the exports of many days. */
function storesOf(taken: readonly TakenRecords[], habits: ReadonlyMap<number, Habits>): RecordStore[] {
  const stores = new Map<
    string,
    { first: ReadStore; format: string; parts: { one: TakenRecords; store: ReadStore }[] }
  >();
  for (const one of taken)
    for (const store of one.stores) {
      const name = JSON.stringify([one.format, store.name, store.columns, store.uniqueKey]);
      const known = stores.get(name) ?? { first: store, format: one.format, parts: [] };
      known.parts.push({ one, store });
      stores.set(name, known);
    }
  return [...stores.values()].map(({ first, format, parts }): RecordStore => {
    const seen = parts.flatMap(({ one }) => habits.get(one.source) ?? []);
    const sum = (of: (part: (typeof parts)[number]) => number): number =>
      parts.reduce((total, part) => total + of(part), 0);
    const { keeps, why } = rowsKept(first, seen);
    return {
      sources: parts.map(({ one }) => one.input.input.path).sort(),
      format,
      ...(first.name === undefined ? {} : { name: first.name }),
      rows: sum(({ store }) => store.rows),
      salvaged: sum(({ one }) => one.salvaged),
      rejected: sum(({ one }) => one.rejected),
      keeps,
      why,
      columns: [...first.columns],
      cannotTell: cannotTell(first, keeps),
    };
  });
}

function rowsKept(store: ReadStore, seen: readonly Habits[]): Pick<RecordStore, 'keeps' | 'why'> {
  if (store.uniqueKey !== undefined) return { keeps: 'row-per-key', why: store.uniqueKey };
  if (seen.some((habits) => habits.repeats)) return { keeps: 'row-per-run', why: 'keys stand more than once' };
  if (seen.some((habits) => habits.laterAlone))
    return { keeps: 'row-per-key', why: 'later attempts stand where no row of the first one does: it was overwritten' };
  return {
    keeps: 'unknown',
    why: 'no key stands twice: nothing ran twice, or a second run overwrites the row of the first',
  };
}

function cannotTell(store: ReadStore, keeps: RecordStore['keeps']): string[] {
  const has = (role: RecordRole): boolean => store.columns.some((column) => column.role === role);
  const told: readonly (readonly [boolean, string])[] = [
    [
      keeps === 'row-per-key',
      'whether a key was worked on twice: this store keeps one row a key, which a second run overwrites; evidence of the runs decides',
    ],
    [
      keeps === 'unknown',
      'whether a key was worked on twice, if the store keeps one row a key; evidence of the runs decides',
    ],
    [store.keyIsJob, 'two jobs for one piece of work: no column names a key, so the job id is taken for it'],
    [!has('job'), 'which executions its rows belong to: no column names the job'],
    [!store.tellsEnd, 'which runs reached their end: no column tells a status or an end'],
    [!has('started') || !has('completed'), 'which runs overlapped: begin and end are not both recorded'],
    [
      !has('checkpoint') || !has('resumed'),
      'where a run took up the work: no columns tell a checkpoint and where the next run resumed',
    ],
    [store.keyHoldsAttempt, 'anything by its keys as they stand: they hold the attempt; keys are compared without it'],
  ];
  return told.flatMap(([applies, what]) => (applies ? [what] : []));
}

/** What readers of records assumed joins what readers of evidence did. */
function withAssumptions(settings: readonly Setting[], taken: readonly TakenRecords[]): Setting[] {
  const rows = settings.map((setting) => ({ ...setting, refs: [...setting.refs] }));
  for (const { input, assumptions } of taken)
    for (const { name, value } of assumptions) {
      const ref = { source: input.input.path };
      const known = rows.find((row) => row.name === name && row.value === value && row.basis === 'assumed');
      if (known === undefined) rows.push({ name, value, basis: 'assumed', scope: 'sources', refs: [ref] });
      else if (!known.refs.some((one) => one.source === ref.source)) known.refs.push(ref);
    }
  return rows;
}

export function auditLimits(taken: readonly TakenRecords[], unfinishedLeftOut: number): Limit[] {
  const passed = taken.flatMap(({ input, passedOver }) =>
    passedOver.map((what) => ({
      what: 'not idempotency records',
      detail: `${what}: no column names a key or a job with what became of it`,
      source: input.input.path,
    })),
  );
  const many = {
    what: 'records begun and never ended',
    detail: 'only the first are listed with their key',
    count: unfinishedLeftOut,
  };
  return unfinishedLeftOut > 0 ? [...passed, many] : passed;
}
